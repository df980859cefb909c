"""LRP and contextual decomposition against values worked out by hand, cell by cell."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

from catalogue.methods import METHODS as CATALOGUE
from catalogue.methods import methods_for
from tests.workers.tiny_lstm import save_tiny_lstm
from workers.classifiers import load_classifier
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.lstm_network import LSTMNetwork
from workers.explaining import explain
from workers.records import Explained, SourceText
from workers.saliency import METHODS
from workers.saliency.contextual_decomposition import decompose
from workers.saliency.lrp_lstm import RULES, relevance
from workers.saliency.passes import completeness_errors, pick

TEXTS = ["a great film , really great .", "an awful , boring film that does not end , ever .", "film"]
OWN = ("lrp_lstm", "contextual_decomposition")


class Cell(NamedTuple):
    """One cell with one input: the weights of the gates i, f, g, o, and of the output."""

    x: tuple[float, float, float, float]
    h: tuple[float, float, float, float]
    b: tuple[float, float, float, float]
    out: float


CELL = Cell((0.7, -0.4, 1.1, 0.3), (0.5, 0.8, -0.6, 0.2), (0.1, 0.6, -0.3, -0.2), 1.5)


def one_cell(folder: Path, cell: Cell) -> TextClassifier:
    """The classifier of that cell, and of its negative as the second label; pieces have no embedding of their own."""
    folder = save_tiny_lstm(folder, embedding_size=1, hidden_size=1, bidirectional=False)
    classifier = load_classifier(str(folder))
    network: LSTMNetwork = classifier.model
    for weight, values in zip(network.lstm.parameters(), (cell.x, cell.h, cell.b, (0, 0, 0, 0)), strict=True):
        weight.data = torch.tensor(values, dtype=torch.float32).reshape(weight.shape)
    network.linear.weight.data = torch.tensor([[cell.out], [-cell.out]]).float()
    return classifier


def scores_of(classifier: TextClassifier, name: str, inputs: list[float], label: int = 0, **params: Any) -> list[float]:
    """The scores of a text whose pieces have these numbers as their embeddings."""
    text = classifier.encode("1", " ".join(["film"] * len(inputs)))
    batch = classifier.batch([text]).at(torch.tensor([0]), torch.tensor(inputs)[None, :, None])
    scores: list[float] = METHODS[name](classifier, batch, torch.tensor([label]), **params)[0].tolist()
    return scores


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


GATES: dict[str, Callable[[float, float], float]] = {
    "all": lambda gate, signal: 0,
    "half": lambda gate, signal: 0.5,
    "prop": lambda gate, signal: gate / (gate + signal),
    "abs": lambda gate, signal: abs(gate) / (abs(gate) + abs(signal)),
}


def lrp_by_hand(cell: Cell, inputs: list[float], rule: str, eps: float, d: float) -> tuple[list[float], float]:
    """Number by number: the relevance of each input, and of the initial states."""
    h, c = 0.0, 0.0
    steps = []
    for x in inputs:
        z = [cell.x[k] * x + cell.h[k] * h + cell.b[k] for k in range(4)]
        i, f, g, o = sigmoid(z[0]), sigmoid(z[1]), math.tanh(z[2]), sigmoid(z[3])
        new = f * c + i * g
        steps.append((x, h, c, z, i, f, g, o, new))
        h, c = o * math.tanh(new), new

    def through(part: float, total: float, bias: float, below: int, relevance: float) -> float:
        stabiliser = eps if total >= 0 else -eps
        return (part + d * (bias + stabiliser) / below) / (total + stabiliser) * relevance

    score = cell.out * h
    to_h, to_c = through(score, score, 0.0, 1, score), 0.0
    found = []
    for x, h, c, z, i, f, g, o, new in reversed(steps):
        to_o = GATES[rule](o, math.tanh(new)) * to_h
        to_c += to_h - to_o
        to_fc, to_ig = through(f * c, new, 0.0, 2, to_c), through(i * g, new, 0.0, 2, to_c)
        to_f, to_i = GATES[rule](f, c) * to_fc, GATES[rule](i, g) * to_ig
        to_c = to_fc - to_f
        into = (to_i, to_f, to_ig - to_i, to_o)
        found.append(sum(through(cell.x[k] * x, z[k], cell.b[k], 2, into[k]) for k in range(4)))
        to_h = sum(through(cell.h[k] * h, z[k], cell.b[k], 2, into[k]) for k in range(4))
    return found[::-1], to_h + to_c


@pytest.mark.parametrize("inputs", [[0.9], [0.9, -1.3], [0.4, 1.2, -0.8]])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("d", [0.0, 1.0])
def test_lrp_of_one_cell_is_that_by_hand(tmp_path: Path, inputs: list[float], rule: str, d: float) -> None:
    scores = scores_of(one_cell(tmp_path, CELL), "lrp_lstm", inputs, rule=rule, bias_factor=d)
    assert scores == pytest.approx(lrp_by_hand(CELL, inputs, rule, 0.001, d)[0], abs=2e-5)


def test_lrp_of_a_step_without_biases_is_the_score(tmp_path: Path) -> None:
    """x = 1, g = tanh(1), i = o = 1/2: the score 2 h = tanh(tanh(1) / 2) all goes to x, but for eps."""
    cell = one_cell(tmp_path, Cell((0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0), 2))
    assert scores_of(cell, "lrp_lstm", [1.0], eps=1e-9) == pytest.approx([math.tanh(math.tanh(1) / 2)])
    assert scores_of(cell, "lrp_lstm", [1.0], label=1, eps=1e-9) == pytest.approx([-math.tanh(math.tanh(1) / 2)])


def test_half_leaves_the_gates_what_does_not_reach_the_input(tmp_path: Path) -> None:
    """Gates that no input moves keep their halves: of h to o, of i g to i."""
    cell = one_cell(tmp_path, Cell((0, 0, 1, 0), (0, 0, 0, 0), (0.5, 0, 0, 0.5), 2))
    whole = 2 * sigmoid(0.5) * math.tanh(sigmoid(0.5) * math.tanh(1))
    assert scores_of(cell, "lrp_lstm", [1.0], rule="half", eps=1e-9) == pytest.approx([whole / 4])


@pytest.fixture(params=[{}, {"output_bias": True}, {"bidirectional": False}])
def lstm(request: pytest.FixtureRequest, tmp_path: Path) -> TextClassifier:
    return load_classifier(str(save_tiny_lstm(tmp_path, **request.param)))


def batch_of(classifier: TextClassifier, contents: list[str], budget: int = 2048) -> Batch:
    return classifier.batch([classifier.encode(str(at), text) for at, text in enumerate(contents)], budget)


def logits(classifier: TextClassifier, batch: Batch) -> Tensor:
    return classifier.logits(batch.input_ids, batch.attention_mask)


@pytest.mark.parametrize("rule", RULES)
def test_with_bias_factor_1_relevance_is_conserved(lstm: TextClassifier, rule: str) -> None:
    batch = batch_of(lstm, TEXTS)
    for label in (0, 1):
        target = torch.full((len(TEXTS),), label)
        found = relevance(lstm, batch, target, rule, 0.001, 1.0)
        score = pick(logits(lstm, batch), target)
        # Under `prop` scores of thousands may cancel, and float32 has seven digits.
        tolerance = 1e-4 + 1e-5 * found.pieces.abs().amax(-1)
        assert ((found.pieces.sum(-1) + found.initial - score).abs() < tolerance).all()


def test_with_bias_factor_1_the_error_is_what_words_lack_of_the_score(lstm: TextClassifier) -> None:
    batch = batch_of(lstm, TEXTS)
    target = torch.zeros(len(TEXTS), dtype=torch.long)
    scores = METHODS["lrp_lstm"](lstm, batch, target, bias_factor=1.0)
    lacking = relevance(lstm, batch, target, "all", 0.001, 1.0).initial / pick(logits(lstm, batch), target)
    assert completeness_errors(batch, scores) == pytest.approx(lacking.abs().tolist(), abs=1e-3)
    scores = METHODS["lrp_lstm"](lstm, batch, target)
    assert completeness_errors(batch, scores) == [None, None, None]


def cd_by_hand(cell: Cell, inputs: list[float], phrase: int) -> tuple[float, float]:
    """Number by number: beta and gamma of the last hidden state."""

    def split(s: Callable[[float], float], a: float, b: float, c: float) -> tuple[float, float, float]:
        first = (s(a + c) - s(c) + s(a + b + c) - s(b + c)) / 2
        second = (s(b + c) - s(c) + s(a + b + c) - s(a + c)) / 2
        return first, second, s(c)

    h = c = (0.0, 0.0)
    for at, x in enumerate(inputs):
        own = (x, 0.0) if at == phrase else (0.0, x)
        a, b = ([cell.x[k] * own[part] + cell.h[k] * h[part] for k in range(4)] for part in (0, 1))
        i, f = (split(sigmoid, a[k], b[k], cell.b[k]) for k in (0, 1))
        g = split(math.tanh, a[2], b[2], cell.b[2])
        o = sigmoid(a[3] + b[3] + cell.b[3])
        beta = (f[0] + f[2]) * c[0] + i[0] * (g[0] + g[2]) + i[2] * g[0] + (i[2] * g[2] if at == phrase else 0)
        c = (beta, sum(f) * sum(c) + sum(i) * sum(g) - beta)
        h_beta = (math.tanh(c[0]) + math.tanh(sum(c)) - math.tanh(c[1])) / 2
        h = (o * h_beta, o * (math.tanh(sum(c)) - h_beta))
    return h


@pytest.mark.parametrize("inputs", [[0.9], [0.9, -1.3], [0.4, 1.2, -0.8]])
def test_decomposition_of_one_cell_is_that_by_hand(tmp_path: Path, inputs: list[float]) -> None:
    scores = scores_of(one_cell(tmp_path, CELL), "contextual_decomposition", inputs)
    expected = [CELL.out * cd_by_hand(CELL, inputs, phrase)[0] for phrase in range(len(inputs))]
    assert scores == pytest.approx(expected, abs=1e-6)


def test_a_word_alone_has_the_whole_score(tmp_path: Path) -> None:
    """x = 1, g = tanh(1), i = o = 1/2: the score is 2 h = tanh(tanh(1) / 2)."""
    cell = one_cell(tmp_path, Cell((0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0), 2))
    assert scores_of(cell, "contextual_decomposition", [1.0]) == pytest.approx([math.tanh(math.tanh(1) / 2)])


def test_beta_and_gamma_are_the_hidden_state(lstm: TextClassifier) -> None:
    batch = batch_of(lstm, TEXTS)
    lengths, embeddings = batch.attention_mask.sum(-1), lstm.embed(batch.input_ids)
    total = torch.zeros(len(TEXTS), 2) if lstm.model.linear.bias is None else lstm.model.linear.bias
    for direction in lstm.model.directions():
        last = decompose(direction, embeddings, lengths, torch.arange(3), torch.tensor([1, 5, 0]))
        total = total + (last.beta + last.gamma) @ direction.to_output.T
    assert torch.allclose(total, logits(lstm, batch), atol=1e-5)


@pytest.mark.parametrize("name", OWN)
def test_batch_padding_and_budget_change_nothing(lstm: TextClassifier, name: str) -> None:
    target = torch.tensor([0, 1, 1])
    together = METHODS[name](lstm, batch_of(lstm, TEXTS), target)
    assert torch.allclose(together, METHODS[name](lstm, batch_of(lstm, TEXTS, budget=20), target), atol=1e-5)
    for row, content in enumerate(TEXTS):
        alone = METHODS[name](lstm, batch_of(lstm, [content]), target[row : row + 1])[0]
        assert torch.allclose(together[row, : len(alone)], alone, atol=1e-5)
        assert (together[row, len(alone) :] == 0).all()


@pytest.mark.parametrize("name", OWN)
def test_the_two_directions_are_alike(tmp_path: Path, name: str) -> None:
    """With the weights of both exchanged, a text read from its end has the scores in reverse."""
    classifier = load_classifier(str(save_tiny_lstm(tmp_path)))
    ids = torch.tensor([classifier.encode("1", TEXTS[0]).input_ids])
    embeddings, target = classifier.embed(ids), torch.tensor([1])
    first = METHODS[name](classifier, batch_of(classifier, TEXTS[:1]).at(torch.tensor([0]), embeddings), target)
    network = classifier.model
    forwards, backwards = list(network.lstm.parameters())[:4], list(network.lstm.parameters())[4:]
    for one, other in zip(forwards, backwards, strict=True):
        one.data, other.data = other.data, one.data
    network.linear.weight.data = network.linear.weight.data.roll(4, 1)
    turned = batch_of(classifier, TEXTS[:1]).at(torch.tensor([0]), embeddings.flip(1))
    assert torch.allclose(METHODS[name](classifier, turned, target).flip(1), first, atol=1e-5)


def test_every_method_of_the_kind_works(tmp_path: Path) -> None:
    classifier = load_classifier(str(save_tiny_lstm(tmp_path)))
    names = methods_for("lstm")
    assert set(OWN) <= set(names)
    records = list(explain(classifier, [SourceText(text, text) for text in TEXTS], {name: {} for name in names}))
    assert len(records) == len(TEXTS) * len(names)
    for record in records:
        assert isinstance(record, Explained), record
        assert record.special == []
        assert (record.completeness_error is not None) == CATALOGUE[record.method].complete
