"""Samples and nodes go through the model within the token budget, however many there are."""

from typing import Any

import pytest
import torch

from tests.workers.linear import batch_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency import METHODS
from workers.saliency.coalitions import SLICE, outputs_without

TEXTS = ("a great film , really great .", "an awful , boring , unwatchable film that does not end .", "film")
SAMPLED: dict[str, dict[str, Any]] = {
    "integrated_gradients": {"nodes": 40},
    "smoothgrad": {"samples": 40},
    "vargrad": {"samples": 40},
    "gradient_shap": {"samples": 40},
    "ding2021_integrated_gradients": {"steps": 40},
    "occlusion": {},
    "lime": {"samples": 40},
    "kernel_shap": {"samples": 40},
    "shapley_sampling": {"pairs": 3},
    "lu2024_lime": {"samples": 40},
}


@pytest.mark.parametrize(("name", "params"), SAMPLED.items())
def test_no_pass_is_larger_than_the_budget(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch, name: str, params: dict[str, Any]
) -> None:
    target = torch.tensor([0, 1, 0])
    wide = METHODS[name](classifier, batch_of(classifier, *TEXTS, budget=4000), target, **params)
    classifier.memory.__init__()  # type: ignore[misc]
    usual, sizes = type(classifier).run, list[int]()

    def counted(self: TextClassifier, input_ids: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        sizes.append(input_ids.numel())
        return usual(self, input_ids, *args, **kwargs)

    monkeypatch.setattr(type(classifier), "run", counted)
    batch = batch_of(classifier, *TEXTS)
    batch = batch_of(classifier, *TEXTS, budget=batch.input_ids.numel())
    narrow = METHODS[name](classifier, batch, target, **params)
    assert max(sizes) <= batch.budget < sum(sizes)
    assert torch.allclose(wide, narrow, atol=1e-5, rtol=1e-4)


def test_variants_are_made_a_slice_at_a_time(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()
    usual = TextClassifier.logits_of

    def counted(self: TextClassifier, variants: Any, *args: Any) -> Any:
        asked.append(len(variants))
        return usual(self, variants, *args)

    monkeypatch.setattr(TextClassifier, "logits_of", counted)
    batch = batch_of(classifier, TEXTS[1])
    left_out = ({at % 12} for at in range(2 * SLICE + 10))
    outputs = outputs_without(classifier, batch, batch.texts[0], "remove", left_out)
    assert asked == [SLICE, SLICE, 10] and outputs.shape == (2 * SLICE + 10, 2)
    assert torch.equal(outputs[0], outputs[12 * 40])


def test_parts_keep_to_the_budget_and_are_as_wide_as_they_must_be(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, *TEXTS, budget=60)
    lengths = batch.lengths
    rows = [1] * 5 + [0] * 9 + [2] * 30
    parts = list(batch.parts(rows))
    assert [row for part, _ in parts for row in rows[part]] == rows
    for part, width in parts:
        assert width == max(lengths[row] for row in rows[part])
        assert (part.stop - part.start) * width <= 60 or part.stop - part.start == 1
    assert list(batch.parts([])) == []


def test_other_embeddings_may_leave_out_what_is_padding(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, *TEXTS)
    rows = torch.tensor([2, 2])
    there = batch.at(rows, classifier.embed(batch.input_ids)[rows, :3])
    assert there.input_ids.tolist() == [list(batch.texts[2].input_ids)] * 2
    assert there.attention_mask.tolist() == [[1, 1, 1]] * 2 and there.asked == frozenset() and there.memo == {}
