"""Every coefficient against an example that was published, source named."""

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.coefficients import fleiss_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha, percent_agreement
from analysis.agreement.cohen import cohen_kappa
from analysis.agreement.counting import count_ratings
from analysis.agreement.intraclass import intraclass_correlation
from tests.analysis.rated import CANONICAL, SHROUT_FLEISS, fleiss_1971, ratings, two_raters

FEW = 20


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_krippendorff_2011_section_c_and_d(level: str, value: float) -> None:
    assert krippendorff_alpha(ratings(CANONICAL), level, replicates=FEW).value == pytest.approx(value, abs=0.0005)


def test_alpha_of_krippendorff_2011_section_a() -> None:
    """Two observers, ten units, two values."""
    matrix = np.array([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], dtype=float)
    assert krippendorff_alpha(ratings(matrix), "nominal", replicates=FEW).value == pytest.approx(0.095, abs=0.0005)


def test_alpha_of_krippendorff_2011_section_b() -> None:
    """Two observers, twelve units, five names."""
    ben, gerry = "aabbdcccedda", "babbbccceddd"
    frame = pd.DataFrame({"unit": [*range(12)] * 2, "rater": ["Ben"] * 12 + ["Gerry"] * 12, "label": [*ben, *gerry]})
    found = count_ratings(frame["unit"], frame["rater"], frame["label"], numeric=False)
    assert krippendorff_alpha(found, "nominal", replicates=FEW).value == pytest.approx(0.692, abs=0.0005)


def test_fleiss_kappa_of_fleiss_1971() -> None:
    """Published as .430, with a mean agreement of .5556."""
    counted = ratings(fleiss_1971())
    assert fleiss_kappa(counted, replicates=FEW).value == pytest.approx(0.430, abs=0.0005)
    assert percent_agreement(counted, replicates=FEW).value == pytest.approx(0.5556, abs=0.00005)


# Cohen 1968, table 1: 200 patients: personality disorder, neurosis, psychosis; disagreement weights 0 1 3, 1 0 6,
# 3 6 0.
COHEN = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]


def test_cohen_kappa_of_cohen_1968() -> None:
    assert cohen_kappa(ratings(two_raters(COHEN)), replicates=FEW).value == pytest.approx(0.492, abs=0.0005)


def test_weighted_kappa_of_cohen_1968() -> None:
    weights = np.array([[0.0, 1, 3], [1, 0, 6], [3, 6, 0]])

    def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray(weights[a.astype(int) - 1, b.astype(int) - 1])

    found = cohen_kappa(ratings(two_raters(COHEN)), apart, replicates=FEW)
    assert found.value == pytest.approx(0.348, abs=0.0005) and found.level == "custom"


# Gwet 2014, Handbook of Inter-Rater Reliability (irrCAC's cont3x3abstractors): ectopic, abnormal, normal pregnancies.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


def test_ac1_kappa_and_alpha_of_gwet_2014_for_two_raters() -> None:
    counted = ratings(two_raters(ABSTRACTORS))
    assert percent_agreement(counted, replicates=FEW).value == pytest.approx(0.89)
    assert gwet_ac1(counted, replicates=FEW).value == pytest.approx(0.84933, abs=0.000005)
    assert cohen_kappa(counted, replicates=FEW).value == pytest.approx(0.796, abs=0.0005)


def test_ac1_of_gwet_2014_with_missing_ratings() -> None:
    """irrCAC's gwet.ac1.raw(cac.raw4raters): 0.77544; the unit with one rating counts for chance agreement alone."""
    assert gwet_ac1(ratings(CANONICAL), replicates=FEW).value == pytest.approx(0.77544, abs=0.000005)


def test_ac2_of_gwet_2014_with_missing_ratings() -> None:
    """irrCAC's gwet.ac1.raw(cac.raw4raters, weights = "quadratic"): p_a 0.97538, p_e 0.7137, AC2 0.914."""
    found = gwet_ac2(ratings(CANONICAL), "quadratic", replicates=FEW)
    assert found.value == pytest.approx((0.97538 - 0.7137) / (1 - 0.7137), abs=0.0001)
    assert (found.level, found.status) == ("quadratic", "ok")


def test_ordinal_weights_of_gwet_2014() -> None:
    """irrCAC's ordinal.weights(1:3) are 1, 0.6667, 0: by hand, p_a and p_e of four ratings of two units."""
    found = gwet_ac2(ratings(np.array([[1.0, 3], [2, 3]])), "ordinal", replicates=FEW)
    shares = np.array([0.25, 0.25, 0.5])
    by_chance = (3 + 2 * (2 / 3 + 2 / 3 + 0)) / (3 * 2) * (shares * (1 - shares)).sum()
    assert found.value == pytest.approx(((2 / 3 + 1) / 2 - by_chance) / (1 - by_chance))


@pytest.mark.parametrize(
    ("form", "value"),
    [("icc_1_1", 0.17), ("icc_2_1", 0.29), ("icc_3_1", 0.71), ("icc_1_k", 0.44), ("icc_2_k", 0.62), ("icc_3_k", 0.91)],
)
def test_the_six_forms_of_shrout_and_fleiss_1979(form: str, value: float) -> None:
    found = intraclass_correlation(ratings(SHROUT_FLEISS), form, replicates=FEW)
    assert found.value == pytest.approx(value, abs=0.005)
    assert (found.n_units, found.n_raters, found.n_pairable, found.status) == (6, 4, 24, "ok")
