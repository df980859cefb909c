import numpy as np
import pytest
from scipy.stats import kendalltau

from analysis.correlation import pairwise
from analysis.correlation.pairwise import tau_matrix


def test_it_works() -> None:
    tau = tau_matrix(np.array([[1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]]))
    assert tau == pytest.approx(np.array([[1, 2 / 3, -1], [2 / 3, 1, -2 / 3], [-1, -2 / 3, 1]]))


def test_it_agrees_with_scipy_on_ties_and_gaps() -> None:
    draw = np.random.default_rng(5)
    scores = draw.integers(0, 6, (4, 40)).astype(float)
    scores[draw.random(scores.shape) < 0.2] = np.nan
    tau = tau_matrix(scores)
    for x in range(4):
        for y in range(4):
            both = np.isfinite(scores[x]) & np.isfinite(scores[y])
            assert tau[x, y] == pytest.approx(kendalltau(scores[x, both], scores[y, both]).statistic, abs=1e-6)


def test_the_size_of_a_chunk_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(1).normal(size=(3, 50))
    whole = tau_matrix(scores)
    monkeypatch.setattr(pairwise, "CHUNK", 400)
    assert tau_matrix(scores) == pytest.approx(whole)


def test_constant_scores_correlate_with_nothing() -> None:
    tau = tau_matrix(np.array([[1.0, 2.0, 3.0], [7.0, 7.0, 7.0]]))
    assert tau[0, 0] == 1.0
    assert np.isnan([tau[0, 1], tau[1, 0], tau[1, 1]]).all()


def test_two_things_in_common_are_too_few() -> None:
    assert np.isnan(tau_matrix(np.array([[1.0, 2.0, np.nan], [2.0, 1.0, 3.0]]))[0, 1])


def test_no_rankings_make_an_empty_matrix() -> None:
    assert tau_matrix(np.zeros((0, 5))).shape == (0, 0)
