"""The two variants that Ding & Koehn (2021) released, on a model whose log-probability is worked out by hand."""

import pytest
import torch
from torch import Tensor

from tests.workers.linear import LinearClassifier, batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier

TEXTS = ("a great film , really great .", "film")


def log_probability_gradient(linear: LinearClassifier, logits: Tensor) -> Tensor:
    """d log p_0 / de = w_0 - sum over classes of p_c w_c, the same for every piece."""
    found: Tensor = linear.model.weight[0] - logits.softmax(-1) @ linear.model.weight
    return found


def test_the_norm_is_each_words_share() -> None:
    linear = linear_classifier()
    scores = scores_of(linear, "ding2021_gradient_norm", *TEXTS)
    count = len(batch_of(linear, TEXTS[0]).texts[0].input_ids) - 2
    assert scores[0].tolist() == pytest.approx([0.0] + [1 / count] * count + [0.0])
    assert scores[1].tolist() == pytest.approx([0.0, 1.0, 0.0] + [0.0] * (count - 1))


def test_the_norms_go_as_the_mean_absolute_gradient_of_the_log_probability(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXTS[0])
    embeddings = classifier.embed(batch.input_ids).requires_grad_()
    log_p = classifier.logits(batch.input_ids, batch.attention_mask, embeddings).log_softmax(-1)[0, 1]
    (gradient,) = torch.autograd.grad(log_p, embeddings)
    expected = gradient[0, 1:-1].abs().mean(-1)
    found = scores_of(classifier, "ding2021_gradient_norm", TEXTS[0], label=1)[0, 1:-1]
    assert torch.allclose(found, expected / expected.sum(), atol=1e-6)


def test_integrated_gradients_carry_the_extra_factor() -> None:
    linear = linear_classifier()
    batch = batch_of(linear, TEXTS[0])
    embeddings = linear.embed(batch.input_ids)[0]
    expected = torch.zeros(len(embeddings))
    for share in (0.25, 0.5, 0.75, 1.0):
        logits = share * linear.logits(batch.input_ids, batch.attention_mask)[0]
        expected += share * (embeddings @ log_probability_gradient(linear, logits)) / 4
    found = scores_of(linear, "ding2021_integrated_gradients", TEXTS[0], steps=4)[0]
    assert torch.allclose(found.float(), expected, atol=1e-5)


def test_they_are_not_complete() -> None:
    """With a constant gradient the factor alone halves every score: its mean over the path is one half."""
    linear = linear_classifier(labels=1)
    object.__setattr__(linear, "problem_type", "regression")
    batch = batch_of(linear, TEXTS[0])
    found = scores_of(linear, "ding2021_integrated_gradients", TEXTS[0], steps=1000)[0]
    half = [worth / 2 for worth in linear.worth(batch.texts[0], 0)]
    assert found.tolist() == pytest.approx(half, rel=2e-3)
