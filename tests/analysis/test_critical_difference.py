import numpy as np
import pytest

from analysis.ranking.critical_difference import critical_value, nemenyi

# Demsar 2006, table 6: AUC of C4.5 and three variants on 14 data sets.
AUC = np.array([
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
])  # fmt: skip


@pytest.mark.parametrize(
    ("k", "at_05", "at_10"),
    [(2, 1.960, 1.645), (3, 2.343, 2.052), (4, 2.569, 2.291), (5, 2.728, 2.459), (6, 2.850, 2.589),
     (7, 2.949, 2.693), (8, 3.031, 2.780), (9, 3.102, 2.855), (10, 3.164, 2.920)],
)  # fmt: skip
def test_critical_values_are_the_published_ones(k: int, at_05: float, at_10: float) -> None:
    """Demsar 2006, table 5a, which cuts or rounds the third decimal."""
    assert critical_value(k) == pytest.approx(at_05, abs=1e-3)
    assert critical_value(k, 0.10) == pytest.approx(at_10, abs=1e-3)


def test_it_works() -> None:
    """Demsar 2006, page 15: mean ranks 3.143, 2.000, 2.893, 1.964; CD 1.25 at .05 and 1.12 at .10."""
    found = nemenyi(AUC)
    assert found is not None
    assert found.mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.difference == pytest.approx(1.25, abs=5e-3) and found.n == 14
    # None is told apart at .05; at .10 the first from the second and the fourth.
    assert found.groups == [[3, 1, 2, 0]]
    weaker = nemenyi(AUC, alpha=0.10)
    assert weaker is not None and weaker.difference == pytest.approx(1.12, abs=5e-3)
    assert weaker.groups == [[3, 1, 2], [2, 0]]


def test_p_falls_below_alpha_where_ranks_are_a_critical_difference_apart() -> None:
    weaker = nemenyi(AUC, alpha=0.10)
    assert weaker is not None
    apart = np.abs(weaker.mean_ranks[:, None] - weaker.mean_ranks) >= weaker.difference
    assert np.array_equal(weaker.p < 0.10, apart)
    assert np.diag(weaker.p) == pytest.approx(np.ones(4))


def test_texts_with_a_missing_score_are_left_out() -> None:
    scores = AUC.copy()
    scores[0, 0] = np.nan
    found = nemenyi(scores)
    assert found is not None and found.n == 13


@pytest.mark.parametrize("scores", [np.ones((1, 3)), np.ones((5, 1)), np.full((4, 3), np.nan)])
def test_of_too_few_there_is_no_critical_difference(scores: np.ndarray) -> None:
    assert nemenyi(scores) is None


def test_methods_far_apart_are_in_no_group() -> None:
    found = nemenyi(np.tile([3.0, 2.0, 1.0], (60, 1)))
    assert found is not None and found.groups == []
