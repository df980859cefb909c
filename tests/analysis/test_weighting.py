import numpy as np
import pytest

from analysis.scoring.weighting import DIFFICULTIES, weighted_accuracy

# Two methods, two ks: the means over methods are .5 and .75.
SHARES = np.array([[[0.6, 0.8], [0.4, 0.7]]])


@pytest.mark.parametrize(
    ("weighting", "hard", "easy"),
    [("uniform", 1 / 2, 1 / 2), ("one_minus_mean", 2 / 3, 1 / 3), ("inverse_mean", 3 / 5, 2 / 5)],
)
def test_it_works(weighting: str, hard: float, easy: float) -> None:
    expected = [0.6 * hard + 0.8 * easy, 0.4 * hard + 0.7 * easy]
    assert weighted_accuracy(SHARES, weighting)[0] == pytest.approx(expected)


def test_replicates_have_weights_of_their_own() -> None:
    both = np.concatenate([SHARES, SHARES**2])
    assert weighted_accuracy(both)[1] == pytest.approx(weighted_accuracy(SHARES**2)[0])


def test_it_is_undefined_when_every_answer_is_right() -> None:
    assert np.isnan(weighted_accuracy(np.ones((1, 2, 3)))).all()


def test_only_the_method_that_lacks_a_k_is_undefined() -> None:
    shares = np.array([[[0.6, 0.8], [0.4, np.nan]]])
    found = weighted_accuracy(shares)[0]
    # The means are .5 and .8, so the weights 5/7 and 2/7.
    assert found[0] == pytest.approx((0.6 * 5 + 0.8 * 2) / 7)
    assert np.isnan(found[1])


def test_it_refuses_an_unknown_weighting() -> None:
    with pytest.raises(KeyError):
        weighted_accuracy(SHARES, "by_mood")


def test_every_weighting_keeps_equal_accuracies_as_they_are() -> None:
    for weighting in DIFFICULTIES:
        assert weighted_accuracy(np.full((1, 3, 4), 0.4), weighting) == pytest.approx(0.4)
