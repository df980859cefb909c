import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from analysis.correlation import coefficients as module
from analysis.correlation.coefficients import correlate_rows, correlate_texts


def by_scipy(x: np.ndarray, y: np.ndarray) -> list[float]:
    known = np.isfinite(x) & np.isfinite(y)
    return [float(of(x[known], y[known]).statistic) for of in (kendalltau, spearmanr, pearsonr)]


def scores(seed: int, shape: tuple[int, ...], *, missing: float = 0.0, values: int = 5) -> np.ndarray:
    draw = np.random.default_rng(seed)
    found = draw.integers(0, values, shape).astype(float)
    found[draw.random(shape) < missing] = np.nan
    return found


def test_it_works() -> None:
    # 1 2 3 4 against 1 3 2 4: five of six pairs agree; ranks differ by one twice.
    found = correlate_rows(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4]))
    assert found == pytest.approx([4 / 6, 0.8, 0.8])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_it_agrees_with_scipy_on_ties_and_gaps(seed: int) -> None:
    x, y = scores(seed, (6, 9), missing=0.1), scores(seed + 1, (6, 9), missing=0.1, values=30)
    for row, found in enumerate(correlate_rows(x, y)):
        if np.isfinite(found).all():
            assert found == pytest.approx(by_scipy(x[row], y[row]))


def test_what_cannot_be_correlated_is_undefined() -> None:
    constant, two, none = [1.0, 1, 1, 1], [1.0, 2, np.nan, np.nan], [np.nan] * 4
    assert np.isnan(correlate_rows(np.array([constant, two, none]), np.array([1.0, 2, 3, 4]))).all()
    assert np.isnan(correlate_rows(np.array([1.0, 2, 3, 4]), np.array(constant))).all()


def test_the_size_of_a_chunk_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = scores(1, (40, 6)), scores(2, (40, 6))
    whole = correlate_rows(x, y)
    monkeypatch.setattr(module, "CHUNK_CELLS", 100)
    assert correlate_rows(x, y) == pytest.approx(whole, nan_ok=True)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_no_monotone_transform_moves_rank_correlation_and_no_linear_one_pearsons(seed: int) -> None:
    x, y = scores(seed, (3, 8)), scores(seed + 1, (3, 8))
    before = correlate_rows(x, y)
    assert correlate_rows(np.exp(x), y**3)[:, :2] == pytest.approx(before[:, :2], nan_ok=True)
    assert correlate_rows(2 * x + 7, -y) == pytest.approx(-before, nan_ok=True)


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_products_by_text_give_what_rows_give(missing: float) -> None:
    human = scores(3, (5, 12, 6), missing=missing)
    metrics = scores(4, (12, 6, 3), missing=missing, values=40)
    metrics[0, :, 1] = 2.0
    found = np.stack([one.transpose(1, 0, 2) for one in correlate_texts(human, metrics)], axis=-1)
    expected = correlate_rows(human[:, :, None, :], metrics.transpose(0, 2, 1)[None])
    assert found == pytest.approx(expected, abs=1e-5, nan_ok=True)
    assert np.isnan(found[:, 0, 1]).all()
