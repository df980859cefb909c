"""DeepLIFT: each rule by hand, equal to captum where captum is right, complete on every family."""

from collections.abc import Callable
from math import exp, log
from pathlib import Path

import pytest
import torch
from captum.attr import DeepLift
from torch import Tensor, nn
from torch.nn import functional as F

from tests.workers.plain import plain_classifier
from tests.workers.test_saliency import TEXTS, batch_of, hooks, predicted
from tests.workers.tiny import FAMILIES, save_language_model, save_tiny
from tests.workers.tiny_lstm import save_tiny_lstm
from workers.classifiers import load_classifier
from workers.classifiers.errors import ClassifierError
from workers.saliency.deeplift import deeplift
from workers.saliency.lu2024_deeplift import lu2024_deeplift
from workers.saliency.passes import completeness_errors

ONES = torch.ones(1, 1, 1)
FIRST = torch.tensor([0])
# A softmax goes from halves to .75 and .25: the logarithmic means of its shares, and that of the second in both.
MEANS = 0.25 / log(1.5), 0.25 / log(2)
PART = MEANS[1] / sum(MEANS)


def mlp(activation: Callable[[], nn.Module]) -> nn.Sequential:
    torch.manual_seed(5)
    layers = nn.Linear(4, 8), activation(), nn.Linear(8, 6), activation(), nn.Linear(6, 3)
    return nn.Sequential(*layers).requires_grad_(False)


@pytest.mark.parametrize("activation", [nn.ReLU, nn.Sigmoid, nn.Tanh, nn.ELU])
@pytest.mark.filterwarnings("ignore::UserWarning:captum")
def test_it_works(activation: Callable[[], nn.Module]) -> None:
    network = mlp(activation)
    classifier = plain_classifier(network)
    batch = classifier.numbers([1.0, -2.0, 0.5, 3.0], [0.0, 1e-9, -1.0, 2.0])
    target = torch.tensor([2, 0])
    scores = deeplift(classifier, batch, target)
    assert batch.embeddings is not None
    given = batch.embeddings[:, :, 0].clone()
    theirs = DeepLift(network).attribute(given, torch.zeros_like(given), target=target).detach()
    assert torch.allclose(scores, theirs, atol=1e-5)
    assert all(error is not None and error < 1e-5 for error in completeness_errors(batch, scores))


@pytest.mark.parametrize(
    ("formula", "numbers", "expected"),
    [
        (lambda e: (e[:, :1] + 1) * (e[:, 1:] + 5), (2.0, 3.0), (2 * 6.5, 3 * 2.0)),
        (lambda e: (e[:, :1] + 1)[:, :, None].bmm((e[:, 1:] + 5)[:, :, None])[:, 0], (2.0, 3.0), (13.0, 6.0)),
        (
            lambda e: ONES.baddbmm(batch1=(e + 1)[:, :1, None], batch2=(e + 5)[:, 1:, None])[:, 0],
            (2.0, 3.0),
            (13.0, 6.0),
        ),
        (lambda e: (e[:, :1] + 6) / (e[:, 1:] + 2), (2.0, 2.0), (2 / 3, -5 / 3)),
        (lambda e: 6 / (e[:, :1] + 2) + e[:, 1:], (1.0, 4.0), (-1.0, 4.0)),
        (lambda e: (e[:, :1] + e[:, 1:]).exp(), (2.0, -1.0), (2 * (exp(1) - 1), 1 - exp(1))),
        (lambda e: e.sum(1, keepdim=True) ** 2, (1.0, 3.0), (4.0, 12.0)),
        # Both differences cancel: the slope at 2 is what is left, 3 * 4.
        (lambda e: (e.sum(1, keepdim=True) + 2) ** 3, (1.0, -1.0), (12.0, -12.0)),
        (lambda e: e.softmax(-1)[:, :1], (log(3) + 1, 1.0), (MEANS[0] * PART * (log(3) + 1), -MEANS[0] * PART)),
        (lambda e: F.log_softmax(e, -1)[:, :1], (log(3) + 1, 1.0), (PART * (log(3) + 1), -PART)),
    ],
)
def test_each_rule_by_hand(
    formula: Callable[[Tensor], Tensor], numbers: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    classifier = plain_classifier(formula)
    (scores,) = deeplift(classifier, classifier.numbers(numbers), FIRST).tolist()
    assert scores == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    "formula",
    [
        lambda e: (e * torch.rsqrt(e.pow(2).mean(-1, keepdim=True) + 1e-12))[:, :1],
        lambda e: (torch.rsqrt(e.pow(2).mean(-1, keepdim=True) + 1e-12) * e)[:, :1],
        lambda e: F.layer_norm(e, (3,), eps=1e-12)[:, :1],
        lambda e: (100 * e).softmax(-1)[:, :1],
        lambda e: ((e - e.mean(-1, keepdim=True)) / (e.pow(2).mean(-1, keepdim=True) + 1e-12).sqrt())[:, :1],
    ],
)
def test_multipliers_stay_bounded_however_far_the_baseline_is(formula: Callable[[Tensor], Tensor]) -> None:
    classifier = plain_classifier(formula)
    batch = classifier.numbers([3.0, -1.0, 0.5])
    scores = deeplift(classifier, batch, FIRST)
    (error,) = completeness_errors(batch, scores)
    assert error is not None and error < 1e-4
    assert scores.abs().sum() < 12


@pytest.mark.parametrize("family", FAMILIES)
def test_scores_sum_to_the_difference_from_nothing(folders: Callable[[str], Path], family: str) -> None:
    classifier = load_classifier(str(folders(family)))
    batch = batch_of(classifier, TEXTS)
    target, before = torch.tensor([0, 1, 0, 1]), hooks(classifier.model)
    together = deeplift(classifier, batch, target)
    assert hooks(classifier.model) == before
    assert all(error is not None and error < 1e-3 for error in completeness_errors(batch, together))
    assert (together[batch.attention_mask == 0] == 0).all()
    for row, content in enumerate(TEXTS):
        alone = deeplift(classifier, batch_of(classifier, [content]), target[row : row + 1])[0]
        assert torch.allclose(together[row, : len(alone)], alone, atol=1e-5, rtol=1e-3)


@pytest.mark.parametrize("bidirectional", [True, False])
def test_lstms_are_seen_step_by_step(tmp_path: Path, bidirectional: bool) -> None:
    classifier = load_classifier(str(save_tiny_lstm(tmp_path, bidirectional=bidirectional)))
    batch = batch_of(classifier, TEXTS)
    target, before = torch.tensor([0, 1, 0, 1]), hooks(classifier.model)
    together = deeplift(classifier, batch, target)
    assert hooks(classifier.model) == before
    assert all(error is not None and error < 1e-4 for error in completeness_errors(batch, together))
    for row, content in enumerate(TEXTS):
        alone = deeplift(classifier, batch_of(classifier, [content]), target[row : row + 1])[0]
        assert torch.allclose(together[row, : len(alone)], alone, atol=1e-5)


@pytest.mark.parametrize("options", [{"words": ["great", "awful", "was"]}, {"words": ["awful", "a"], "contrast": True}])
def test_next_words_are_explained_too(tmp_path: Path, options: dict[str, object]) -> None:
    classifier = load_classifier(str(save_language_model(tmp_path, "llama")), options=options)
    batch = batch_of(classifier, TEXTS)
    scores = deeplift(classifier, batch, torch.tensor([0, 1, 1, 0]))
    assert all(error is not None and error < 1e-3 for error in completeness_errors(batch, scores))


def test_the_budget_changes_nothing(folders: Callable[[str], Path]) -> None:
    classifier = load_classifier(str(folders("bert")))
    wide, narrow = batch_of(classifier, TEXTS), batch_of(classifier, TEXTS, budget=30)
    target = predicted(classifier, wide)
    assert torch.allclose(deeplift(classifier, wide, target), deeplift(classifier, narrow, target), atol=1e-5)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda e: e.maximum(-e), "deeplift has no rule for maximum"),
        (lambda e: e ** (e + 1), "pow of two values"),
        (lambda e: e + e.detach(), "no rule for detach"),
        (lambda e: e[0] * e[0], "which mix the texts"),
    ],
)
def test_what_has_no_rule_is_refused(formula: Callable[[Tensor], Tensor], message: str) -> None:
    classifier = plain_classifier(formula)
    with pytest.raises(ClassifierError, match=message):
        deeplift(classifier, classifier.numbers([2.0]), FIRST)


def test_activations_written_out_are_seen_as_wholes(tmp_path: Path) -> None:
    written = load_classifier(str(save_tiny(tmp_path / "a", hidden_act="gelu_new")))
    whole = load_classifier(str(save_tiny(tmp_path / "b", hidden_act="gelu_pytorch_tanh")))
    target = torch.zeros(4, dtype=torch.long)
    first, second = (deeplift(one, batch_of(one, TEXTS), target) for one in (written, whole))
    assert torch.allclose(first, second, atol=1e-5)


def test_captums_misses_what_it_claims_on_transformers(folders: Callable[[str], Path]) -> None:
    classifier = load_classifier(str(folders("bert")))
    batch = batch_of(classifier, TEXTS)
    errors = completeness_errors(batch, lu2024_deeplift(classifier, batch, predicted(classifier, batch)))
    assert max(error or 0.0 for error in errors) > 0.1
