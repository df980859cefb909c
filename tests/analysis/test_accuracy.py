import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from analysis.scoring.accuracy import accuracy, mean_accuracy, wilson
from analysis.scoring.grid import verdict_grid


@pytest.mark.parametrize(("successes", "n"), [(74, 100), (0, 5), (5, 5), (1, 2), (4999, 10000)])
def test_wilson_equals_statsmodels(successes: int, n: int) -> None:
    expected = proportion_confint(successes, n, method="wilson")
    share = wilson(successes, n)
    assert [share.low, share.high] == pytest.approx(expected, abs=1e-12)
    assert share.value == successes / n


def test_the_interval_holds_the_share() -> None:
    for n in range(1, 400):
        for share in (wilson(0, n), wilson(n, n), wilson(n // 2, n)):
            assert share.low <= share.value <= share.high


def test_wilson_is_undefined_without_trials() -> None:
    assert np.isnan(wilson(0, 0).value)


def test_wilson_refuses_the_impossible() -> None:
    with pytest.raises(ValueError, match="impossible"):
        wilson(3, 2)


def test_it_works() -> None:
    verdicts = np.array([[[1, 1]], [[0, 1]], [[0, np.nan]]], dtype=float)
    assert accuracy(verdicts)[0, 0].tolist() == [pytest.approx(1 / 3), 1.0]


def test_weights_say_how_often_a_text_was_drawn() -> None:
    verdicts = np.array([[[1.0]], [[0.0]]])
    shares = accuracy(verdicts, np.array([[2.0, 0.0], [1.0, 3.0]]))
    assert shares[:, 0, 0].tolist() == [1.0, 0.25]


def test_a_cell_nobody_judged_is_undefined() -> None:
    assert np.isnan(accuracy(np.full((2, 1, 1), np.nan))).all()


def test_the_mean_is_undefined_when_a_k_is_missing() -> None:
    assert np.isnan(mean_accuracy(np.array([[0.5, np.nan]])))[0]


def test_the_grid_is_sorted_and_leaves_unjudged_cells_empty() -> None:
    cells = pd.DataFrame({"text": ["b", "a"], "method": ["m", "m"], "k": [10, 5], "recognised": [1, 0]})
    grid = verdict_grid(cells)
    assert (grid.texts, grid.methods, grid.ks) == (["a", "b"], ["m"], [5, 10])
    assert np.array_equal(grid.verdicts, [[[0, np.nan]], [[np.nan, 1]]], equal_nan=True)


def test_the_grid_refuses_a_second_verdict() -> None:
    cells = pd.DataFrame({"text": ["a", "a"], "method": ["m", "m"], "k": [5, 5], "recognised": [1, 0]})
    with pytest.raises(ValueError, match="Two verdicts for text a, method m, k 5"):
        verdict_grid(cells)
