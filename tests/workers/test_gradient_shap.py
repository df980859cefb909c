"""Gradient SHAP: exact on linear models, complete in expectation on others."""

import pytest
import torch

from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency import METHODS
from workers.saliency.passes import completeness_errors

TEXTS = ("a great film , really great .", "an awful , boring , unwatchable film that does not end .", "film")


def test_on_a_linear_model_it_is_what_each_piece_adds() -> None:
    linear = linear_classifier()
    batch = batch_of(linear, *TEXTS)
    scores = METHODS["gradient_shap"](linear, batch, torch.zeros(3, dtype=torch.long), sigma=0.0)
    for row, text in enumerate(batch.texts):
        assert scores[row, : len(text.input_ids)].tolist() == pytest.approx(linear.worth(text, 0), abs=1e-5)
    assert completeness_errors(batch, scores) == pytest.approx([0, 0, 0], abs=1e-5)


def test_it_tends_to_integrated_gradients(classifier: TextClassifier) -> None:
    exact = scores_of(classifier, "integrated_gradients", *TEXTS, nodes=200)
    found = scores_of(classifier, "gradient_shap", *TEXTS, samples=1000, sigma=0.0)
    assert torch.allclose(found.float(), exact.float(), atol=0.01 * float(exact.abs().max()))


def test_it_says_how_far_from_complete_it_is(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, *TEXTS)
    target = torch.zeros(3, dtype=torch.long)
    errors = {}
    for samples in (2, 400):
        scores = METHODS["gradient_shap"](classifier, batch, target, samples=samples)
        errors[samples] = max(error or 0.0 for error in completeness_errors(batch, scores))
    assert errors[400] < 0.1 * errors[2] or errors[400] < 0.02


@pytest.mark.parametrize("baseline", ["pad", "mask", "unk"])
def test_special_tokens_move_only_by_noise_where_they_are_their_own_baseline(
    classifier: TextClassifier, baseline: str
) -> None:
    scores = scores_of(classifier, "gradient_shap", TEXTS[0], sigma=0.0, baseline=baseline)[0]
    assert scores[0] == scores[-1] == 0 and (scores[1:-1] != 0).all()


def test_another_seed_is_another_draw(classifier: TextClassifier) -> None:
    first, second = (scores_of(classifier, "gradient_shap", TEXTS[0], seed=seed) for seed in (0, 1))
    assert not torch.equal(first, second)
