import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from analysis.correlation import pooled as module
from analysis.correlation import within as within_module
from analysis.correlation.coefficients import correlate_rows
from analysis.correlation.pooled import pooled, resample_pooled
from analysis.correlation.within import resample_within, within_texts
from tests.analysis.test_coefficients import scores


def weights_of(n_texts: int, replicates: int, seed: int = 0) -> np.ndarray:
    drawn = np.random.default_rng(seed).integers(0, n_texts, (replicates, n_texts))
    return np.stack([np.bincount(row, minlength=n_texts) for row in drawn]).astype(float)


def by_scipy(x: np.ndarray, y: np.ndarray) -> list[float]:
    known = np.isfinite(x) & np.isfinite(y)
    return [float(of(x[known], y[known]).statistic) for of in (kendalltau, spearmanr, pearsonr)]


def test_pooled_works() -> None:
    human, metric = scores(1, (15, 4), missing=0.1), scores(2, (15, 4), missing=0.1, values=200)
    assert pooled(human, metric) == pytest.approx(by_scipy(human, metric))


@pytest.mark.parametrize("changing", [False, True])
def test_a_resample_is_the_sample_with_its_texts_repeated(changing: bool) -> None:
    human, metrics = scores(1, (8 if changing else 1, 12, 4), missing=0.1), scores(2, (12, 4, 3), values=50)
    weights = weights_of(12, 8)
    for row, found in enumerate(resample_pooled(human, metrics, weights)):
        texts = np.repeat(np.arange(12), weights[row].astype(int))
        own = human[row if changing else 0][texts]
        expected = [by_scipy(own.ravel(), metrics[texts, :, at].ravel()) for at in range(3)]
        assert found == pytest.approx(np.array(expected))


def test_classes_come_close_where_values_are_many() -> None:
    draw = np.random.default_rng(5)
    human = draw.normal(size=(400, 5))
    metric = human + draw.normal(size=(400, 5))
    found = resample_pooled(human[None], metric[..., None], np.ones((1, 400)))[0, 0]
    assert found == pytest.approx(pooled(human, metric), abs=0.01)
    assert human.size > module.CLASSES**1.5


def test_a_constant_side_has_no_pooled_correlation() -> None:
    human, metrics = np.full((1, 6, 3), 2.0), scores(2, (6, 3, 2))
    assert np.isnan(pooled(human[0], metrics[..., 0])).all()
    assert np.isnan(resample_pooled(human, metrics, weights_of(6, 4))).all()
    assert np.isnan(pooled(np.array([[1.0, 2]]), np.array([[1.0, 2]]))).all()


def test_within_texts_averages_what_is_defined() -> None:
    # One text agrees, one is the other way round in one of three pairs, one has people who say the same of all.
    human = np.array([[1.0, 2, 3], [1, 2, 3], [2, 2, 2]])
    metrics = np.array([[1.0, 2, 3], [2, 1, 3], [1, 2, 3]])[..., None]
    means, counts = within_texts(human, metrics)
    assert means[0] == pytest.approx([(1 + 1 / 3) / 2, 0.75, 0.75])
    assert counts.tolist() == [[2, 2, 2]]


def test_what_makes_a_text_easy_does_not_enter_within_texts() -> None:
    human, metrics = scores(3, (20, 5)), scores(4, (20, 5, 2), values=90)
    shift = 50 * np.arange(20.0)
    assert within_texts(human + shift[:, None], metrics - shift[:, None, None])[0] == pytest.approx(
        within_texts(human, metrics)[0]
    )
    order = np.random.default_rng(1).permutation(20)
    assert within_texts(human[order], metrics[order])[0] == pytest.approx(within_texts(human, metrics)[0])


@pytest.mark.parametrize("changing", [False, True])
def test_resampled_texts_weigh_as_often_as_they_were_drawn(changing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(within_module, "CHUNK_CELLS", 100)
    human, metrics = scores(6, (7 if changing else 1, 15, 5), missing=0.1), scores(7, (15, 5, 2), missing=0.1)
    weights = weights_of(15, 7)
    found = resample_within(human, metrics, weights)
    for row in range(7):
        own = correlate_rows(human[row if changing else 0][:, None, :], metrics.transpose(0, 2, 1))
        drawn = np.repeat(own, weights[row].astype(int), axis=0)
        assert found[row] == pytest.approx(np.nanmean(drawn, axis=0), abs=1e-5)
