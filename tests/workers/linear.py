"""A classifier that can be worked out by hand: each logit is a sum over the pieces of w . embedding."""

from typing import Any

import torch
from torch import Tensor, nn

from tests.workers.tiny import wordpiece
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import SINGLE, Output, TextClassifier
from workers.saliency import METHODS

DIMENSIONS = 3


class Network(nn.Module):
    def __init__(self, vocabulary: int, labels: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, DIMENSIONS)
        self.weight = nn.Parameter(torch.empty(labels, DIMENSIONS))


class LinearClassifier(TextClassifier):
    kind = "transformer"

    @property
    def embedding(self) -> nn.Module:
        layer: nn.Module = self.model.embedding
        return layer

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        found = self.embed(input_ids) if embeddings is None else embeddings
        return Output((found * attention_mask[:, :, None]).sum(1) @ self.model.weight.T)

    def readout(self, attention_mask: Tensor) -> Tensor:
        return attention_mask / attention_mask.sum(-1, keepdim=True)

    def worth(self, text: Any, label: int) -> list[float]:
        """What each piece adds to the logit."""
        embeddings = self.embed(torch.tensor(text.input_ids))
        found: list[float] = (embeddings @ self.model.weight[label]).tolist()
        return found


def linear_classifier(seed: int = 3, labels: int = 2) -> LinearClassifier:
    tokenizer = wordpiece()
    torch.manual_seed(seed)
    network = Network(len(tokenizer), labels)
    nn.init.normal_(network.weight)
    network.eval().requires_grad_(False)
    return LinearClassifier(
        name="linear",
        revision="",
        weights_hash=f"linear {seed}",
        label_names=("negative", "positive", "neither")[:labels],
        problem_type=SINGLE,
        most_pieces=64,
        pad_id=tokenizer.pad_token_id,
        tokenizer=tokenizer,
        model=network,
        mask_id=tokenizer.mask_token_id,
        unk_id=tokenizer.unk_token_id,
    )


def batch_of(classifier: TextClassifier, *contents: str, budget: int = 2048) -> Batch:
    return classifier.batch([classifier.encode(str(at), text) for at, text in enumerate(contents)], budget)


def scores_of(classifier: TextClassifier, name: str, *contents: str, label: int = 0, **params: Any) -> Tensor:
    """A method's scores (texts, pieces) for one label of all texts."""
    batch = batch_of(classifier, *contents)
    return METHODS[name](classifier, batch, torch.full((len(contents),), label), **params)
