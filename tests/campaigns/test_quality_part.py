from typing import Any

import pytest

from campaigns.models import Campaign
from campaigns.parts.quality import QualityPart
from protocols import PROTOCOLS

TEST = "What do you guess?\n- The author\n+ The label"
CHECKS = "Choose b.\n- a\n+ b\n\nChoose a.\n+ a\n- b\n\nChoose c.\n- a\n+ c"
GUESS = PROTOCOLS["topk_guess"]


def part(protocol: str = "topk_guess", **data: Any) -> QualityPart:
    return QualityPart(PROTOCOLS[protocol], data, instance=Campaign())


def errors(**data: Any) -> dict[str, list[str]]:
    found = part(**data)
    assert not found.is_valid()
    return {name: [str(error) for error in each] for name, each in found.errors.items()}


def test_it_works() -> None:
    found = part(
        practice_items="4", practice_needed="3", comprehension=TEST, checks=CHECKS, gold_items="3",
        rule_too_fast="on", rule_too_fast_share="60", rule_too_fast_words_per_minute="700",
        rule_failed_checks="on", rule_failed_checks_failed="2", rule_gold_accuracy="on",
    )  # fmt: skip
    assert found.is_valid(), found.errors
    campaign = found.instance
    assert (campaign.practice_items, campaign.practice_needed, campaign.gold_items) == (4, 3, 3)
    assert campaign.comprehension[0]["right"] == 1 and len(campaign.checks) == 3
    assert campaign.rules == {
        "too_fast": {"share": 0.6, "words_per_minute": 700},
        "failed_checks": {"failed": 2},
        "gold_accuracy": {"share": 0.5, "items": 3},
    }


def test_what_is_left_empty_stands_at_its_default() -> None:
    found = part()
    assert found.is_valid()
    campaign = found.instance
    assert (campaign.practice_items, campaign.practice_needed, campaign.gold_items) == (2, 0, 0)
    assert (campaign.comprehension, campaign.checks, campaign.rules) == ([], [], {})


def test_rules_that_are_unticked_are_gone() -> None:
    campaign = Campaign(rules={"too_fast": {"share": 0.5, "words_per_minute": 600}})
    found = QualityPart(GUESS, {}, instance=campaign)
    assert found.is_valid() and found.instance.rules == {}


def test_what_was_chosen_is_shown_again() -> None:
    campaign = Campaign(rules={"too_fast": {"share": 0.25, "words_per_minute": 700}})
    row = QualityPart(GUESS, instance=campaign).rows()[0]
    assert row.box.value() is True and [field.value() for field in row.thresholds] == ["25", "700"]


def test_more_right_answers_than_practice_texts_are_refused() -> None:
    assert errors(practice_items="2", practice_needed="3") == {"practice_needed": ["There are only 2 practice texts."]}


def test_a_faulty_line_is_named() -> None:
    assert errors(comprehension="Ready?\n- Yes")["comprehension"] == [
        "Line 1: give at least two choices below the question, each behind a hyphen."
    ]


def test_one_failed_check_excludes_only_in_a_short_study() -> None:
    rule = {"checks": CHECKS, "rule_failed_checks": "on", "rule_failed_checks_failed": "1"}
    long, short = (
        {"most_per_worker": "40", "seconds_per_item": "20"},
        {"most_per_worker": "5", "seconds_per_item": "20"},
    )
    assert "only in studies of under 5 minutes; this one takes about 15" in str(errors(**rule, **long))
    assert part(**rule, **short).is_valid()


def test_a_rule_without_what_it_is_about_is_refused() -> None:
    assert errors(rule_failed_checks="on") == {"rule_failed_checks_failed": ["There are only 0 attention checks."]}
    assert errors(rule_gold_accuracy="on", gold_items="2") == {
        "rule_gold_accuracy_items": ["There are fewer items with a known answer than that."]
    }


@pytest.mark.parametrize("share", ["0", "101", "x", "nan"])
def test_a_threshold_out_of_bounds_is_refused(share: str) -> None:
    assert "rule_too_fast_share" in errors(rule_too_fast="on", rule_too_fast_share=share)


def test_no_more_known_answers_than_anybody_bears() -> None:
    assert "At most 20" in str(errors(gold_items="21"))


def test_opinions_have_neither_a_mark_nor_known_answers() -> None:
    found = part("rating", rule_gold_accuracy="on")
    assert found.is_valid() and found.instance.rules == {}
    assert "gold_items" not in found.fields and "practice_needed" not in found.fields
