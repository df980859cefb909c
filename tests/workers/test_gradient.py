"""How the dimensions of a gradient make one score."""

import pytest
import torch

from catalogue.methods import METHODS as CATALOGUE
from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency import METHODS
from workers.saliency.gradient import REDUCTIONS
from workers.saliency.passes import gradient_of


@pytest.mark.parametrize(
    ("reduction", "expected"), [("l1", 7.0), ("l2", 5.0), ("squared_l2", 25.0), ("signed", -1.0), ("mean", 7 / 3)]
)
def test_the_gradient_of_a_linear_model_is_its_weight(reduction: str, expected: float) -> None:
    linear = linear_classifier()
    linear.model.weight[1] = torch.tensor([3.0, -4.0, 0.0])
    scores = scores_of(linear, "gradient", "a great film", "film", label=1, reduction=reduction)
    assert scores[0].tolist() == pytest.approx([expected] * 5)
    assert scores[1].tolist() == pytest.approx([expected] * 3 + [0.0] * 2)


def test_all_reductions_come_out_of_one_pass(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    batch, target = batch_of(classifier, "a great film", "boring"), torch.tensor([0, 1])
    gradient = gradient_of(classifier, batch, target)
    monkeypatch.setattr(torch.autograd, "grad", None)
    for name, reduce in REDUCTIONS.items():
        assert torch.equal(METHODS["gradient"](classifier, batch, target, reduction=name)[0], reduce(gradient)[0])


def test_what_rounding_leaves_behind_a_layer_norm_is_no_score(any_classifier: TextClassifier) -> None:
    assert (scores_of(any_classifier, "gradient", "an awful , boring film", reduction="signed") == 0).all()


def test_the_catalogue_says_when_its_scores_are_signed() -> None:
    entry, linear = CATALOGUE["gradient"], linear_classifier()
    (choices,) = [parameter.choices for parameter in entry.parameters if parameter.name == "reduction"]
    assert set(choices) == set(REDUCTIONS)
    linear.model.weight[0] = torch.tensor([1.0, -4.0, 0.0])
    for reduction in choices:
        scores = scores_of(linear, "gradient", "an awful , boring film", reduction=reduction)
        assert bool((scores < 0).any()) == entry.signed_with({"reduction": reduction})
