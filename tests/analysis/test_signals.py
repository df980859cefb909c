import math
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.quality.rules import RULES, Rule, broken_rules, reading_speed
from analysis.quality.signals import (
    Work,
    entropy,
    longest_run,
    read_signals,
    share_of_commonest,
    share_too_fast,
)

LABELS = st.lists(st.sampled_from("abc"), max_size=30)
WORK = Work(
    labels=["a", "a", "b", "a"],
    words=[20, 20, 20, 20],
    response_ms=[1000, 3000, None, 10_000],
    active_ms=[1000, 2500, None, 4000],
    away_ms=[0, 0, None, 5000],
    away_count=[0, 0, 0, 2],
    checks=[True, False],
    gold=[True, True, False, True],
)


def test_it_works() -> None:
    signals = read_signals(WORK)
    # 20 words at 600 a minute take 2 seconds: one of the three items that were timed was faster.
    assert signals.too_fast == pytest.approx(1 / 3)
    assert (signals.items, signals.longest_run, signals.same_answer) == (4, 2, 0.75)
    assert signals.entropy == pytest.approx(0.8112781245)
    assert (signals.checks, signals.failed_checks, signals.gold, signals.gold_accuracy) == (2, 1, 4, 0.75)
    assert (signals.active_ms, signals.away_ms, signals.away_count, signals.idle_ms) == (7500, 5000, 2, 1500)
    assert signals.away_share == pytest.approx(5 / 14)


def test_without_answers_nothing_is_defined_and_nothing_is_broken() -> None:
    signals = read_signals(Work())
    assert (signals.too_fast, signals.same_answer, signals.entropy, signals.gold_accuracy) == (None,) * 4
    assert (signals.active_ms, signals.idle_ms, signals.away_share, signals.longest_run) == (None, None, None, 0)
    assert broken_rules(dict.fromkeys(RULES, {}), signals) == []


def test_active_time_counts_before_wall_time() -> None:
    assert share_too_fast([1000.0], [10], 600) == 0.0  # Just as fast as the floor is not faster.
    assert read_signals(replace(WORK, active_ms=[None] * 4)).too_fast == pytest.approx(1 / 3)


def test_a_speed_must_be_above_zero() -> None:
    with pytest.raises(ValueError, match="above 0"):
        share_too_fast([1.0], [1], 0)


@given(LABELS)
def test_the_longest_run_is_among_the_answers(labels: list[str]) -> None:
    run = longest_run(labels)
    assert 0 <= run <= len(labels)
    assert run == 0 or any(label * run in "".join(labels) for label in "abc")
    assert not any(label * (run + 1) in "".join(labels) for label in "abc")


@given(LABELS)
def test_entropy_is_zero_for_one_answer_and_largest_for_even_ones(labels: list[str]) -> None:
    found, kinds = entropy(labels), len(set(labels))
    if found is None:
        assert not labels
    else:
        assert -1e-12 <= found <= math.log2(max(kinds, 1)) + 1e-12
        assert (found == 0) == (kinds == 1)


@given(LABELS, st.randoms())
def test_shares_do_not_depend_on_the_order(labels: list[str], random: Random) -> None:
    turned = random.sample(labels, len(labels))
    assert share_of_commonest(labels) == share_of_commonest(turned)
    assert entropy(labels) == pytest.approx(entropy(turned)) if labels else entropy(turned) is None


@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=20), st.floats(100, 1000), st.floats(1, 1000))
def test_a_stricter_speed_finds_no_fewer(times: list[float], slower: float, more: float) -> None:
    words = [30] * len(times)
    strict, lenient = share_too_fast(times, words, slower), share_too_fast(times, words, slower + more)
    assert strict is not None and lenient is not None and lenient <= strict


BREAKING: dict[str, dict[str, Any]] = {
    "too_fast": {"too_fast": 0.5},
    "straight_lining": {"items": 10, "same_answer": 0.95},
    "long_run": {"longest_run": 20},
    "low_entropy": {"items": 10, "entropy": 0.19},
    "failed_checks": {"checks": 3, "failed_checks": 2},
    "gold_accuracy": {"gold": 3, "gold_accuracy": 0.49},
    "away": {"away_share": 0.5},
}
HOLDING: dict[str, dict[str, Any]] = {
    "too_fast": {"too_fast": 0.49},
    "straight_lining": {"items": 9, "same_answer": 1.0},
    "long_run": {"longest_run": 19},
    "low_entropy": {"items": 10, "entropy": 0.2},
    "failed_checks": {"checks": 3, "failed_checks": 1},
    "gold_accuracy": {"gold": 2, "gold_accuracy": 0.0},
    "away": {"away_share": 0.49},
}


@pytest.mark.parametrize("name", RULES)
def test_each_rule_excludes_from_its_threshold_on(name: str) -> None:
    good = read_signals(Work())
    assert broken_rules({name: {}}, replace(good, **BREAKING[name])) == [name]
    assert broken_rules({name: {}}, replace(good, **HOLDING[name])) == []
    assert broken_rules({}, replace(good, **BREAKING[name])) == []


def test_thresholds_are_as_chosen() -> None:
    signals = replace(read_signals(Work()), checks=3, failed_checks=2)
    assert broken_rules({"failed_checks": {"failed": 3}}, signals) == []
    assert reading_speed({"too_fast": {"words_per_minute": 900}}) == 900 and reading_speed({}) == 600


def test_by_default_one_failed_check_excludes_nobody() -> None:
    assert broken_rules({"failed_checks": {}}, replace(read_signals(Work()), checks=5, failed_checks=1)) == []


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_each_rule_says_its_numbers_and_has_defaults_within_bounds(rule: Rule) -> None:
    for one in rule.thresholds:
        assert one.least <= one.default <= one.most
    assert "{" not in rule.describe({})


def test_a_rule_in_words() -> None:
    assert RULES["too_fast"].describe({"share": 0.25}) == (
        "read at least 25 % of the items faster than 600 words a minute"
    )


CHOSEN = st.lists(st.sampled_from(sorted(RULES)), unique=True)
SEEN = st.builds(
    Work,
    labels=st.just(("a", "a", "b")),
    words=st.just((5, 50, 500)),
    response_ms=st.tuples(*[st.one_of(st.none(), st.integers(0, 10**6))] * 3),
    active_ms=st.just((None, None, None)),
    away_ms=st.tuples(*[st.one_of(st.none(), st.integers(0, 10**5))] * 3),
    away_count=st.just((0, 0, 0)),
    checks=st.lists(st.booleans(), max_size=5),
    gold=st.lists(st.booleans(), max_size=5),
)


@given(SEEN, CHOSEN, CHOSEN)
def test_more_rules_never_take_anybody_back_in(work: Work, some: list[str], more: list[str]) -> None:
    signals = read_signals(work)
    few = broken_rules({name: {} for name in some}, signals)
    many = broken_rules({name: {} for name in [*some, *more]}, signals)
    assert set(few) <= set(many) and set(few) <= set(some)
    assert many == [name for name in RULES if name in many]
