"""Kernel SHAP and sampled orders against Shapley values by all orders of the words."""

from functools import partial
from itertools import permutations

import pytest
import torch

from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency import METHODS
from workers.saliency.coalitions import values_of
from workers.saliency.kernel_shap import _sampled
from workers.saliency.passes import completeness_errors
from workers.saliency.seeding import generator_for

SHORT = "an awful boring film !"
LONG = "an awful , boring , unwatchable film that does not end and does not stop , ever ."
BOTH = pytest.mark.parametrize("name", ["kernel_shap", "shapley_sampling"])


def shapley(classifier: TextClassifier, content: str, label: int, absent: str = "remove") -> list[float]:
    """The mean over all n! orders of what a word adds to those before it."""
    text = classifier.encode("1", content)
    words = text.seen
    totals = dict.fromkeys(words, 0.0)
    orders = list(permutations(words))
    for order in orders:
        left_out = [set(order[count:]) for count in range(len(order) + 1)]
        values = classifier.logits_of([classifier.erase(text, out, absent) for out in left_out])[:, label].tolist()
        for place, word in enumerate(order):
            totals[word] += (values[place + 1] - values[place]) / len(orders)
    return [totals[word] for word in words]


@pytest.mark.parametrize("absent", ["remove", "mask", "pad", "zero"])
def test_kernel_shap_is_exact_where_all_coalitions_fit(classifier: TextClassifier, absent: str) -> None:
    scores = scores_of(classifier, "kernel_shap", SHORT, label=1, samples=32, absent=absent)[0].tolist()
    expected = shapley(classifier, SHORT, 1, absent)
    assert classifier.encode("1", SHORT).to_words(scores) == pytest.approx(expected, abs=1e-5)


def test_sampled_orders_tend_to_the_exact_values(classifier: TextClassifier) -> None:
    expected = shapley(classifier, SHORT, 1)
    scores = scores_of(classifier, "shapley_sampling", SHORT, label=1, pairs=400)[0].tolist()
    allowed = 0.05 * sum(map(abs, expected))
    assert classifier.encode("1", SHORT).to_words(scores) == pytest.approx(expected, abs=allowed)


def test_sampled_coalitions_tend_to_the_exact_values(classifier: TextClassifier) -> None:
    expected = shapley(classifier, SHORT, 1)
    batch = batch_of(classifier, SHORT)
    value = partial(values_of, classifier, batch, batch.texts[0], 1, "remove")
    scores, total = _sampled(5, value, 20000, generator_for("a", "b", "c"))
    assert total == pytest.approx(sum(expected), abs=1e-5)
    assert scores.tolist() == pytest.approx(expected, abs=0.05 * sum(map(abs, expected)))


@BOTH
@pytest.mark.parametrize("content", [LONG, SHORT, "film"])
def test_the_scores_are_complete(any_classifier: TextClassifier, name: str, content: str) -> None:
    batch = batch_of(any_classifier, content)
    text = batch.texts[0]
    scores = METHODS[name](any_classifier, batch, torch.tensor([1]))
    everything, nothing = any_classifier.logits_of([text.input_ids, text.without(set(text.seen))])[:, 1].tolist()
    assert scores.sum().item() == pytest.approx(everything - nothing, abs=1e-5)
    assert completeness_errors(batch, scores)[0] == pytest.approx(0, abs=1e-4)
    assert (scores[0, text.special] == 0).all()


@BOTH
def test_on_a_linear_model_every_draw_is_exact(name: str) -> None:
    linear = linear_classifier()
    text = linear.encode("1", LONG)
    worth = linear.worth(text, 0)
    expected = [sum(worth[piece] for piece in pieces) for pieces in text.pieces_of.values()]
    scores = scores_of(linear, name, LONG)[0].tolist()
    assert text.to_words(scores) == pytest.approx(expected, abs=1e-4)


def test_fewer_coalitions_than_words_leave_the_smallest_solution(classifier: TextClassifier) -> None:
    scores = scores_of(classifier, "kernel_shap", LONG, samples=4)
    assert torch.isfinite(scores).all()
    text = classifier.encode("1", LONG)
    everything, nothing = classifier.logits_of([text.input_ids, text.without(set(text.seen))])[:, 0].tolist()
    assert scores.sum().item() == pytest.approx(everything - nothing, abs=1e-4)


@BOTH
def test_another_seed_is_another_draw(classifier: TextClassifier, name: str) -> None:
    first, second = (scores_of(classifier, name, LONG, seed=seed) for seed in (0, 1))
    assert not torch.allclose(first, second)
