"""Who meets what, how many workers that takes, and what it costs."""

from collections import Counter

import numpy as np
import pytest

from analysis.planning.designing import ALLOCATIONS, BETWEEN, LATIN_SQUARE, Design, Pay, place_workers

DESIGNS = [
    Design(12, 3, allocation=allocation, load=load, steps=steps, methods=methods)
    for allocation in ALLOCATIONS
    for load in (4, 40)
    for steps, methods in ((1, 2), (3, 2), (1, 3))
]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_nobody_meets_a_text_twice_and_nobody_does_more_than_the_load(design: Design) -> None:
    placed = place_workers(design, np.random.default_rng(1))
    assert placed.shape == (design.texts, design.conditions, design.judgments)
    for text in placed:
        assert len(set(text.ravel().tolist())) == text.size
    loads = Counter(placed.ravel().tolist())
    assert max(loads.values()) <= design.items and len(loads) == design.workers


def test_arms_have_workers_of_their_own() -> None:
    placed = place_workers(Design(10, 3, methods=3, steps=2, allocation=BETWEEN), np.random.default_rng(2))
    arms = [set(placed[:, first : first + 2].ravel().tolist()) for first in (0, 2, 4)]
    assert not arms[0] & arms[1] and not arms[1] & arms[2] and not arms[0] & arms[2]


def test_on_a_list_of_the_square_a_text_has_one_condition_and_conditions_share_the_texts() -> None:
    placed = place_workers(Design(12, 2, methods=3, allocation=LATIN_SQUARE, load=12), np.random.default_rng(3))
    met = [np.argwhere(placed == worker)[:, 1].tolist() for worker in range(placed.max() + 1)]
    assert all(Counter(conditions) == {0: 4, 1: 4, 2: 4} for conditions in met)


def test_workers_of_a_mixed_design_meet_both_methods() -> None:
    placed = place_workers(Design(40, 5, load=20), np.random.default_rng(4))
    shares = [np.mean(np.argwhere(placed == worker)[:, 1]) for worker in range(placed.max() + 1)]
    assert min(shares) > 0.1 and max(shares) < 0.9


def test_a_load_is_never_more_than_there_are_texts() -> None:
    assert Design(10, 5, load=40).items == 10
    assert Design(10, 5, load=40).workers == 10  # 100 judgments by 10 items each


def test_pay_is_by_the_hour_or_a_worker() -> None:
    design = Design(100, 5, steps=5, load=40)
    hourly = Pay(hourly=12.0).of(design, seconds_per_item=20)
    # 42 items of 20 s and a minute of reading.
    assert hourly.workers == 125 and hourly.minutes == 15.0 and hourly.pay == pytest.approx(375.0)
    each = Pay(hourly=12.0, per_worker=2.0, minutes=10).of(design, 20)
    assert each.pay == 250.0 and each.hourly == pytest.approx(12.0)
