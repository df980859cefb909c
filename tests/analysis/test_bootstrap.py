import numpy as np
import pytest

from analysis import bootstrap as module
from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval, point

VALUES = np.random.default_rng(1).normal(3.0, 2.0, size=400)


def mean(weights: FloatArray) -> FloatArray:
    return np.asarray(weights @ VALUES / weights.sum(axis=1))


def test_it_works() -> None:
    low, high = percentile_interval(bootstrap(mean, len(VALUES), replicates=4000, seed=0))
    half = 1.96 * VALUES.std() / np.sqrt(len(VALUES))
    assert low == pytest.approx(VALUES.mean() - half, abs=0.03)
    assert high == pytest.approx(VALUES.mean() + half, abs=0.03)


def test_the_point_is_the_sample_itself() -> None:
    assert point(mean, len(VALUES)) == pytest.approx(VALUES.mean())


def test_one_seed_gives_one_result() -> None:
    assert np.array_equal(bootstrap(mean, 400, replicates=50, seed=7), bootstrap(mean, 400, replicates=50, seed=7))


def test_another_seed_gives_another_result() -> None:
    assert not np.array_equal(bootstrap(mean, 400, replicates=50, seed=7), bootstrap(mean, 400, replicates=50, seed=8))


def test_the_chunk_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bootstrap(mean, 400, replicates=20, seed=3)
    monkeypatch.setattr(module, "CHUNK_CELLS", 1200)
    assert bootstrap(mean, 400, replicates=20, seed=3) == pytest.approx(whole, abs=1e-12)


def test_every_resample_draws_as_many_units_as_there_are() -> None:
    sizes = bootstrap(lambda weights: weights.sum(axis=1), 37, replicates=30)
    assert (sizes == 37).all()


def test_undefined_resamples_are_left_out_of_the_interval() -> None:
    distribution = np.array([1.0, 2.0, 3.0, np.nan])
    low, high = percentile_interval(distribution)
    assert (low, high) == (pytest.approx(1.05), pytest.approx(2.95))


def test_the_interval_is_undefined_when_most_resamples_are() -> None:
    assert np.isnan(percentile_interval(np.array([1.0, np.nan, np.nan]))).all()


@pytest.mark.parametrize(("units", "replicates"), [(0, 10), (10, 0)])
def test_it_refuses_to_resample_nothing(units: int, replicates: int) -> None:
    with pytest.raises(ValueError, match="needs units"):
        bootstrap(mean, units, replicates=replicates)
