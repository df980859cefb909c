"""What holds for every family of transformers: read once, untouched by padding, equal to captum, left as found."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from captum.attr import InputXGradient, IntegratedGradients, Saliency
from torch import Tensor, nn

from catalogue.methods import METHODS as CATALOGUE
from catalogue.methods import methods_for
from tests.workers.tiny import DECODERS, FAMILIES, save_tiny
from workers.classifiers import load_classifier
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier, replaced
from workers.classifiers.errors import ClassifierError
from workers.explaining import explain
from workers.records import Explained, SourceText
from workers.saliency import METHODS
from workers.saliency.passes import attentions_of, forward, gradient_of

TEXTS = ["a great film , really great .", "an awful unwatchable film that does not end .", "café 👍🏽", "film"]
NORMS = {"modernbert": "norm", "deberta": "LayerNorm", "deberta-v2": "LayerNorm"}
READS = dict.fromkeys(FAMILIES, "first") | dict.fromkeys(DECODERS, "last") | {"modernbert": "mean"}


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def model_of(folders: Callable[[str], Path], family: str) -> TextClassifier:
    return load_classifier(str(folders(family)))


def batch_of(classifier: TextClassifier, contents: list[str]) -> Batch:
    return classifier.batch([classifier.encode(str(at), text) for at, text in enumerate(contents)])


def test_it_works(model_of: TextClassifier) -> None:
    batch = batch_of(model_of, TEXTS)
    logits = model_of.logits(batch.input_ids, batch.attention_mask)
    assert logits.shape == (4, 2) and logits.std(0).min() > 1e-3


def test_embeddings_are_read_once_and_stand_in_for_those_of_the_ids(model_of: TextClassifier) -> None:
    batch = batch_of(model_of, TEXTS)
    own = model_of.embed(batch.input_ids)
    usual = model_of.logits(batch.input_ids, batch.attention_mask)
    assert torch.allclose(model_of.logits(batch.input_ids, batch.attention_mask, own), usual, atol=1e-6)
    assert not torch.allclose(model_of.logits(batch.input_ids, batch.attention_mask, own * 0), usual, atol=1e-3)


def test_the_size_of_embeddings_has_an_effect(model_of: TextClassifier) -> None:
    """Otherwise input x gradient would be nothing but rounding: so it is where a layer norm follows word embeddings."""
    batch = batch_of(model_of, TEXTS)
    own = model_of.embed(batch.input_ids)
    usual, twice = (model_of.logits(batch.input_ids, batch.attention_mask, own * size) for size in (1, 2))
    assert not torch.allclose(usual, twice, atol=1e-2)
    scores = METHODS["input_x_gradient"](model_of, batch, torch.tensor([0, 1, 0, 1]))
    assert scores.abs().amax(-1).min() > 1e-3


def test_batch_and_padding_change_neither_logits_nor_gradients(model_of: TextClassifier) -> None:
    together = batch_of(model_of, TEXTS)
    target = torch.tensor([0, 1, 0, 1])
    logits, gradients = forward(model_of, together).logits, gradient_of(model_of, together, target)
    for row, content in enumerate(TEXTS):
        alone = batch_of(model_of, [content])
        length = alone.input_ids.shape[1]
        assert torch.allclose(logits[row], forward(model_of, alone).logits[0], atol=1e-5)
        own = gradient_of(model_of, alone, target[row : row + 1])[0]
        assert torch.allclose(gradients[row, :length], own, atol=1e-5, rtol=1e-4)
        assert not gradients[row, length:].any()


# Those that draw samples see the model through its logits alone.
EXACT = [
    name
    for name in methods_for("transformer")
    if "samples" not in {parameter.name for parameter in CATALOGUE[name].parameters}
]


def test_batch_and_padding_change_no_scores(model_of: TextClassifier) -> None:
    target = torch.tensor([0, 1, 0, 1])
    alone = [batch_of(model_of, [content]) for content in TEXTS]
    for name in EXACT:
        together = METHODS[name](model_of, batch_of(model_of, TEXTS), target).float()
        for row, batch in enumerate(alone):
            own = METHODS[name](model_of, batch, target[row : row + 1]).float()[0]
            nearness = 1e-3 * float(own.abs().max()) + 1e-6
            assert torch.allclose(together[row, : len(own)], own, atol=nearness), name
            assert not together[row, len(own) :].any(), name


def test_attentions_are_returned(model_of: TextClassifier) -> None:
    batch = batch_of(model_of, TEXTS)
    layers = attentions_of(model_of, batch)
    width = batch.input_ids.shape[1]
    assert [layer.shape for layer in layers] == [(4, 2, width, width)] * 2
    real = batch.attention_mask.bool()
    for layer in layers:
        assert torch.allclose(layer.sum(-1).transpose(1, 2)[real], torch.ones(1), atol=1e-5)
        assert not (layer * real[:, None, :, None] * ~real[:, None, None, :]).any()


def test_the_head_reads_where_readout_says(model_of: TextClassifier, family: str) -> None:
    batch = batch_of(model_of, TEXTS[:2])
    share = model_of.readout(batch.attention_mask)
    lengths = batch.attention_mask.sum(-1)
    expected = torch.zeros_like(share)
    for row, length in enumerate(lengths.tolist()):
        places = {"first": slice(0, 1), "last": slice(length - 1, length), "mean": slice(0, length)}[READS[family]]
        expected[row, places] = 1.0
    assert torch.allclose(share, expected / expected.sum(-1, keepdim=True))
    assert torch.equal(read_at_the_top(model_of, batch).abs().sum(-1) > 0, share > 0)


def read_at_the_top(classifier: TextClassifier, batch: Batch) -> Tensor:
    """d logits / d last hidden states (texts, pieces, dimensions)."""
    with torch.enable_grad(), replaced(classifier.embedding, classifier.embed(batch.input_ids).requires_grad_()):
        made = classifier.model(batch.input_ids, attention_mask=batch.attention_mask, output_hidden_states=True)
    gradient: Tensor = torch.autograd.grad(made.logits[:, 0].sum(), made.hidden_states[-1])[0]
    return gradient


class ByEmbeddings(nn.Module):
    """The model through its own `inputs_embeds` argument: another way in than ours.

    The norms of ModernBERT and DeBERTa, which our embeddings have behind them, are taken out.
    """

    def __init__(self, model: Any, family: str) -> None:
        super().__init__()
        self.model = model
        if family in NORMS:
            self.model = copy.deepcopy(model)
            setattr(self.model.base_model.embeddings, NORMS[family], nn.Identity())

    def forward(self, embeddings: Tensor) -> Tensor:
        logits: Tensor = self.model(inputs_embeds=embeddings).logits
        return logits


CAPTUM: dict[str, Callable[[nn.Module, Tensor], Tensor]] = {
    "gradient": lambda model, x: Saliency(model).attribute(x, target=1),
    "input_x_gradient": lambda model, x: InputXGradient(model).attribute(x, target=1),
    "integrated_gradients": lambda model, x: IntegratedGradients(model).attribute(
        x, torch.zeros_like(x), target=1, n_steps=12, method="gausslegendre"
    ),
}


@pytest.mark.parametrize("name", CAPTUM)
def test_scores_are_those_of_captum(model_of: TextClassifier, family: str, name: str) -> None:
    params = {"nodes": 12} if name == "integrated_gradients" else {}
    batch = batch_of(model_of, TEXTS[:2])
    ours = METHODS[name](model_of, batch, torch.tensor([1, 1]), **params).float()
    for row, text in enumerate(batch.texts):
        embeddings = model_of.embed(torch.tensor([text.input_ids])).detach().requires_grad_()
        theirs = CAPTUM[name](ByEmbeddings(model_of.model, family), embeddings).sum(-1)[0]
        assert torch.allclose(ours[row, : len(text.input_ids)], theirs, atol=1e-5, rtol=1e-4)


def test_texts_are_cut_at_what_the_model_can_place(model_of: TextClassifier, family: str) -> None:
    assert model_of.most_pieces == (38 if family in ("roberta", "xlm-roberta") else 64)
    records = list(explain(model_of, [SourceText("1", "great film " * 60)], {"gradient": {}, "random": {}}))
    for record in records:
        assert isinstance(record, Explained)
        assert len(record.scores) == 120
        seen = [score is not None for score in record.scores]
        count = sum(seen)
        assert 0 < count < 120 and seen == [True] * count + [False] * (120 - count)
        assert record.scores[count - 1] != 0


def test_every_piece_finds_its_word(model_of: TextClassifier) -> None:
    text = model_of.encode("1", "  unwatchable  tokens, don't re-use 3.14")
    assert [text.content[word.start : word.end] for word in text.words] == [
        "unwatchable",
        "tokens",
        ",",
        "don't",
        "re-use",
        "3.14",
    ]
    assert text.seen == list(range(6))
    names = model_of.piece_names(text.input_ids)
    for word, (start, end, *_) in enumerate(text.words):
        joined = "".join(names[piece] for piece in text.pieces_of[word])
        for mark in ("##", "Ġ", "\u2581"):
            joined = joined.replace(mark, "")
        assert text.content[start:end] == joined


def test_the_model_is_left_as_found(model_of: TextClassifier) -> None:
    model = model_of.model
    batch = batch_of(model_of, TEXTS)
    attentions_of(model_of, batch)  # The library hooks its own layers, for good, when it is first asked.
    hooked = [len(module._forward_hooks) for module in model.modules()]
    for name in ("gradient", "integrated_gradients", "attention_all", "lime"):
        METHODS[name](model_of, batch_of(model_of, TEXTS), torch.tensor([0, 1, 0, 1]))
    assert [len(module._forward_hooks) for module in model.modules()] == hooked
    assert not any(module.training for module in model.modules())
    assert not any(weight.requires_grad or weight.grad is not None for weight in model.parameters())


def test_half_precision_works_or_is_refused(folders: Callable[[str], Path], family: str) -> None:
    folder = str(folders(family))
    if family == "deberta":  # The library's own forward pass fails.
        with pytest.raises(ClassifierError, match="cannot run in bfloat16 .*: choose float32"):
            load_classifier(folder, dtype="bfloat16")
        return
    (record,) = explain(load_classifier(folder, dtype="bfloat16"), [SourceText("1", TEXTS[0])], {"gradient": {}})
    assert isinstance(record, Explained) and record.versions["dtype"] == "bfloat16"


def test_a_decoder_may_know_its_padding_by_the_tokenizer_alone(tmp_path: Path) -> None:
    classifier = load_classifier(str(save_tiny(tmp_path, "gpt2", pad_token_id=None)))
    assert classifier.pad_id == 1
    batch = batch_of(classifier, TEXTS)
    alone = [batch_of(classifier, [content]) for content in TEXTS]
    logits = torch.cat([classifier.logits(one.input_ids, one.attention_mask) for one in alone])
    assert torch.allclose(classifier.logits(batch.input_ids, batch.attention_mask), logits, atol=1e-5)


def test_words_cut_off_on_the_left_were_not_seen_either(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, "xlm-roberta")
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"truncation_side": "left"}))
    text = load_classifier(str(folder)).encode("1", ("great film " * 60).strip())
    assert text.seen == list(range(120 - 36, 120))
