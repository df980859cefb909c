import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_effectsize

from analysis.ranking.effects import cohen_dz, cohen_g, cohen_h


def test_h_is_on_the_arcsine_scale() -> None:
    # Cohen 1988, example 6.1: 2 asin sqrt(.75) = 2.094, 2 asin sqrt(.65) = 1.875.
    assert cohen_h(np.array([0.75]), np.array([0.65])) == pytest.approx([0.219], abs=1e-3)
    assert cohen_h(np.array([0.9]), np.array([0.4])) == pytest.approx([proportion_effectsize(0.9, 0.4)])
    assert cohen_h(np.array([1.0]), np.array([0.0])) == pytest.approx([np.pi])


def test_g_is_the_share_of_discordant_pairs_less_one_half() -> None:
    # Of the published verdicts, Integrated_Gradient against Random: 221 and 29.
    assert cohen_g(np.array([200.0, 21]), np.array([9.0, 20])) == pytest.approx([221 / 250 - 0.5])
    assert np.isnan(cohen_g(np.zeros(2), np.zeros(2))).all()


def test_dz_is_in_units_of_the_standard_deviation() -> None:
    differences = np.array([1.0, 2.0, np.nan, 4.0])
    assert cohen_dz(differences) == pytest.approx([7 / 3 / np.std([1, 2, 4], ddof=1)])


@pytest.mark.parametrize("differences", [np.array([3.0]), np.full(4, 0.1), np.array([np.nan])])
def test_without_spread_there_is_no_dz(differences: np.ndarray) -> None:
    assert np.isnan(cohen_dz(differences)).all()


def test_drawn_texts_count_as_copies() -> None:
    rng = np.random.default_rng(0)
    differences, other = rng.normal(size=8), rng.integers(0, 4, size=8).astype(float)
    drawn = rng.integers(0, 3, size=(5, 8)).astype(float)
    copies = [np.repeat(np.arange(8), row.astype(int)) for row in drawn]
    assert cohen_dz(differences, drawn) == pytest.approx([cohen_dz(differences[own])[0] for own in copies])
    expected = [cohen_g(other[own], np.ones(len(own)))[0] for own in copies]
    assert cohen_g(other, np.ones(8), drawn) == pytest.approx(expected)
