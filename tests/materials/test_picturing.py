import re

import pytest

from catalogue.methods import METHODS
from materials.picturing import chances, settings_of, shown_error, shown_score
from tests.materials.heat import REVIEW, heat_map, picture


def test_it_works() -> None:
    body = heat_map().body
    assert '<span class="mark for-5"><span class="w b20" data-s="+0.9" data-r="1">great</span></span>' in body
    assert '<span class="mark against-3"><span class="w b13 below" data-s="−0.6" data-r="6">dull</span></span>' in body
    assert '<span class="w aside" data-s="0">,</span>' in body.replace("+0", "0")
    assert '<span class="w not-seen">ending</span>' in body


def test_the_text_is_unchanged_but_for_the_marks() -> None:
    assert re.sub(r"<[^>]*>", "", heat_map().body) == REVIEW


def test_what_the_text_says_is_escaped() -> None:
    body = heat_map('<b>bold</b> & "quoted"', [0.5] * len(heat_map('<b>bold</b> & "quoted"', []).starts)).body
    assert "<b>" not in body and "&lt;" in body and "&amp;" in body


def test_a_phrase_of_equal_words_is_one_mark() -> None:
    assert '<span class="mark for-5"><span class="w b20" data-s="+1" data-r="1">very</span> <span' in (
        heat_map("very good film", [1.0, 1.0, 0.2]).body
    )


def test_ties_rank_by_position_and_words_not_seen_have_no_rank() -> None:
    made = heat_map("one two three four", [0.2, 0.9, 0.9, None])
    assert [made.ranks.get(start) for start in made.starts] == [3, 1, 2, None]
    assert (made.seen, made.unseen) == (3, 1)


def test_unsigned_scores_have_no_sign() -> None:
    made = heat_map("one two", [0.25, 1.0], signed=False)
    assert 'class="mark level-5"' in made.body and 'data-s="0.25"' in made.body and "+" not in made.body


def test_constant_zeros_mark_nothing() -> None:
    made = heat_map("one two", [0.0, -0.0])
    assert made.marks == [] and made.largest == "0" and 'data-s="+0"' in made.body and "−" not in made.body


@pytest.mark.parametrize(("error", "large"), [(None, False), (0.1, False), (-0.2, True), (0.98, True)])
def test_an_error_over_a_tenth_is_large(error: float | None, large: bool) -> None:
    assert heat_map(completeness_error=error).error_is_large is large


@pytest.mark.parametrize(
    ("error", "shown"), [(2e-5, "under 0.01 %"), (-0.4, "40 %"), (10.0, "1,000 %"), (10.1, "over 1,000 %")]
)
def test_errors_are_shown_as_far_as_they_say_something(error: float, shown: str) -> None:
    assert heat_map(completeness_error=error).error_percent == shown


def test_only_parameters_that_differ_are_settings() -> None:
    usual = {one.name: one.default for one in METHODS["lime"].parameters}
    assert settings_of(METHODS["lime"], usual | {"samples": 500, "gone": [1, 2]}) == {"samples": 500, "gone": [1, 2]}
    assert heat_map(settings={"samples": 500, "gone": [1, 2]}).title == "LIME (samples = 500, gone = 1, 2)"


def test_scores_have_three_digits_and_a_real_minus() -> None:
    assert [shown_score(score, True) for score in (0.12345, -12.0)] == ["+0.123", "−12"]
    assert shown_score(-0.5, False) == "−0.5"


def test_of_many_labels_the_likely_and_the_true_are_listed() -> None:
    labels = [f"label {n}" for n in range(30)]
    known = chances(labels, [n / 100 for n in range(30)], "label 29", "LABEL 0")
    made = picture()
    listed = [one.label for one in type(made)("t", "x", "", "", "", known, ()).listed]
    assert listed == ["label 0", *labels[18:]]


def test_what_is_no_probability_has_no_bar() -> None:
    assert [one.share for one in chances(["stars"], [3.2], "stars", "")] == [None]


@pytest.mark.parametrize(
    ("seconds", "took"), [(None, ""), (0.0, ""), (0.0002, "1 ms"), (0.39, "390 ms"), (12.3, "12.3 s")]
)
def test_seconds_are_said_shortly(seconds: float | None, took: str) -> None:
    assert heat_map(seconds=seconds).took == took


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (2e-7, "under 0.01 %"),
        (0.00886, "0.886 %"),
        (-0.03, "3 %"),
        (0.98, "98 %"),
        (2.5, "250 %"),
        (121, "over 1,000 %"),
    ],
)
def test_a_completeness_error_has_no_more_digits_than_anybody_reads(error: float, shown: str) -> None:
    assert shown_error(error) == shown
