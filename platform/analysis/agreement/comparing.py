"""Raters beside each other: how often each two agree, and how often each agrees with all others."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.agreement.counting import Judgments, Ratings
from analysis.arrays import FloatArray


@dataclass(frozen=True)
class RaterMatrix:
    """Both (raters, raters) and sparse. shared: units that both rated; alike: those they gave the same value.

    The diagonal is empty: nobody is compared with themselves.
    """

    raters: pd.Index
    shared: csr_array
    alike: csr_array

    def agreement(self) -> FloatArray:
        """The share of shared units with the same value, dense (raters, raters); NaN where two share none."""
        shared = self.shared.toarray()
        return np.asarray(self.alike.toarray() / np.where(shared > 0, shared, np.nan))


def compare_raters(ratings: Ratings) -> RaterMatrix:
    """Pairwise per cent agreement, with the n that each rests on.

    As much work as there are pairs of raters who meet; for many raters see `agreement_with_others`, which is linear.
    Raises ValueError where only value counts are known.
    """
    found, n_raters = _judgments(ratings), len(ratings.raters)
    n_units, n_values = len(ratings.profile_of), len(ratings.values)
    ones = np.ones(len(found.units))
    by_unit = csr_array((ones, (found.raters, found.units)), shape=(n_raters, n_units))
    cells = found.units * n_values + found.values
    by_cell = csr_array((ones, (found.raters, cells)), shape=(n_raters, n_units * n_values))
    return RaterMatrix(ratings.raters, _apart(by_unit), _apart(by_cell))


def agreement_with_others(ratings: Ratings) -> pd.DataFrame:
    """One row a rater: `rater`, `n` units shared with somebody, `agreement`, NaN where there are none.

    Agreement is the mean over those units of the share of the other ratings that are the same: (n_uc - 1) / (m_u - 1).
    From value counts, linear in the ratings. Raises ValueError where only value counts are known.
    """
    found = _judgments(ratings)
    sizes = ratings.sizes[ratings.profile_of][found.units]
    fresh = np.diff(found.units * len(ratings.values) + found.values, prepend=-1) > 0
    starts = np.flatnonzero(fresh)
    same = np.diff(starts, append=len(fresh))[np.cumsum(fresh) - 1]
    met = sizes > 1
    shares = (same[met] - 1) / (sizes[met] - 1)
    n = np.bincount(found.raters[met], minlength=len(ratings.raters))
    sums = np.bincount(found.raters[met], weights=shares, minlength=len(ratings.raters))
    means = np.divide(sums, n, out=np.full(len(n), np.nan), where=n > 0)
    return pd.DataFrame({"rater": ratings.raters, "n": n, "agreement": means})


def _judgments(ratings: Ratings) -> Judgments:
    if ratings.judgments is None:
        raise ValueError("Only value counts are known, not whose: raters cannot be compared.")
    return ratings.judgments


def _apart(rows: csr_array) -> csr_array:
    """How many columns each two rows share, but no row with itself."""
    shared = csr_array(rows @ rows.T)
    shared.setdiag(0)
    shared.eliminate_zeros()
    return shared
