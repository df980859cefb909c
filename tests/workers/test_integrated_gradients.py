"""Integrated gradients: exact where the integral is known, complete to the tolerance, and no dearer than it must be."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from captum.attr import IntegratedGradients

from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.saliency import METHODS
from workers.saliency.baselines import baseline_of
from workers.saliency.passes import completeness_errors

TEXTS = (
    "a great film , really great .",
    "an awful , boring , unwatchable film that does not end and does not stop , ever .",
    "café 👍🏽",
    "film",
)
LABELS = torch.tensor([0, 1, 0, 1])
integrated_gradients = METHODS["integrated_gradients"]


def test_on_a_linear_model_it_is_what_each_piece_adds() -> None:
    linear = linear_classifier()
    batch = batch_of(linear, *TEXTS)
    for params in ({}, {"nodes": 1}):
        scores = integrated_gradients(linear, batch, torch.zeros(4, dtype=torch.long), **params)
        for row, text in enumerate(batch.texts):
            assert scores[row, : len(text.input_ids)].tolist() == pytest.approx(linear.worth(text, 0), abs=1e-5)
        assert completeness_errors(batch, scores) == pytest.approx([0] * 4, abs=1e-5)


@pytest.mark.parametrize("baseline", ["zero", "pad", "mask", "unk"])
def test_every_text_is_complete_to_the_tolerance(any_classifier: TextClassifier, baseline: str) -> None:
    batch = batch_of(any_classifier, *TEXTS)
    scores = integrated_gradients(any_classifier, batch, LABELS, most_nodes=1000, baseline=baseline)
    empty = any_classifier.logits(batch.input_ids, batch.attention_mask, baseline_of(any_classifier, batch, baseline))
    moved = (any_classifier.logits(batch.input_ids, batch.attention_mask) - empty).gather(1, LABELS[:, None])[:, 0]
    errors = (scores.sum(-1) - moved).abs() / moved.abs()
    assert (errors <= 0.03).all()
    assert completeness_errors(batch, scores) == pytest.approx(errors.tolist(), abs=1e-4)


@pytest.mark.parametrize("baseline", ["zero", "mask"])
def test_with_many_nodes_all_agree_with_captum(any_classifier: TextClassifier, baseline: str) -> None:
    batch = batch_of(any_classifier, *TEXTS)
    fine = integrated_gradients(any_classifier, batch, LABELS, tolerance=1e-5, most_nodes=2000, baseline=baseline)
    fixed = integrated_gradients(any_classifier, batch, LABELS, nodes=200, baseline=baseline)
    empty = baseline_of(any_classifier, batch, baseline)
    captum = IntegratedGradients(lambda x, ids, mask: any_classifier.logits(ids, mask, x)).attribute(
        any_classifier.embed(batch.input_ids),
        baselines=empty,
        target=LABELS,
        n_steps=200,
        additional_forward_args=(batch.input_ids, batch.attention_mask),
    )
    theirs = captum.sum(-1) * batch.attention_mask
    assert torch.allclose(fixed.float(), theirs, atol=1e-5, rtol=1e-4)
    assert torch.allclose(fine, theirs, atol=2e-3, rtol=1e-3)


@pytest.mark.parametrize("baseline", ["pad", "mask", "unk"])
def test_special_tokens_are_their_own_baseline(classifier: TextClassifier, baseline: str) -> None:
    scores = scores_of(classifier, "integrated_gradients", TEXTS[0], baseline=baseline)[0]
    assert scores[0] == scores[-1] == 0 and (scores[1:-1] != 0).all()


def test_a_baseline_that_the_tokenizer_lacks_is_refused(classifier: TextClassifier) -> None:
    object.__setattr__(classifier, "mask_id", None)
    with pytest.raises(ClassifierError, match="has no mask token to start from: take the zero or pad baseline"):
        scores_of(classifier, "integrated_gradients", TEXTS[0], baseline="mask")


Count = Callable[[TextClassifier], dict[str, int]]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """The rows that go through the model from now on."""

    def counting(classifier: TextClassifier) -> dict[str, int]:
        rows, usual = {"rows": 0}, type(classifier).run

        def counted(self: Any, input_ids: Any, *args: Any, **kwargs: Any) -> Any:
            rows["rows"] += len(input_ids)
            return usual(self, input_ids, *args, **kwargs)

        monkeypatch.setattr(type(classifier), "run", counted)
        return rows

    return counting


def test_only_rough_texts_get_more_points(classifier: TextClassifier, count: Count) -> None:
    rows = count(classifier)
    used = {}
    for tolerance in (1e9, 0.03, 1e-4):
        rows["rows"] = 0
        scores_of(classifier, "integrated_gradients", *TEXTS, tolerance=tolerance)
        used[tolerance] = rows["rows"]
    # The last of the 13 points is the text itself, whose pass all gradient methods share.
    assert used[1e9] == 4 * 13
    assert used[1e9] <= used[0.03] <= used[1e-4] <= 4 * 64


def test_no_text_gets_more_than_most_nodes(classifier: TextClassifier, count: Count) -> None:
    rows = count(classifier)
    scores_of(classifier, "integrated_gradients", TEXTS[1], tolerance=0.0, most_nodes=20)
    assert rows["rows"] == 17


def test_a_text_that_moves_nothing_comes_to_an_end(classifier: TextClassifier) -> None:
    torch.nn.init.zeros_(classifier.model.classifier.weight)
    batch = batch_of(classifier, TEXTS[0])
    scores = integrated_gradients(classifier, batch, LABELS[:1])
    assert (scores == 0).all()
    assert completeness_errors(batch, scores) == [None]


def test_points_are_streamed_through_the_budget(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    usual = type(classifier).run

    def counted(self: Any, input_ids: Any, *args: Any, **kwargs: Any) -> Any:
        sizes.append(input_ids.numel())
        return usual(self, input_ids, *args, **kwargs)

    wide = integrated_gradients(classifier, batch_of(classifier, *TEXTS[1:]), LABELS[1:])
    monkeypatch.setattr(type(classifier), "run", counted)
    narrow = integrated_gradients(classifier, batch_of(classifier, *TEXTS[1:], budget=110), LABELS[1:])
    assert max(sizes) <= 110
    assert torch.allclose(wide, narrow, atol=1e-6)
