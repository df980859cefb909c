"""Strengths from published tables: home and away wins, and citations between journals."""

import numpy as np
import pytest
from scipy.optimize import minimize

from analysis.arrays import FloatArray
from analysis.ranking.bradley_terry import Contests, fit, status_of, win_chances

# American League 1987, Agresti 2002, Categorical Data Analysis, table 10.10: home team's wins and losses.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
AT_HOME = [
    [(4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)],
]
# Stigler 1994, Statistical Science 9:94-108, table 3: how often each journal (row) was cited in each.
JOURNALS = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
CITED = np.array([[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]])


def baseball() -> tuple[Contests, FloatArray]:
    games = [(i, j) for i in range(7) for j in range(7) if i != j]
    home, away = np.array(games).T
    counts = [(*AT_HOME[i][j - (j > i)], 0) for i, j in games]
    return Contests(home, away, np.ones(42, dtype=np.int64), 7), np.array(counts, dtype=float)


def table(wins: np.ndarray, ties: float = 0.0) -> tuple[Contests, FloatArray]:
    """Of a square table of wins, each pair once, without sides."""
    first, second = np.triu_indices(len(wins), 1)
    counts = np.stack([wins[first, second], wins[second, first], np.full(len(first), ties)], axis=1)
    return Contests(first, second, np.zeros(len(first), dtype=np.int64), len(wins)), counts.astype(float)


def test_it_works() -> None:
    """Agresti 2002, table 10.11 and R's BradleyTerry2: strengths over Baltimore, and that of playing at home."""
    contests, counts = baseball()
    found = fit(contests, counts[None])
    over = dict(zip(TEAMS, found.strengths[0] - found.strengths[0, -1], strict=True))
    expected = {"Milwaukee": 1.6196, "Detroit": 1.4754, "Toronto": 1.3271, "New York": 1.2813, "Boston": 1.1438,
                "Cleveland": 0.7047, "Baltimore": 0.0}  # fmt: skip
    assert over == pytest.approx(expected, abs=5e-5)
    assert found.side[0] == pytest.approx(0.3023, abs=5e-5)
    assert np.isnan(found.ties[0]) and status_of(contests, counts) == "ok"


def test_citations_between_journals() -> None:
    """R's BradleyTerry2 on Stigler's table: Comm Statist -2.94907, JASA -0.47957, JRSS-B 0.26895."""
    contests, counts = table(CITED)
    found = fit(contests, counts[None])
    over = found.strengths[0] - found.strengths[0, 0]
    assert over == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=5e-6)
    assert np.isnan(found.side[0])


def loss(x: FloatArray, contests: Contests, counts: FloatArray) -> float:
    """The model's likelihood, written down again."""
    total = 0.0
    for c, (won, lost, tied) in enumerate(counts):
        i, j, side = contests.first[c], contests.second[c], contests.side[c]
        a, b = np.exp(x[i] + x[-1] * (side == 1)), np.exp(x[j] + x[-1] * (side == -1))
        t = np.exp(x[-2] + (x[i] + x[j]) / 2)
        total -= won * np.log(a) + lost * np.log(b) + tied * np.log(t) - (won + lost + tied) * np.log(a + b + t)
    return float(total)


def with_ties_and_sides(seed: int) -> tuple[Contests, FloatArray]:
    rng = np.random.default_rng(seed)
    first, second = np.repeat(np.triu_indices(4, 1), 2, axis=1)
    counts = rng.integers(1, 20, size=(len(first), 3)).astype(float)
    return Contests(first, second, np.tile([1, -1], 6), 4), counts


@pytest.mark.parametrize("seed", range(3))
def test_ties_and_sides_are_those_of_the_likelihood(seed: int) -> None:
    contests, counts = with_ties_and_sides(seed)
    found = fit(contests, counts[None])
    best = minimize(loss, np.zeros(6), args=(contests, counts), tol=1e-12).x
    assert found.strengths[0] == pytest.approx(best[:4] - best[:4].mean(), abs=1e-4)
    assert [found.ties[0], found.side[0]] == pytest.approx(best[4:], abs=1e-4)


def test_replicates_are_fitted_each_for_itself() -> None:
    contests, counts = with_ties_and_sides(0)
    _, others = with_ties_and_sides(1)
    both = fit(contests, np.stack([counts, others]))
    for at, one in enumerate((counts, others)):
        assert both.strengths[at] == pytest.approx(fit(contests, one[None]).strengths[0], abs=1e-6)


def test_of_two_methods_the_chance_is_the_share_won() -> None:
    contests, counts = table(np.array([[0, 30], [10, 0]]))
    strengths = fit(contests, counts[None]).strengths
    assert win_chances(strengths)[0] == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize(
    ("wins", "ties", "status"),
    [
        (np.zeros((3, 3)), 0.0, "not_connected"),
        (np.array([[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 0]]), 0.0, "not_connected"),
        (np.array([[0, 5, 5], [0, 0, 2], [0, 3, 0]]), 0.0, "never_beaten"),
        (np.array([[0, 5, 5], [0, 0, 2], [0, 3, 0]]), 1.0, "ok"),
        (np.zeros((3, 3)), 2.0, "only_ties"),
        (np.array([[0, 1], [1, 0]]), 0.0, "ok"),
    ],
)
def test_it_says_where_there_are_no_strengths(wins: np.ndarray, ties: float, status: str) -> None:
    assert status_of(*table(wins, ties)) == status


def test_a_side_that_always_wins_has_no_strength() -> None:
    contests = Contests(np.array([0, 0]), np.array([1, 1]), np.array([1, -1]), 2)
    assert status_of(contests, np.array([[5.0, 0, 0], [0, 5.0, 0]])) == "one_sided"


def test_a_ridge_keeps_what_won_all_finite() -> None:
    contests, counts = table(np.array([[0, 20], [0, 0]]))
    assert 5 < np.ptp(fit(contests, counts[None], ridge=0.01).strengths[0]) < 15
