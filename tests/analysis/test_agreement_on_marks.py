"""Agreement over words that are marked or not, against the same ratings counted one by one."""

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.coefficients import krippendorff_alpha, percent_agreement
from analysis.agreement.counting import Ratings, count_ratings
from analysis.agreement.marking import Marks, count_marks

MARKED: list[Marks] = [(5, [{0, 1}, {1}, {1, 4}]), (5, [{2}, {2, 3}, set()]), (5, [{0}, {0}, {0}])]


def one_by_one(stimuli: list[Marks]) -> Ratings:
    rows = [
        (f"{stimulus} {word}", worker, int(word in marked))
        for stimulus, (words, workers) in enumerate(stimuli)
        for worker, marked in enumerate(workers)
        for word in range(words)
    ]
    frame = pd.DataFrame(rows, columns=["unit", "worker", "label"])
    return count_ratings(frame["unit"], frame["worker"], frame["label"], numeric=False)


def alpha_of(ratings: Ratings) -> float:
    found = krippendorff_alpha(ratings, "nominal", replicates=20).value
    assert found is not None
    return found


def test_it_works() -> None:
    counted, whole = count_marks(MARKED, 3), one_by_one(MARKED)
    assert alpha_of(counted) == pytest.approx(alpha_of(whole), abs=1e-12)
    assert percent_agreement(counted).value == pytest.approx(percent_agreement(whole).value, abs=1e-12)
    assert (counted.n_units, counted.n_ratings, counted.n_pairable) == (whole.n_units, whole.n_ratings, 45)


def test_random_marks_agree_with_counting_one_by_one() -> None:
    rng = np.random.default_rng(3)
    stimuli: list[Marks] = [
        (12, [set(rng.choice(12, size=rng.integers(0, 5), replace=False).tolist()) for _ in range(4)])
        for _ in range(20)
    ]
    alpha = krippendorff_alpha(count_marks(stimuli, 4), "nominal", replicates=50)
    assert alpha.value == pytest.approx(krippendorff_alpha(one_by_one(stimuli), "nominal", replicates=50).value)
    assert alpha.value is not None and alpha.ci and alpha.value == pytest.approx(0, abs=0.1)
    assert alpha.ci[0] < alpha.value < alpha.ci[1]


def test_perfect_agreement_is_one() -> None:
    assert krippendorff_alpha(count_marks([(4, [{1}, {1}]), (4, [{2}, {2}])], 2), "nominal").value == 1


def test_two_workers_by_hand() -> None:
    """Four words, one of them marked by one worker alone: of 8 ratings 3 ones; alpha = 1 - 7 * 1 / (3 * 5)."""
    found = krippendorff_alpha(count_marks([(4, [{0, 1}, {0}])], 2), "nominal", replicates=20)
    assert found.value == pytest.approx(1 - 7 / 15)


@pytest.mark.parametrize(
    ("stimuli", "raters", "status"),
    [
        ([], 0, "no_ratings"),
        ([(3, [{0}])], 1, "one_rater"),
        ([(3, [{0}]), (3, [{1}])], 2, "one_rating_per_unit"),
        ([(3, [set(), set()])], 2, "unanimous"),
        ([(0, [set(), set()]), (2, [{0}])], 2, "one_rating_per_unit"),
    ],
)
def test_where_there_is_nothing_to_agree_about(stimuli: list[Marks], raters: int, status: str) -> None:
    assert krippendorff_alpha(count_marks(stimuli, raters), "nominal").status == status


def test_a_word_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="Word 3 is marked, of 3 words"):
        count_marks([(3, [{3}, {0}])], 2)
