"""Where raters disagree: the disagreement of each unit, and whether one value is given nearly always."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.agreement.counting import Ratings
from analysis.agreement.drawing import sample_as_given
from analysis.agreement.levels import LEVELS, Level
from analysis.arrays import FloatArray

# From this share of one value on, chance alone makes raters agree so often that alpha and kappa fall although they
# agree. The bound is our choice.
SKEWED = 0.8


class Prevalence(NamedTuple):
    """The value that most pairable ratings have, and its share of them."""

    value: str
    share: float

    @property
    def skewed(self) -> bool:
        return self.share >= SKEWED


def disagreement_by_unit(ratings: Ratings, level: str | Level) -> pd.DataFrame:
    """One row a unit with two ratings or more: `unit`, `n` ratings, `disagreement`, `relative`.

    disagreement: the mean squared difference d_ck of two of its ratings, which at the nominal level is the share of
    its pairs that are unlike. relative: the same over the disagreement expected by chance, D_e of
    `krippendorff_alpha`, so that 1 is as much as chance and 1 - alpha is the mean of it, weighted by n; NaN where
    there is no variation. The ordinal differences are of mid-ranks over n. Linear in the ratings. Raises KeyError for
    an unknown level.
    """
    chosen = LEVELS[level] if isinstance(level, str) else level
    used = ratings.pairable
    sample = sample_as_given(used)
    totals = sample.totals(sample.paired)
    apart = sample.per_pair(chosen.within(sample, totals))[:, 0] if len(used.profile_of) else np.empty(0)
    expected = _expected(chosen, used.positions, totals)
    each = apart[used.profile_of] if len(apart) else apart
    return pd.DataFrame({
        "unit": used.units,
        "n": used.sizes[used.profile_of].astype(int),
        "disagreement": each,
        "relative": each / expected if expected > 0 else np.full(len(each), np.nan),
    })  # fmt: skip


def prevalence(ratings: Ratings) -> Prevalence | None:
    """How skewed the pairable ratings are; None where there are none. The first in order of equally frequent values."""
    used = ratings.pairable
    if not ratings.n_pairable:
        return None
    totals = np.asarray(used.frequencies @ used.profiles)
    most = int(np.argmax(totals))
    value = f"{ratings.positions[most]:g}" if ratings.numeric else str(ratings.values[most])
    return Prevalence(value, float(totals[most] / totals.sum()))


def _expected(level: Level, positions: FloatArray, totals: FloatArray) -> float:
    n = float(totals.sum())
    return float(level.across(positions, totals)[0]) / (n * (n - 1)) if n > 1 else 0.0
