"""The loops that people write around captum: one text at a time, one method after the other, the model loaded once.

Each takes what was read of one text and gives one score a piece (LIME: one a word). The parameters are those of
our methods: LIME gets our own draws, so that its scores can be compared.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
import transformers as untyped
from captum._utils.models.linear_model import SkLearnRidge
from captum.attr import DeepLift, InputXGradient, IntegratedGradients, LimeBase, Saliency
from torch import Tensor, nn

from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.saliency.lime import _draw
from workers.saliency.seeding import generator_for

transformers: Any = untyped
STEPS = 50


class ByEmbeddings(nn.Module):
    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, embeddings: Tensor, attention_mask: Tensor) -> Tensor:
        logits: Tensor = self.model(inputs_embeds=embeddings, attention_mask=attention_mask).logits
        return logits


@dataclass
class Read:
    """One text, tokenized and predicted once for all methods."""

    text: Encoded
    ids: Tensor
    mask: Tensor
    embeddings: Tensor
    label: int
    deltas: dict[str, float] = field(default_factory=dict)


class Loops:
    def __init__(self, classifier: TextClassifier) -> None:
        # Only the words come from our classifier; the model is one of its own, as from_pretrained() gives it.
        self.classifier = classifier
        self.model = transformers.AutoModelForSequenceClassification.from_pretrained(
            classifier.name, attn_implementation="eager", dtype=classifier.dtype
        )
        self.model.eval().to(classifier.device)
        self.network = ByEmbeddings(self.model)

    def read(self, content: str) -> Read:
        text = self.classifier.encode("", content)
        ids = torch.tensor([text.input_ids], device=self.classifier.device)
        mask = torch.ones_like(ids)
        with torch.no_grad():
            label = int(self.model(input_ids=ids, attention_mask=mask).logits.argmax())
        return Read(text, ids, mask, self.model.get_input_embeddings()(ids).detach(), label)

    def attentions(self, read: Read) -> tuple[Tensor, ...]:
        with torch.no_grad():
            found: tuple[Tensor, ...] = self.model(
                input_ids=read.ids, attention_mask=read.mask, output_attentions=True
            ).attentions
        return found


def attention_all(loops: Loops, read: Read) -> Tensor:
    return torch.stack([layer[0].sum((0, 1)) for layer in loops.attentions(read)]).sum(0)


def attention_last(loops: Loops, read: Read) -> Tensor:
    return loops.attentions(read)[-1][0].sum((0, 1))


def gradient(loops: Loops, read: Read) -> Tensor:
    method = Saliency(loops.network)
    return _summed(method.attribute(read.embeddings, target=read.label, additional_forward_args=(read.mask,)))


def input_x_gradient(loops: Loops, read: Read) -> Tensor:
    method = InputXGradient(loops.network)
    return _summed(method.attribute(read.embeddings, target=read.label, additional_forward_args=(read.mask,)))


def integrated_gradients(loops: Loops, read: Read) -> Tensor:
    scores, delta = IntegratedGradients(loops.network).attribute(
        read.embeddings,
        torch.zeros_like(read.embeddings),
        target=read.label,
        n_steps=STEPS,
        additional_forward_args=(read.mask,),
        return_convergence_delta=True,
    )
    read.deltas["integrated_gradients"] = abs(float(delta) / float(scores.sum() - delta))
    return _summed(scores)


def deeplift(loops: Loops, read: Read) -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = DeepLift(loops.network).attribute(
            read.embeddings,
            torch.zeros_like(read.embeddings),
            target=read.label,
            additional_forward_args=(read.mask,),
        )
    return _summed(scores)


def lime(loops: Loops, read: Read) -> Tensor:
    words, device = len(read.text.seen), read.ids.device
    generator = generator_for(read.text.content, "lime", loops.classifier.weights_hash)
    draws: Iterator[Tensor] = iter(torch.cat(list(_draw(words, 200, generator))).float().to(device))

    def ids_of(kept: Tensor, *_: Any, **__: Any) -> Tensor:
        left_out = {word for word, keep in zip(read.text.seen, kept[0].tolist(), strict=True) if not keep}
        return torch.tensor([read.text.without(left_out)], device=device)

    def near(_: Any, __: Any, kept: Tensor, **___: Any) -> Tensor:
        return torch.exp(-((1 - kept.mean().sqrt()) ** 2) / (2 * 0.25**2))

    with torch.no_grad():
        scores: Tensor = LimeBase(
            lambda ids: loops.model(input_ids=ids).logits,
            SkLearnRidge(alpha=1.0),
            near,
            lambda *_, **__: next(draws)[None],
            True,
            ids_of,
            None,
        ).attribute(read.ids, target=read.label, n_samples=200)
    return scores[0]


def random(loops: Loops, read: Read) -> Tensor:
    return torch.randperm(read.ids.shape[1]).float()


def _summed(scores: Tensor) -> Tensor:
    return scores.detach().sum(-1)[0]


LOOPS: dict[str, Callable[..., Tensor]] = {
    "attention_all": attention_all,
    "attention_last": attention_last,
    "gradient": gradient,
    "input_x_gradient": input_x_gradient,
    "integrated_gradients": integrated_gradients,
    "lu2024_deeplift": deeplift,
    "lime": lime,
    "random": random,
}
