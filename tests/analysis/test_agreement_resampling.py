"""Intervals over units, clusters of units, raters, and both: each resamples what it names."""

import numpy as np
import pandas as pd
import pytest

from analysis.agreement import drawing
from analysis.agreement.coefficients import fleiss_kappa, gwet_ac1, krippendorff_alpha, percent_agreement
from analysis.agreement.counting import Ratings, count_ratings
from analysis.agreement.drawing import Over
from tests.analysis.rated import random_matrix, ratings

CROWD = random_matrix(12, 80, missing=0.5, seed=2)
OVERS: list[Over] = ["units", "raters", "both"]


def width(counted: Ratings, over: Over, level: str = "ordinal") -> float:
    found = krippendorff_alpha(counted, level, over=over, replicates=400)
    assert found.ci is not None and found.over == over
    return found.ci[1] - found.ci[0]


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("coefficient", [percent_agreement, gwet_ac1])
def test_it_works(coefficient: object, over: Over) -> None:
    found = coefficient(ratings(CROWD), over=over, replicates=400)  # type: ignore[operator]
    assert found.ci[0] < found.value < found.ci[1] and found.over == over


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_the_interval_of_alpha_holds_it(level: str, over: Over) -> None:
    found = krippendorff_alpha(ratings(CROWD), level, over=over, replicates=400)
    assert found.value is not None and found.ci is not None
    assert found.ci[0] < found.value < found.ci[1]


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("values", [200, 10**6])
def test_the_interval_of_answers_that_hardly_agree_holds_alpha(values: int, over: Over) -> None:
    """The copies of a unit that is drawn twice agree, and hardly any other ratings: nearly all resamples lie below."""
    noise = np.random.default_rng(1).integers(0, values, size=(4, 30)).astype(float)
    found = krippendorff_alpha(ratings(noise), "nominal", over=over, replicates=200)
    assert found.value is not None and found.ci is not None
    assert found.ci[0] <= found.value <= found.ci[1]


@pytest.mark.parametrize("coefficient", [gwet_ac1, fleiss_kappa])
def test_the_interval_of_answers_that_never_agree_holds_other_coefficients(coefficient: object) -> None:
    found = coefficient(ratings(np.arange(40.0).reshape(4, 10)), replicates=200)  # type: ignore[operator]
    assert found.ci[0] <= found.value <= found.ci[1]


def test_resampling_both_is_wider_than_either() -> None:
    counted = ratings(CROWD)
    assert width(counted, "both") > max(width(counted, "units"), width(counted, "raters"))


def test_drawing_a_rater_twice_does_not_raise_agreement() -> None:
    """Copies of a rater agree perfectly; paired with each other they would lift what random ratings give."""
    noise = np.random.default_rng(5).integers(1, 4, size=(4, 400)).astype(float)
    found = krippendorff_alpha(ratings(noise), "nominal", over="raters", replicates=300)
    assert found.value == pytest.approx(0, abs=0.03)
    assert found.ci is not None and found.ci[0] > -0.06 and found.ci[1] < 0.06


def test_raters_who_differ_widen_the_interval_over_raters() -> None:
    """Half of them guess: which raters one has matters, which units hardly."""
    matrix = np.tile(np.arange(400) % 4, (8, 1)).astype(float)
    matrix[4:] = np.random.default_rng(0).integers(0, 4, size=(4, 400))
    assert width(ratings(matrix), "raters") > 3 * width(ratings(matrix), "units")


def test_units_of_a_cluster_are_drawn_together() -> None:
    """Ten copies of each text's judgments tell no more than one: the interval over texts stays as wide."""
    few = random_matrix(4, 30)
    rows = [(text, copy, rater, few[rater, text]) for text in range(30) for copy in range(10) for rater in range(4)]
    frame = pd.DataFrame(rows, columns=["text", "copy", "rater", "label"])
    units = frame["text"].astype(str) + " " + frame["copy"].astype(str)
    alone = count_ratings(units, frame["rater"], frame["label"], numeric=True)
    clustered = count_ratings(units, frame["rater"], frame["label"], numeric=True, clusters=frame["text"])
    assert width(clustered, "units") == pytest.approx(width(ratings(few), "units"), rel=0.2)
    assert width(alone, "units") < width(clustered, "units") / 2
    assert width(clustered, "both") > width(alone, "both")


@pytest.mark.parametrize("over", OVERS)
def test_how_many_are_computed_at_a_time_changes_nothing(over: Over, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = krippendorff_alpha(ratings(CROWD), "ordinal", over=over, replicates=60)
    monkeypatch.setattr(drawing, "BLOCK", 7)
    monkeypatch.setattr(drawing, "HELD", 100)
    parts = krippendorff_alpha(ratings(CROWD), "ordinal", over=over, replicates=60)
    assert parts.ci == pytest.approx(whole.ci, abs=1e-12)


@pytest.mark.parametrize("over", OVERS)
def test_one_seed_gives_one_interval_and_another_another(over: Over) -> None:
    counted = ratings(CROWD)
    first, again, other = (
        krippendorff_alpha(counted, "nominal", over=over, replicates=50, seed=seed).ci for seed in (1, 1, 2)
    )
    assert first == again != other


def test_two_raters_are_no_distribution_of_raters() -> None:
    counted = ratings(random_matrix(2, 30))
    assert krippendorff_alpha(counted, "nominal", over="raters", replicates=50).ci is None
    assert krippendorff_alpha(counted, "nominal", over="both", replicates=50).ci is None
    assert krippendorff_alpha(counted, "nominal", over="units", replicates=50).ci is not None


def test_the_interval_over_units_covers_the_truth_as_often_as_it_says() -> None:
    """60 samples of 60 units from 6,000: 95 % are 57, and fewer than 51 come by chance in one of 500 runs."""
    rng = np.random.default_rng(3)
    population = random_matrix(3, 6000, seed=8)
    truth = krippendorff_alpha(ratings(population), "interval", replicates=1).value
    held = 0
    for _ in range(60):
        sample = ratings(population[:, rng.choice(6000, size=60, replace=False)])
        ci = krippendorff_alpha(sample, "interval", replicates=300).ci
        assert truth is not None and ci is not None
        held += ci[0] <= truth <= ci[1]
    assert held >= 51
