"""Matrices of ratings, published ones among them, and ratings of a matrix."""

import numpy as np
import pandas as pd

from analysis.agreement.counting import Ratings, count_ratings
from analysis.arrays import FloatArray

_ = np.nan
# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C: 4 observers, 12 units, 41 values. Gwet 2014,
# Handbook of Inter-Rater Reliability (irrCAC's cac.raw4raters) has the same.
CANONICAL = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
)
# Shrout and Fleiss 1979, table 2: 4 judges, 6 targets.
SHROUT_FLEISS = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]], dtype=float)
# Fleiss 1971, table 1: 30 patients, 6 psychiatrists each, 5 diagnoses; as listed in R's irr and in statsmodels' tests.
FLEISS = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445
333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555
"""


def ratings(matrix: FloatArray, *, numeric: bool = True) -> Ratings:
    """One rating per known cell of a matrix (raters, units)."""
    rows = [(unit, rater, matrix[rater, unit]) for rater, unit in np.ndindex(matrix.shape)]
    frame = pd.DataFrame(rows, columns=["unit", "rater", "label"])
    return count_ratings(frame["unit"], frame["rater"], frame["label"], numeric=numeric)


def two_raters(table: list[list[int]]) -> FloatArray:
    """The matrix (2, units) of a contingency table: its rows are the first rater's values, 1, 2 and so on."""
    pairs = [(first + 1, second + 1) for (first, second), n in np.ndenumerate(np.array(table)) for _n in range(n)]
    return np.array(pairs, dtype=float).T


def fleiss_1971() -> FloatArray:
    return np.array([[int(diagnosis) for diagnosis in patient] for patient in FLEISS.split()], dtype=float).T


def random_matrix(raters: int, units: int, *, values: int = 5, missing: float = 0.0, seed: int = 0) -> FloatArray:
    """Ratings of raters who agree somewhat."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, values + 1, size=units)
    guess = rng.integers(1, values + 1, size=(raters, units))
    matrix = np.where(rng.random((raters, units)) < 0.5, truth, guess).astype(float)
    matrix[rng.random(matrix.shape) < missing] = np.nan
    return matrix
