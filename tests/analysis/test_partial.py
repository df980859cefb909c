import numpy as np
import pytest
from scipy.stats import pearsonr, rankdata

from analysis.correlation.partial import _partial, partial_correlation

TEXTS = np.repeat(np.arange(50), 4)


def series(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=200)


def residuals(values: np.ndarray, *given: np.ndarray) -> np.ndarray:
    design = np.column_stack([np.ones(len(values)), *given])
    return np.asarray(values - design @ np.linalg.lstsq(design, values, rcond=None)[0])


def test_it_is_the_correlation_of_what_the_covariates_leave() -> None:
    length, k = series(1), series(2)
    human, metric = series(3) + length - k, series(4) + 2 * length + k
    found = partial_correlation(human, metric, {"length": length, "k": k}, TEXTS, ranked=False, replicates=50)
    assert found.value == pytest.approx(pearsonr(residuals(human, length, k), residuals(metric, length, k)).statistic)
    assert found.given == ("length", "k") and (found.n, found.status) == (200, "ok")
    ranked = partial_correlation(human, metric, {"length": length}, TEXTS, ranked=True, replicates=50)
    x, y, z = (rankdata(values) for values in (human, metric, length))
    assert ranked.value == pytest.approx(pearsonr(residuals(x, z), residuals(y, z)).statistic)


def test_what_only_the_length_of_texts_relates_is_no_longer_related() -> None:
    length = np.repeat(series(1)[:50], 4)
    human, metric = length + 0.5 * series(3), length + 0.5 * series(4)
    assert pearsonr(human, metric).statistic > 0.6
    found = partial_correlation(human, metric, {"length": length}, TEXTS, ranked=False, replicates=200)
    assert found.ci is not None and found.ci[0] < 0 < found.ci[1]


def test_the_interval_resamples_texts() -> None:
    """Four equal rows a text tell no more than one does."""
    human, metric, length = (np.repeat(series(seed)[:50], 4) for seed in (1, 2, 3))
    four = partial_correlation(human, metric, {"length": length}, TEXTS, ranked=False, replicates=100)
    one = partial_correlation(
        human[::4], metric[::4], {"length": length[::4]}, TEXTS[::4], ranked=False, replicates=100
    )
    assert four.ci == pytest.approx(one.ci) and four.value == pytest.approx(one.value)


def test_rows_that_lack_anything_are_left_out() -> None:
    human, metric, length = series(1), series(2), series(3)
    human[:3], metric[5], length[7:9] = np.nan, np.nan, np.nan
    found = partial_correlation(human, metric, {"length": length}, TEXTS, ranked=True, replicates=20)
    assert (found.n, found.status) == (194, "ok")


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"length": np.ones(200)}, "no_covariate_varies"),
        ({"human": np.ones(200)}, "constant_human_score"),
        ({"metric": np.ones(200)}, "constant_metric"),
        ({"metric": np.r_[series(2)[:3], [np.nan] * 197]}, "too_few"),
        ({"metric": np.full(200, np.nan)}, "no_covariate_varies"),
        ({"metric": 3 * series(3) + 1}, "follows_from_covariates"),
    ],
)
def test_it_says_why_it_is_undefined(change: dict[str, np.ndarray], status: str) -> None:
    given = {"human": series(1), "metric": series(2), "length": series(3)} | change
    found = partial_correlation(
        given["human"], given["metric"], {"length": given["length"]}, TEXTS, ranked=False, replicates=20
    )
    assert (found.value, found.ci, found.status) == (None, None, status)


def test_what_rounding_leaves_without_a_variance_has_no_value_and_no_warning() -> None:
    sums = np.array([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]])
    with np.errstate(all="raise"):
        assert np.isnan(_partial(sums)).all()
