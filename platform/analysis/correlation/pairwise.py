"""Kendall's tau-b of every pair of several rankings of the same things at once."""

import numpy as np

from analysis.arrays import FloatArray

# Signs of differences held at a time.
CHUNK = 4_000_000
FEWEST = 3


def tau_matrix(scores: FloatArray) -> FloatArray:
    """tau-b between the rows of `scores` (rankings, things), NaN where a thing has none; (rankings, rankings).

    tau_xy = sum s_x s_y / sqrt(sum |s_x| k_y  sum k_x |s_y|) over pairs of things, with s the sign of the difference
    of their scores (0 where either is unknown) and k = 1 where both are known: a pair of rankings is compared over
    the things that both rank. NaN where fewer than three are, or where all of them are tied in one ranking; the
    diagonal is 1 or NaN. Time grows with rankings times the square of things, memory does not.
    Source: Kendall 1945, Biometrika 33:239-251 (tau-b).
    """
    known = np.isfinite(scores)
    filled = np.where(known, scores, 0.0)
    rankings, things = scores.shape
    concordance, untied = np.zeros((2, rankings, rankings))
    step = max(1, CHUNK // max(1, rankings * things))
    for begin in range(0, things, step):
        rows = slice(begin, begin + step)
        both = (known[:, rows, None] & known[:, None, :]).astype(np.float32)
        signs = np.sign(filled[:, rows, None] - filled[:, None, :]).astype(np.float32) * both
        both, signs = (values.reshape(rankings, values[:1].size) for values in (both, signs))
        concordance += signs @ signs.T
        untied += np.abs(signs) @ both.T
    shared = known.astype(np.int64) @ known.T.astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = np.clip(concordance / np.sqrt(untied * untied.T), -1.0, 1.0)
    return np.asarray(np.where(shared < FEWEST, np.nan, tau), dtype=np.float64)
