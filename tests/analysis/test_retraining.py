import numpy as np
import pytest

from analysis.retraining.areas import area_between

SHARES = np.array([0.0, 0.2, 0.5, 1.0])


def test_it_works() -> None:
    random = np.array([0.9, 0.8, 0.7, 0.5])
    method = np.array([0.9, 0.6, 0.5, 0.5])
    # Differences 0, .2, .2, 0: .2 x .1 + .3 x .2 + .5 x .1; above the end: .4, .3, .2, 0: .07 + .075 + .05.
    found = area_between(SHARES, method, random)
    assert found.area == pytest.approx(0.13)
    assert found.relative == pytest.approx(0.13 / 0.195) and found.status == "ok"


def test_chance_has_no_area() -> None:
    random = np.array([0.9, 0.8, 0.7, 0.5])
    assert area_between(SHARES, random, random) == (0.0, 0.0, "ok")


def test_a_method_that_keeps_what_matters_is_below_chance() -> None:
    random, method = np.array([0.9, 0.7, 0.6, 0.5]), np.array([0.9, 0.9, 0.9, 0.5])
    assert area_between(SHARES, method, random).area == pytest.approx(-(0.02 + 0.075 + 0.075))


def test_all_that_can_be_lost_at_once_is_one() -> None:
    shares = np.array([0.0, 0.5, 1.0])
    random, method = np.array([1.0, 1.0, 0.5]), np.array([0.5, 0.5, 0.5])
    assert area_between(shares, method, random).relative == 1.0


def test_where_nothing_was_learnt_nothing_can_be_lost() -> None:
    flat = np.full(4, 0.5)
    assert area_between(SHARES, flat, flat) == (0.0, None, "nothing_learnt")


@pytest.mark.parametrize("shares", [[0.0, 0.5, 0.5, 1.0], [0.1, 0.2, 0.5, 1.0], [0.0, 0.2, 0.5, 0.9]])
def test_shares_go_from_none_to_all(shares: list[float]) -> None:
    with pytest.raises(ValueError, match="ascend from 0 to 1"):
        area_between(np.array(shares), np.ones(4), np.ones(4))


def test_curves_are_as_long_as_the_shares() -> None:
    with pytest.raises(ValueError, match="3 and 4 points over 4 shares"):
        area_between(SHARES, np.ones(3), np.ones(4))
