"""Raters beside each other."""

import numpy as np
import pytest

from analysis.agreement.comparing import agreement_with_others, compare_raters
from analysis.agreement.marking import count_marks
from tests.analysis.rated import CANONICAL, random_matrix, ratings


def by_hand(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    both = np.isfinite(matrix)[:, None, :] & np.isfinite(matrix)[None, :, :]
    alike = both & (matrix[:, None, :] == matrix[None, :, :])
    n = both.sum(axis=2).astype(float)
    np.fill_diagonal(n, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, alike.sum(axis=2) / n, np.nan), n


@pytest.mark.parametrize("matrix", [CANONICAL, random_matrix(6, 30, missing=0.4)])
def test_it_works(matrix: np.ndarray) -> None:
    found = compare_raters(ratings(matrix))
    agreement, n = by_hand(matrix)
    assert found.raters.tolist() == [*range(len(matrix))]
    assert found.shared.toarray() == pytest.approx(n)
    assert found.agreement() == pytest.approx(agreement, nan_ok=True)


def test_raters_who_share_nothing_have_no_agreement_and_no_n() -> None:
    found = compare_raters(ratings(np.array([[1.0, 1.0, np.nan], [1.0, 2.0, np.nan], [np.nan, np.nan, 1.0]])))
    assert np.isnan(found.agreement()[2]).all() and not found.shared.toarray()[2].any()
    assert found.agreement()[0, 1] == 0.5


def test_the_agreement_of_each_with_all_others_is_the_mean_over_units() -> None:
    matrix = random_matrix(5, 20, missing=0.3, seed=4)
    table = agreement_with_others(ratings(matrix))
    for rater, n, agreement in table.itertuples(index=False):
        others = np.delete(matrix, rater, axis=0)
        shares = [
            np.mean(others[np.isfinite(others[:, unit]), unit] == matrix[rater, unit])
            for unit in range(20)
            if np.isfinite(matrix[rater, unit]) and np.isfinite(others[:, unit]).any()
        ]
        assert n == len(shares) and agreement == pytest.approx(np.mean(shares))


def test_a_rater_whom_nobody_met_has_no_agreement() -> None:
    table = agreement_with_others(ratings(np.array([[1.0, np.nan], [1.0, np.nan], [np.nan, 2.0]])))
    assert table["n"].tolist() == [1, 1, 0]
    assert table["agreement"].tolist()[:2] == [1.0, 1.0] and np.isnan(table["agreement"].tolist()[2])


def test_where_only_counts_are_known_raters_cannot_be_compared() -> None:
    counted = count_marks([(3, [{1}, {2}])], 2)
    for compare in (compare_raters, agreement_with_others):
        with pytest.raises(ValueError, match="not whose"):
            compare(counted)
