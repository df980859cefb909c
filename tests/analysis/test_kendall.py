import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from analysis.correlation import kendall as module
from analysis.correlation.kendall import correlate_explanations, correlate_methods


def scores(seed: int, shape: tuple[int, int] = (12, 4), values: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, values, size=shape).astype(float)


@given(st.integers(0, 10_000))
def test_it_works(seed: int) -> None:
    human, metric = scores(seed), scores(seed + 1, values=50)
    found = correlate_explanations(human, metric, replicates=20)
    expected = kendalltau(human.ravel(), metric.ravel())
    assert found.value == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.n, found.status) == (48, "ok")


def test_the_bootstrap_resamples_texts_with_all_their_explanations() -> None:
    human, metric = scores(1), scores(2)
    drawn = np.random.default_rng(0).integers(0, 12, size=(300, 12))
    values = [kendalltau(human[rows].ravel(), metric[rows].ravel()).statistic for rows in drawn]
    found = correlate_explanations(human, metric, replicates=300, seed=0)
    assert found.ci == pytest.approx(np.quantile(values, [0.025, 0.975]))


def test_explanations_known_to_one_side_only_are_left_out() -> None:
    human, metric = scores(1), scores(2)
    human[0, 0] = np.nan
    metric[3] = np.nan
    known = np.isfinite(human) & np.isfinite(metric)
    found = correlate_explanations(human, metric, replicates=20)
    assert found.n == 48 - 5
    assert found.value == pytest.approx(kendalltau(human[known], metric[known]).statistic)


def test_the_chunk_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = correlate_explanations(scores(1), scores(2), replicates=20)
    monkeypatch.setattr(module, "CHUNK_PAIRS", 100)
    assert correlate_explanations(scores(1), scores(2), replicates=20) == whole


@pytest.mark.parametrize(
    ("human", "metric", "status"),
    [
        (np.full((4, 2), 1.0), scores(1, (4, 2)), "constant_human_score"),
        (scores(1, (4, 2)), np.full((4, 2), 0.3), "constant_metric"),
        (np.array([[1.0, 2.0]]), np.array([[2.0, 1.0]]), "too_few"),
        (np.full((4, 2), np.nan), scores(1, (4, 2)), "too_few"),
        (scores(1, (4, 2)), np.full((4, 2), np.nan), "metric_without_values"),
    ],
)
def test_it_says_why_it_is_undefined(human: np.ndarray, metric: np.ndarray, status: str) -> None:
    found = correlate_explanations(human, metric, replicates=20)
    assert (found.value, found.ci, found.p, found.status) == (None, None, None, status)


def test_one_text_has_a_value_but_no_interval() -> None:
    found = correlate_explanations(np.array([[1.0, 2, 3]]), np.array([[1.0, 3, 2]]), replicates=20)
    assert found.value == pytest.approx(1 / 3)
    assert found.ci is None


def test_methods_are_correlated_by_their_scores() -> None:
    human, metric = np.array([0.8, 0.7, 0.5, 0.4]), np.array([0.3, 0.4, 0.2, 0.1])
    resampled = np.tile(human, (10, 1)), np.tile(metric, (10, 1))
    found = correlate_methods(human, metric, resampled)
    assert found.value == pytest.approx(2 / 3)
    assert found.p == pytest.approx(kendalltau(human, metric).pvalue)
    assert found.ci == pytest.approx((2 / 3, 2 / 3))
    assert found.n == 4


def test_two_methods_are_too_few() -> None:
    pair = np.array([1.0, 2.0])
    assert correlate_methods(pair, pair, (pair[None], pair[None])).status == "too_few"


def test_resamples_where_all_methods_tie_are_left_out_of_the_interval() -> None:
    human, metric = np.array([3.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0])
    tied = np.vstack([np.tile(human, (9, 1)), np.ones((1, 3))])
    found = correlate_methods(human, metric, (tied, np.tile(metric, (10, 1))))
    assert found.ci == pytest.approx((1 / 3, 1 / 3))
