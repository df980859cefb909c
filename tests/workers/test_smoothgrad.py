"""SmoothGrad and VarGrad: moments of a gradient method over noisy embeddings."""

from typing import Any

import pytest
import torch

from catalogue.methods import METHODS as CATALOGUE
from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency import METHODS
from workers.saliency.noise import noisy
from workers.saliency.seeding import generators_for

TEXTS = ("a great film , really great .", "an awful , boring , unwatchable film that does not end .", "film")


def test_without_noise_it_is_the_method_itself(classifier: TextClassifier) -> None:
    for of in ("gradient", "input_x_gradient", "integrated_gradients"):
        plain = scores_of(classifier, of, *TEXTS)
        smooth = scores_of(classifier, "smoothgrad", *TEXTS, of=of, samples=2, sigma=0.0)
        assert torch.allclose(smooth.float(), plain.float(), atol=1e-5)
        varied = scores_of(classifier, "vargrad", *TEXTS, of=of, samples=2, sigma=0.0)
        assert varied.abs().max() < 1e-8


def test_the_gradient_of_a_linear_model_does_not_vary() -> None:
    linear = linear_classifier()
    plain = scores_of(linear, "gradient", *TEXTS)
    assert torch.allclose(scores_of(linear, "smoothgrad", *TEXTS).float(), plain, rtol=1e-6)
    assert scores_of(linear, "vargrad", *TEXTS).max() < 1e-10


def test_on_a_linear_model_the_moments_are_those_of_the_noise() -> None:
    """Input x gradient is w . (e + n): its mean is w . e, its variance |w|^2 sigma^2 (max e - min e)^2."""
    linear = linear_classifier()
    batch = batch_of(linear, TEXTS[0])
    embeddings = linear.embed(batch.input_ids)
    spread = 0.15 * float(embeddings.max() - embeddings.min())
    expected = float(linear.model.weight[0].square().sum()) * spread**2
    params: dict[str, Any] = {"of": "input_x_gradient", "samples": 4000}
    variance = scores_of(linear, "vargrad", TEXTS[0], **params)[0]
    assert variance.tolist() == pytest.approx([expected] * len(variance), rel=0.12)
    mean = scores_of(linear, "smoothgrad", TEXTS[0], **params)[0]
    worth = linear.worth(batch.texts[0], 0)
    assert mean.tolist() == pytest.approx(worth, abs=5 * (expected / 4000) ** 0.5)


def test_it_is_the_mean_over_its_own_noise(classifier: TextClassifier) -> None:
    batch, target = batch_of(classifier, TEXTS[1]), torch.tensor([1])
    generators = generators_for(batch.texts, "smoothgrad", classifier.weights_hash)
    maps = [
        METHODS["gradient"](classifier, batch.at(rows[at : at + 1], noise[at : at + 1]), target)[0]
        for rows, noise in noisy(classifier, batch, 30, 0.15, generators)
        for at in range(len(rows))
    ]
    found = METHODS["smoothgrad"](classifier, batch, target)[0]
    assert torch.allclose(found.float(), torch.stack(maps).mean(0), atol=1e-6)


def test_batch_mates_padding_and_budget_have_no_part_in_the_noise(classifier: TextClassifier) -> None:
    for budget in (2048, 40):
        batch = batch_of(classifier, *TEXTS, budget=budget)
        target = torch.zeros(3, dtype=torch.long)
        together = METHODS["smoothgrad"](classifier, batch, target)
        for row, content in enumerate(TEXTS):
            alone = scores_of(classifier, "smoothgrad", content)[0]
            assert torch.allclose(together[row, : len(alone)], alone, atol=1e-6)


def test_another_seed_is_another_draw(classifier: TextClassifier) -> None:
    first, second = (scores_of(classifier, "smoothgrad", TEXTS[0], seed=seed) for seed in (0, 1))
    assert not torch.allclose(first, second)


@pytest.mark.parametrize("of", ["gradient", "input_x_gradient", "integrated_gradients"])
def test_the_catalogue_says_when_its_scores_are_signed(classifier: TextClassifier, of: str) -> None:
    scores = scores_of(classifier, "smoothgrad", TEXTS[1], of=of, samples=3)
    assert bool((scores < 0).any()) == CATALOGUE["smoothgrad"].signed_with({"of": of})
    assert (scores_of(classifier, "vargrad", TEXTS[1], of=of, samples=3) >= 0).all()
