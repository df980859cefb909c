"""Flips: a text recognised with fewer words and not recognised with more.

Source: Lu et al. 2024 (arXiv 2405.10767). The paper does not define the count exactly; here a step is a pair of
neighbouring ks of one (text, method), and a sequence is all ks of one (text, method).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.arrays import BoolArray, FloatArray


@dataclass(frozen=True)
class Flips:
    """Counts over all methods, and per method the share of its sequences with a flip (NaN where it has none)."""

    steps: int
    flipped_steps: int
    sequences: int
    flipped_sequences: int
    rates: FloatArray


def count_flips(verdicts: FloatArray) -> Flips:
    """Count flips in verdicts of shape (texts, methods, ks), NaN where unjudged, ks ascending.

    Steps and sequences with an unjudged cell are left out of the counts.
    """
    steps = np.isfinite(verdicts[..., 1:]) & np.isfinite(verdicts[..., :-1])
    flipped = (verdicts[..., :-1] == 1) & (verdicts[..., 1:] == 0)
    whole = np.isfinite(verdicts).all(axis=-1) & (verdicts.shape[-1] > 1)
    sequences = whole & flipped.any(axis=-1)
    with np.errstate(invalid="ignore"):
        rates = sequences.sum(axis=0) / whole.sum(axis=0)
    return Flips(int(steps.sum()), int(flipped.sum()), int(whole.sum()), int(sequences.sum()), rates)


def flipped_steps_from_noise(judgments: pd.DataFrame, *, replicates: int = 200, seed: int = 0) -> float | None:
    """Expected number of flipped steps if more words never hurt and votes merely scatter.

    Per (text, method), the share of right votes is made non-decreasing in k by pooling adjacent violators (Barlow et
    al. 1972), votes are redrawn from it, and a cell counts as recognised with more than half of its votes right.
    Columns used: text, method, k, score (1 or 0). None where there is no step.
    """
    cells = judgments.groupby(["text", "method", "k"], sort=True)["score"].agg(["sum", "count"]).reset_index()
    sequence = cells.groupby(["text", "method"], sort=True).ngroup().to_numpy()
    votes = cells["count"].to_numpy(dtype=np.int64)
    neighbours: BoolArray = sequence[1:] == sequence[:-1]
    if not neighbours.any():
        return None
    chances = _monotone(cells["sum"].to_numpy(dtype=float), votes.astype(float), sequence)
    drawn = np.random.default_rng(seed).binomial(votes, chances, size=(replicates, len(votes)))
    recognised = drawn * 2 > votes
    flips = recognised[:, :-1] & ~recognised[:, 1:] & neighbours
    return float(flips.sum() / replicates)


def _monotone(right: FloatArray, votes: FloatArray, sequence: np.ndarray) -> FloatArray:
    """Pool adjacent violators within each sequence: the non-decreasing shares nearest to right / votes."""
    blocks: list[tuple[float, float, int, int]] = []
    for one_right, one_votes, owner in zip(right, votes, sequence, strict=True):
        block = (one_right, one_votes, 1, int(owner))
        while blocks and blocks[-1][3] == owner and blocks[-1][0] * block[1] > block[0] * blocks[-1][1]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2], block[3])
        blocks.append(block)
    return np.repeat([b[0] / b[1] for b in blocks], [b[2] for b in blocks])
