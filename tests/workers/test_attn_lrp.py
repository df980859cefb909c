"""AttnLRP: relevance is conserved in every family, and is what the paper's rules give layer by layer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.workers.plain import PlainClassifier, plain_classifier
from tests.workers.test_saliency import TEXTS, batch_of, hooks, predicted
from tests.workers.tiny import FAMILIES, save_tiny
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.saliency.attn_lrp import attn_lrp
from workers.saliency.passes import completeness_errors, forward, pick


def linear(given: Tensor, layer: nn.Linear, relevance: Tensor) -> Tensor:
    """R_i = sum over j of x_i w_ji R_j / z_j."""
    share = relevance / layer(given)
    found: Tensor = given * (share @ layer.weight)
    return found


def product(left: Tensor, right: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """R_ji = sum over p of A_ji V_ip R_jp / (2 O_jp), and the same for V."""
    share = relevance / (2 * left @ right)
    return left * (share @ right.transpose(-1, -2)), right * (left.transpose(-1, -2) @ share)


class ByThePaper:
    """A BERT of one text, walked back layer by layer by the formulas of the paper; no autograd."""

    def __init__(self, model: Any, embeddings: Tensor) -> None:
        self.model, self.bert = model, model.bert
        tables = self.bert.embeddings
        places = tables.position_embeddings.weight[: len(embeddings)] + tables.token_type_embeddings.weight[0]
        self.given = embeddings
        self.summed = embeddings + places
        self.first = tables.LayerNorm(self.summed)
        self.inputs = [self.first]
        for layer in self.bert.encoder.layer:
            self.inputs.append(layer(self.inputs[-1][None])[0].detach())

    def normalised(self, layer: nn.LayerNorm, given: Tensor, relevance: Tensor) -> Tensor:
        """The identity rule: beta keeps its part, the rest goes by shares of the centred input."""
        scale = layer.weight / (given.var(-1, unbiased=False, keepdim=True) + layer.eps).sqrt()
        share = scale * relevance / layer(given)
        found: Tensor = given * (share - share.mean(-1, keepdim=True))
        return found

    def explain(self, label: int) -> Tensor:
        last = self.inputs[-1][0]
        pooled = torch.tanh(self.bert.pooler.dense(last))
        relevance = pooled * self.model.classifier.weight[label]
        relevance = linear(last[None], self.bert.pooler.dense, relevance[None])
        spread = torch.zeros_like(self.first)
        spread[0] = relevance[0]
        for layer, given in reversed(list(zip(self.bert.encoder.layer, self.inputs, strict=False))):
            spread = self.through(layer, given, spread)
        spread = self.normalised(self.bert.embeddings.LayerNorm, self.summed, spread)
        found: Tensor = (spread * self.given / self.summed).sum(-1)
        return found

    def through(self, layer: Any, given: Tensor, relevance: Tensor) -> Tensor:
        attention = layer.attention.self
        heads, size = attention.num_attention_heads, attention.attention_head_size

        def split(value: Tensor) -> Tensor:
            return value.view(len(value), heads, size).transpose(0, 1)

        query, key, value = (split(part(given)) for part in (attention.query, attention.key, attention.value))
        numbers = query @ key.transpose(1, 2) / size**0.5
        weights = numbers.softmax(-1)
        seen = (weights @ value).transpose(0, 1).reshape(len(given), -1)
        mixed = layer.attention.output.dense(seen)
        middle = layer.attention.output.LayerNorm(mixed + given)
        opened = layer.intermediate.dense(middle)
        closed = layer.output.dense(F.gelu(opened))

        relevance = self.normalised(layer.output.LayerNorm, closed + middle, relevance)
        wide = linear(F.gelu(opened), layer.output.dense, relevance * closed / (closed + middle))
        back = linear(middle, layer.intermediate.dense, wide) + relevance * middle / (closed + middle)
        back = self.normalised(layer.attention.output.LayerNorm, mixed + given, back)
        of_seen = split(linear(seen, layer.attention.output.dense, back * mixed / (mixed + given)))
        of_weights, of_value = product(weights, value, of_seen)
        of_numbers = numbers * (of_weights - weights * of_weights.sum(-1, keepdim=True))
        of_query, of_key = product(query, key.transpose(1, 2), of_numbers)
        found: Tensor = back * given / (mixed + given)
        for part, share in (
            (attention.query, of_query),
            (attention.key, of_key.transpose(1, 2)),
            (attention.value, of_value),
        ):
            found = found + linear(given, part, share.transpose(0, 1).reshape(len(given), -1))
        return found


class OwnSlope(torch.autograd.Function):
    """As some libraries write their activations."""

    @staticmethod
    def forward(ctx: Any, given: Tensor) -> Tensor:
        return given * given

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return gradients[0]


def overwritten(given: Tensor) -> Tensor:
    made = given * 2
    made[:] = 3.0
    return made + given


@torch.no_grad()
def test_it_works(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXTS)
    target = predicted(classifier, batch)
    scores = attn_lrp(classifier, batch, target)
    for row, (text, label) in enumerate(zip(batch.texts, target.tolist(), strict=True)):
        model = classifier.model.double()
        embeddings = classifier.embed(torch.tensor(text.input_ids))
        expected = ByThePaper(model, embeddings).explain(label).float()
        classifier.model.float()
        assert torch.allclose(scores[row, : len(expected)], expected, atol=2e-5, rtol=1e-3)


@pytest.mark.parametrize("family", FAMILIES)
def test_relevance_is_conserved_in_every_family(folders: Callable[[str], Path], family: str) -> None:
    classifier = load_classifier(str(folders(family)))
    batch = batch_of(classifier, TEXTS)
    target = predicted(classifier, batch)
    scores = attn_lrp(classifier, batch, target)
    kept = pick(forward(classifier, batch).logits, target) - batch.memo["claim"]
    errors = completeness_errors(batch, scores)
    assert all(error is not None and error < 1e-4 for error in errors)
    # The claim is not the sum by another name: biases and positions really keep something.
    assert (kept.abs() > 1e-3).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_batch_and_padding_change_nothing_and_nothing_is_left_behind(
    folders: Callable[[str], Path], family: str
) -> None:
    classifier = load_classifier(str(folders(family)))
    batch = batch_of(classifier, TEXTS)
    target = torch.tensor([0, 1, 0, 1])
    before = hooks(classifier.model)
    together = attn_lrp(classifier, batch, target)
    assert hooks(classifier.model) == before
    for row, content in enumerate(TEXTS):
        alone = attn_lrp(classifier, batch_of(classifier, [content]), target[row : row + 1])[0]
        assert torch.allclose(together[row, : len(alone)], alone, atol=1e-5, rtol=1e-4)
    assert (together[batch.attention_mask == 0] == 0).all()


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        # e = 2, once; every case adds 3 that depends on nothing.
        (lambda e: 5 * e + 3, 10.0),
        (lambda e: e * e + 3, 4.0),
        (lambda e: e**2 + 3, 4.0),
        (lambda e: 3 - e, -2.0),
        (lambda e: e / 4 + 3, 0.5),
        (lambda e: torch.tanh(e) * e + 3, 2 * 0.9640276),
        (lambda e: F.relu(-e) + 3, 0.0),
        (lambda e: torch.add(e, torch.full((1, 1), 1.5), alpha=2), 2.0),
        (lambda e: torch.cat([e, torch.full((1, 1), 3.0)], 1).sum(1, keepdim=True), 2.0),
        (lambda e: torch.where(torch.tensor([[True, False]]), 3.0, e).sum(1, keepdim=True), 2.0),
        (lambda e: torch.addmm(torch.full((1, 1), 3.0), e, torch.full((1, 1), 4.0)), 8.0),
        (lambda e: torch.full((1, 1, 1), 3.0).baddbmm(batch1=e[None], batch2=e[None])[0], 4.0),
        (lambda e: e * torch.rsqrt(e.pow(2) + 12) + 3, 0.5),
        (lambda e: F.layer_norm(torch.cat([e, -e], 1), (2,), bias=torch.full((2,), 3.0), eps=0.0)[:, :1], 1.0),
        (lambda e: F.softmax(torch.cat([e, 0 * e], 1), -1)[:, :1] + 3, 2 * 0.8807971 * 0.1192029),
        (lambda e: F.log_softmax(torch.cat([e, 0 * e], 1), -1)[:, :1] + 3, 2 * 0.1192029),
    ],
)
def test_each_rule_by_hand(formula: Callable[[Tensor], Tensor], expected: float) -> None:
    classifier = plain_classifier(formula)
    batch = classifier.numbers([2.0])
    assert attn_lrp(classifier, batch, torch.tensor([0])).tolist() == [[pytest.approx(expected, rel=1e-5)]]
    (error,) = completeness_errors(batch, torch.tensor([[expected]]))
    assert error is None or error < 1e-5


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda e: e.sigmoid(), "no rule for sigmoid"),
        (lambda e: e**0.0, "pow, which does not pass through zero"),
        (lambda e: 1 / e, "no rule for rdiv"),
        (lambda e: e / e, "a division by what depends on the text"),
        (lambda e: e.maximum(-e), "no rule for maximum"),
        (lambda e: F.scaled_dot_product_attention(e[None], e[None], e[None])[0], "scaled_dot_product_attention"),
        (lambda e: e + e.detach(), "no rule for detach"),
        (OwnSlope.apply, "no rule for mul cut off from gradients"),
        (lambda e: overwritten(e), "does not conserve relevance"),
    ],
)
def test_what_has_no_rule_is_refused(formula: Callable[[Tensor], Tensor], message: str) -> None:
    classifier = plain_classifier(formula)
    with pytest.raises(ClassifierError, match=message):
        attn_lrp(classifier, classifier.numbers([2.0]), torch.tensor([0]))


def test_texts_that_are_mixed_are_refused() -> None:
    classifier = plain_classifier(lambda e: (e.T + 1).T)
    with pytest.raises(ClassifierError, match="out of 2 texts"):
        attn_lrp(classifier, classifier.numbers([2.0], [3.0]), torch.tensor([0, 0]))


def test_activations_written_out_are_seen_as_wholes(tmp_path: Path) -> None:
    written = load_classifier(str(save_tiny(tmp_path / "a", hidden_act="gelu_new")))
    whole = load_classifier(str(save_tiny(tmp_path / "b", hidden_act="gelu_pytorch_tanh")))
    first, second = (attn_lrp(one, batch_of(one, TEXTS), torch.zeros(4, dtype=torch.long)) for one in (written, whole))
    assert torch.allclose(first, second, atol=1e-5)


def test_an_activation_without_a_rule_is_refused(tmp_path: Path) -> None:
    classifier = load_classifier(str(save_tiny(tmp_path, hidden_act="laplace")))
    with pytest.raises(ClassifierError, match="activation, which does not pass through zero"):
        attn_lrp(classifier, batch_of(classifier, TEXTS), torch.zeros(4, dtype=torch.long))


def test_plain_classifiers_are_what_they_seem() -> None:
    classifier = plain_classifier(lambda e: 5 * e)
    assert isinstance(classifier, PlainClassifier)
    assert forward(classifier, classifier.numbers([2.0], [3.0])).logits.tolist() == [[10.0], [15.0]]
