import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import Map, Source
from protocols.pairwise import PAIRWISE, PairSettings
from tests.protocols.rendering import rendered
from tests.protocols.sources import source, sources

LEFT_FIRST, LEFT_SECOND = {"left": "first"}, {"left": "second"}


def pair(**changes: Any) -> Source:
    return source("good dull film", maps=[Map([1.0, 0.0, 0.0], True), Map([0.0, -1.0, 0.0], True)], **changes)


def test_it_works() -> None:
    content = PAIRWISE.stimulus(pair())
    assert [[step for _, _, _, step in one["words"]] for one in content["maps"]] == [[5, 0, 0], [0, -5, 0]]
    page = rendered(PAIRWISE, content, LEFT_FIRST)
    assert page.index(">good</span> dull film") < page.index('good <span class="mark against-5">dull')
    assert page.count("A is better") == 1 and "Neither is better" in page


def test_the_left_side_is_the_one_that_was_drawn_and_answers_name_methods() -> None:
    content = PAIRWISE.stimulus(pair())
    page = rendered(PAIRWISE, content, LEFT_SECOND)
    assert page.index('good <span class="mark against-5">dull') < page.index(">good</span> dull film")
    assert 'value="second" data-key="1"' in page and 'value="first" data-key="2"' in page
    assert 'value="first" data-key="1"' in rendered(PAIRWISE, content, LEFT_FIRST)


def test_sides_are_balanced_and_stay_for_one_item() -> None:
    content = PAIRWISE.stimulus(pair())
    left = [PAIRWISE.arrange(content, random.Random(1), random.Random(f"item {n}"))["left"] for n in range(1000)]
    assert 440 < left.count("first") < 560
    again = [PAIRWISE.arrange(content, random.Random(2), random.Random(f"item {n}"))["left"] for n in range(1000)]
    assert left == again


def test_a_worker_does_not_keep_one_side() -> None:
    item = random.Random(5)
    assert len({PAIRWISE.arrange({}, random.Random(1), item)["left"] for _ in range(20)}) == 2


def test_both_maps_are_drawn_in_the_condition_s_display() -> None:
    assert [one["display"] for one in PAIRWISE.stimulus(pair(display="bars"))["maps"]] == ["bars", "bars"]


def test_ties_can_be_refused() -> None:
    content = PAIRWISE.stimulus(pair(settings={"ties": "refused"}))
    assert "Neither" not in rendered(PAIRWISE, content)
    assert not PAIRWISE.form(content, {"answer": "tie"}).is_valid()


@pytest.mark.parametrize(("answer", "value"), [("first", 1.0), ("second", 0.0), ("tie", 0.5)])
def test_every_answer_round_trips_and_has_its_value(answer: str, value: float) -> None:
    content = PAIRWISE.stimulus(pair())
    form = PAIRWISE.form(content, {"answer": answer})
    assert form.is_valid() and form.cleaned_data == {"answer": answer}
    assert PAIRWISE.score(form.cleaned_data, content, "positive") == value
    assert PAIRWISE.label_of(form.cleaned_data) == answer


@pytest.mark.parametrize("answer", ["", "A", "left"])
def test_the_form_refuses_anything_else(answer: str) -> None:
    assert not PAIRWISE.form(PAIRWISE.stimulus(pair()), {"answer": answer}).is_valid()


@pytest.mark.parametrize("maps", [[], [Map([1.0], True)]])
def test_it_refuses_a_source_without_two_maps(maps: list[Map]) -> None:
    with pytest.raises(ValueError, match="two methods"):
        PAIRWISE.stimulus(source("good", maps=maps))


@given(sources(), st.sampled_from(["first", "second"]))
def test_swapping_the_sides_swaps_only_the_panels(made: Source, left: str) -> None:
    content = PAIRWISE.stimulus(replace(made, maps=[made.maps[0], Map([0.0] * len(made.starts), False)]))
    assert json.loads(json.dumps(content)) == content
    bodies = [panel.body for _, panel in PAIRWISE.context(content, {"left": left}, 0)["panels"]]
    other = {"left": "second" if left == "first" else "first"}
    assert bodies[::-1] == [panel.body for _, panel in PAIRWISE.context(content, other, 0)["panels"]]


def test_the_record_names_no_method() -> None:
    assert set(PAIRWISE.stimulus(pair())) == {"question", "language", "text", "predicted", "maps", "ties"}


def test_settings_refuse_what_is_not_offered() -> None:
    assert list(PairSettings({"ties": "often"}).errors) == ["ties"]


def test_feedback_says_that_there_is_no_right_answer() -> None:
    assert "no right or wrong" in PAIRWISE.feedback({"answer": "tie"}, {}, "")
