import numpy as np
import pytest

from analysis.correlation.picking import closest, pick

PEOPLE, METRIC = np.array([0.8, 0.7, 0.5]), np.array([0.1, 0.3, 0.2])


def repeated(*rows: list[float]) -> np.ndarray:
    return np.array(rows)


def test_it_works() -> None:
    found = pick(PEOPLE, METRIC, (np.tile(PEOPLE, (4, 1)), np.tile(METRIC, (4, 1))))
    assert (found.best, found.pick, found.same, found.probability) == (0, 1, False, 0.0)
    # Of three pairs, the first and second and the first and third are the other way round.
    assert (found.swapped, found.pairs, found.swapped_ci) == (2, 3, (2, 2))
    assert found.loss == pytest.approx(0.1) and found.loss_ci == pytest.approx((0.1, 0.1))
    assert (found.n, found.status) == (3, "ok")


def test_a_tie_for_the_first_place_is_the_same_winner() -> None:
    found = pick(np.array([0.8, 0.8, 0.5]), METRIC, (np.tile(PEOPLE, (2, 1)), np.tile(METRIC, (2, 1))))
    assert found.same is True and found.loss == 0.0
    assert (found.swapped, found.pairs) == (1, 2)


def test_the_probability_is_a_share_of_resamples() -> None:
    people = repeated([3, 2, 1], [2, 3, 1], [3, 2, 1], [1, 2, 3])
    metric = repeated([3, 2, 1], [3, 2, 1], [1, 2, 3], [1, 2, 3])
    found = pick(np.array([3.0, 2, 1]), np.array([3.0, 2, 1]), (people.astype(float), metric.astype(float)))
    assert found.probability == 0.5


def test_methods_that_one_side_does_not_score_take_no_part() -> None:
    people = np.array([0.9, 0.8, 0.7])
    metric = np.array([np.nan, 0.1, 0.2])
    found = pick(people, metric, (np.tile(people, (2, 1)), np.tile(metric, (2, 1))))
    assert (found.best, found.pick, found.n) == (1, 2, 2)


@pytest.mark.parametrize(
    ("people", "metric", "status"),
    [
        (PEOPLE, np.full(3, np.nan), "metric_without_values"),
        (PEOPLE, np.array([np.nan, np.nan, 1.0]), "too_few"),
        (np.ones(3), METRIC, "constant_human_score"),
        (PEOPLE, np.ones(3), "constant_metric"),
    ],
)
def test_it_says_why_there_is_no_pick(people: np.ndarray, metric: np.ndarray, status: str) -> None:
    found = pick(people, metric, (people[None], metric[None]))
    assert (found.best, found.same, found.probability, found.status) == (None, None, None, status)


def test_the_closest_metric_is_that_with_the_highest_correlation() -> None:
    taus = np.array([[0.5, 0.9, np.nan], [0.5, 0.5, np.nan], [0.9, np.nan, np.nan], [0.1, 0.2, np.nan]])
    assert closest(taus) == pytest.approx([(0 + 0.5 + 1 + 0) / 4, (1 + 0.5 + 0 + 1) / 4, np.nan], nan_ok=True)
