"""LIME on words: a weighted ridge regression over texts with words left out."""

import pytest
import torch
from sklearn.linear_model import Ridge

from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency.coalitions import values_of
from workers.saliency.lime import _draw
from workers.saliency.seeding import generator_for

TEXT = "an awful , boring , unwatchable film that does not end ."


@pytest.mark.parametrize("absent", ["remove", "zero"])
def test_it_finds_what_the_words_of_a_linear_model_add(absent: str) -> None:
    linear = linear_classifier()
    text = linear.encode("1", "a great film really")
    worth = linear.worth(text, 0)
    expected = [sum(worth[piece] for piece in pieces) for pieces in text.pieces_of.values()]
    scores = scores_of(linear, "lime", "a great film really", samples=400, ridge=1e-6, absent=absent)
    assert text.to_words(scores[0].tolist()) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("absent", ["remove", "mask", "pad", "zero"])
@pytest.mark.parametrize("samples", [50, 600])
def test_it_is_a_weighted_ridge_regression(classifier: TextClassifier, absent: str, samples: int) -> None:
    batch = batch_of(classifier, TEXT)
    text = batch.texts[0]
    generator = generator_for(TEXT, "lime", classifier.weights_hash)
    kept = torch.cat(list(_draw(len(text.seen), samples, generator)))
    values = values_of(classifier, batch, text, 1, absent, kept)
    weights = torch.exp(-((1 - kept.mean(1).sqrt()) ** 2) / (2 * 0.25**2))
    expected = Ridge(alpha=1.0).fit(kept.numpy(), values.numpy(), weights.numpy()).coef_.tolist()
    scores = scores_of(classifier, "lime", TEXT, label=1, samples=samples, absent=absent)[0].tolist()
    assert text.to_words(scores) == pytest.approx(expected, abs=1e-5)


def test_samples_leave_out_one_word_to_all_of_them() -> None:
    kept = torch.cat(list(_draw(6, 2000, generator_for("a", "lime", "b"))))
    assert kept.shape == (2000, 6) and (kept[0] == 1).all() and (kept[1:].sum(1) < 6).all()
    for size in range(6):
        assert (kept.sum(1) == size).float().mean().item() == pytest.approx(1 / 6, abs=0.03)
    assert kept[1:].mean(0).tolist() == pytest.approx([2.5 / 6] * 6, abs=0.03)


def test_few_samples_and_no_penalty_still_have_a_solution(classifier: TextClassifier) -> None:
    scores = scores_of(classifier, "lime", TEXT, samples=2, ridge=0.0)
    assert torch.isfinite(scores).all()


def test_one_word_gets_the_whole_difference() -> None:
    linear = linear_classifier()
    batch = batch_of(linear, "film")
    (worth,) = linear.worth(batch.texts[0], 0)[1:-1]
    assert scores_of(linear, "lime", "film", ridge=1e-9)[0, 1].item() == pytest.approx(worth, abs=1e-5)
