from dataclasses import replace
from decimal import Decimal

import pytest

from accounts.models import Team
from campaigns.designing import (
    Cell,
    cells,
    count_words,
    design_problems,
    estimate,
    groups_of,
    propose_ks,
    reason_of_ks,
    word_counts,
)
from protocols import PROTOCOLS
from tests.materials.actors import films


def test_it_works() -> None:
    """The paper's IMDB study: 100 texts, 8 arms, 5 ks, 5 judgments a cell."""
    found = estimate(100, 40, 5, 40, 20, Decimal("2.50"))
    assert (found.stimuli, found.judgments, found.load, found.workers) == (4000, 20_000, 40, 500)
    assert found.minutes == pytest.approx((42 * 20 + 60) / 60)
    assert found.pay == Decimal("1250.00") and found.hourly == Decimal("10.00")


def test_a_load_is_never_larger_than_the_sample() -> None:
    found = estimate(20, 4, 5, 40, 20, Decimal("1"))
    assert found.load == 20 and found.workers == 20


def test_nothing_costs_nothing() -> None:
    found = estimate(0, 0, 5, 40, 20, Decimal("1"))
    assert (found.judgments, found.workers, found.pay) == (0, 0, Decimal(0))


def test_every_list_and_every_arm_needs_workers_of_its_own() -> None:
    design = {"texts": 20, "judgments_per_stimulus": 3, "seconds_per_item": 20, "pay_per_worker": Decimal(1)}
    # 20 texts x 4 conditions x 3 judgments: 240 in all, 60 on each list of four, 120 in each arm of two.
    expected = {(): 15, (4,): 15, (1, 1, 1, 1): 16, (2, 2): 16, (3, 1): 16}
    for groups, workers in expected.items():
        found = estimate(conditions=4, most_per_worker=16, groups=groups, **design)  # type: ignore[arg-type]
        assert found.workers == workers


def test_groups_follow_the_allocation() -> None:
    found = [Cell("no_explanation"), Cell("a", k=5), Cell("a", k=10), Cell("b", k=5), Cell("b", k=10)]
    assert groups_of("least_filled", found) == [5]
    assert groups_of("latin_square", found) == [1, 1, 1, 1, 1]
    assert groups_of("between", found) == [1, 2, 2]


@pytest.mark.parametrize(
    ("counts", "ks"),
    [
        ([230] * 10, [5, 10, 20, 30, 40]),
        ([13, 20, 21, 25, 30], [1, 2, 3, 5, 10]),
        ([30] * 5, [2, 3, 5, 10, 20]),
        ([6, *[30] * 20], [1, 2, 3, 5]),
        ([2, *[30] * 50], [2, 3, 5, 10, 20]),
        ([2, 2], [1]),
        ([1], [1]),
        ([], []),
    ],
)
def test_proposed_ks_fit_the_texts(counts: list[int], ks: list[int]) -> None:
    assert propose_ks(counts) == ks


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([6, *[30] * 20], "Proposed so that no text is shown whole: the shortest that was looked at has 6 words."),
        (
            [2, *[30] * 50],
            "Proposed so that hardly a text is shown whole: nearly all that were looked at have 30 words or more, the "
            "shortest 2.",
        ),
        ([], ""),
    ],
)
def test_the_reason_of_proposed_ks_is_told(counts: list[int], reason: str) -> None:
    assert reason_of_ks(counts) == reason


def test_words_are_counted_without_punctuation(team: Team) -> None:
    assert count_words("Well, it's good - really!") == 4
    assert word_counts(films(team, {"pos": 3}, words=12)) == [12, 12, 12]


def test_cells_are_methods_by_ks() -> None:
    guess, rating = PROTOCOLS["topk_guess"], PROTOCOLS["rating"]
    assert cells(guess, ["a", "b"], [5, 2, 5]) == [Cell("a", k=2), Cell("a", k=5), Cell("b", k=2), Cell("b", k=5)]
    assert [(cell.method, cell.k) for cell in cells(rating, ["a", "b"], [5])] == [("a", None), ("b", None)]


def test_pairs_are_all_twos_and_baselines_stand_alone() -> None:
    pairs = replace(PROTOCOLS["rating"], maps=2, baselines=("full_text",), displays=("colour", "bars"))
    found = cells(pairs, ["a", "b", "c"], [5], ["full_text", "no_explanation"], ["bars", "colour"])
    assert found[0] == Cell("full_text")
    assert found[1:3] == [Cell("a", "b", None, "bars"), Cell("a", "b", None, "colour")]
    assert [(cell.method, cell.other) for cell in found[1::2]] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_without_maps_there_is_one_condition() -> None:
    assert cells(replace(PROTOCOLS["rating"], maps=0), ["a"], []) == [Cell("full_text")]


def test_a_load_larger_than_the_sample_is_a_problem() -> None:
    assert "is 20" in design_problems(21, 20)["most_per_worker"]
    assert design_problems(20, 20) == {}
