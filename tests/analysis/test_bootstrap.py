import numpy as np
import pytest

from analysis import bootstrap as module
from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, crossed_bootstrap, percentile_interval, point

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


def noise(texts: FloatArray, workers: FloatArray) -> FloatArray:
    """The weighted mean of a crossed table of noise that belongs to neither text nor worker."""
    table = np.random.default_rng(2).normal(size=(20, 30))
    return np.asarray(np.einsum("rt,tw,rw->r", texts, table, workers) / (texts.sum(axis=1) * workers.sum(axis=1)))


def test_texts_and_workers_are_drawn_apart() -> None:
    def drawn(texts: FloatArray, workers: FloatArray) -> FloatArray:
        return np.stack([texts[:, 0], workers[:, 0]], axis=1)

    weights = crossed_bootstrap(drawn, 40, 40, replicates=4000)
    assert weights.mean(axis=0) == pytest.approx([1.0, 1.0], abs=0.05)
    together = np.mean((weights[:, 0] - 1) * (weights[:, 1] - 1))
    assert abs(together) < 0.05


def test_texts_are_drawn_as_without_workers() -> None:
    crossed = crossed_bootstrap(lambda texts, workers: texts, 15, 7, replicates=9, seed=5)
    assert np.array_equal(crossed, bootstrap(lambda texts: texts, 15, replicates=9, seed=5))


def test_the_crossed_bootstrap_counts_noise_three_times() -> None:
    """Owen 2007: of independent noise, the variance of a mean comes out nearly three times too large."""
    rng, found = np.random.default_rng(0), []
    for _ in range(30):
        table = rng.normal(size=(30, 30))

        def mean_of(texts: FloatArray, workers: FloatArray, table: FloatArray = table) -> FloatArray:
            return np.asarray(np.einsum("rt,tw,rw->r", texts, table, workers, optimize=True) / 900)

        found.append(crossed_bootstrap(mean_of, 30, 30, replicates=200).var() * 900)
    assert np.mean(found) == pytest.approx(3.0, rel=0.08)


def test_the_chunk_size_changes_no_crossed_result(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = crossed_bootstrap(noise, 20, 30, size=600, replicates=25, seed=3)
    monkeypatch.setattr(module, "CHUNK_CELLS", 1500)
    assert crossed_bootstrap(noise, 20, 30, size=600, replicates=25, seed=3) == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize(("texts", "workers", "replicates"), [(0, 5, 10), (5, 0, 10), (5, 5, 0)])
def test_it_refuses_to_cross_nothing(texts: int, workers: int, replicates: int) -> None:
    with pytest.raises(ValueError, match="needs texts, workers and replicates"):
        crossed_bootstrap(noise, texts, workers, replicates=replicates)
