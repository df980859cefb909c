"""Simulated alpha over marked words: by the coefficient itself, and near what was assumed."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.agreement.coefficients import krippendorff_alpha
from analysis.agreement.marking import Marks, count_marks
from analysis.planning.assumptions import DEFAULTS
from analysis.planning.designing import Design
from analysis.planning.marking import _alphas, simulate_alpha
from analysis.study import MARKING


def test_it_works() -> None:
    """The mean over 200 studies of many texts is the expected alpha, to four standard errors."""
    found = simulate_alpha(DEFAULTS[MARKING], Design(80, 4, methods=1), 200, np.random.default_rng(1))
    assert found.mean() == pytest.approx(0.4, abs=4 * found.std() / np.sqrt(200) + 0.01)


def test_alpha_is_the_coefficient_of_the_report() -> None:
    rng = np.random.default_rng(2)
    marks = rng.random((6, 10, 3)) < rng.random((6, 10, 1))  # texts, words, workers
    stimuli: list[Marks] = []
    for text in marks:
        stimuli.append((10, [[int(word) for word in np.flatnonzero(text[:, worker])] for worker in range(3)]))
    known = krippendorff_alpha(count_marks(stimuli, 3), "nominal", replicates=10).value
    assert known is not None
    assert _alphas(marks.sum(axis=-1, dtype=float)[None], 3)[0] == pytest.approx(known)


def test_more_agreement_is_found_where_more_is_expected() -> None:
    low, high = (
        simulate_alpha(replace(DEFAULTS[MARKING], base=base), Design(40, 3, methods=1), 60, np.random.default_rng(3))
        for base in (0.2, 0.7)
    )
    assert low.mean() == pytest.approx(0.2, abs=0.03) and high.mean() == pytest.approx(0.7, abs=0.03)
