from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import Content, Source
from protocols.marking import STEPS
from protocols.rating import OFFERED, RATING, RatingSettings
from tests.protocols.rendering import rendered
from tests.protocols.sources import REVIEW, source, sources


def marked(made: Source) -> list[tuple[str, int]]:
    return [(made.content[start:end], step) for start, end, _, step in RATING.stimulus(made)["map"]["words"] if step]


def test_it_works() -> None:
    assert marked(source()) == [("A", 1), ("great", 5), ("film", 3), ("with", 1), ("a", 1), ("dull", -3), ("ending", 2)]
    content = RATING.stimulus(source())
    assert content["text"] == REVIEW
    assert content["predicted"] == "positive"


def test_strength_is_relative_to_the_largest_score() -> None:
    made = source("one two three four", [2.0, -1.0, 0.5, 0.1])
    assert marked(made) == [("one", 5), ("two", -3), ("three", 1)]


def test_equal_neighbours_are_one_mark_with_the_gap_between_them() -> None:
    assert 'for-5">very good<' in rendered(RATING, RATING.stimulus(source("very good film", [1.0, 1.0, 0.2])))


def test_a_line_break_or_punctuation_keeps_marks_apart() -> None:
    assert marked(source("good\nfilm, fun", [1.0, 1.0, 1.0, 1.0])) == [("good", 5), ("film", 5), ("fun", 5)]


def test_a_gap_between_for_and_against_is_not_filled() -> None:
    assert marked(source("good bad", [1.0, -1.0])) == [("good", 5), ("bad", -5)]


@pytest.mark.parametrize("given_scores", [[0.0, 0.0], [None, None], [float("nan"), None]])
def test_without_any_strength_nothing_is_marked_and_the_page_says_so(given_scores: list[float | None]) -> None:
    content = RATING.stimulus(source("one two", given_scores))
    assert not any(step for _, _, _, step in content["map"]["words"])
    assert "No word of this text is marked." in rendered(RATING, content)


def test_constant_scores_mark_all_words_equally() -> None:
    assert marked(source("one two three", [0.3, 0.3, 0.3])) == [("one", STEPS), ("two", STEPS), ("three", STEPS)]


def test_signed_scores_below_zero_all_speak_against() -> None:
    assert marked(source("one two", [-0.4, -0.2])) == [("one", -5), ("two", -3)]


def test_unsigned_scores_below_zero_count_as_zero() -> None:
    assert marked(source("one two", [-0.4, 0.2], signed=False)) == [("two", 5)]
    assert marked(source("one two", [-0.4, -0.2], signed=False)) == []


def test_signed_marks_are_told_apart_by_class_line_and_words() -> None:
    page = rendered(RATING, RATING.stimulus(source()))
    assert 'class="mark for-5">great<' in page and 'class="mark against-3">dull<' in page
    assert "spoke for the prediction" in page and "spoke against it" in page


def test_unsigned_marks_speak_of_mattering_only() -> None:
    page = rendered(RATING, RATING.stimulus(source(signed=False)))
    assert 'class="mark level-5">great<' in page
    assert "mattered most" in page and "against" not in page


def test_a_screen_reader_hears_the_strongest_words() -> None:
    page = rendered(RATING, RATING.stimulus(source("good awful film", [0.9, -1.0, 0.1])))
    assert "<li><bdi>awful</bdi>: 100, speaks against it</li><li><bdi>good</bdi>: 90, speaks for it</li>" in page


def test_the_record_names_neither_method_nor_truth() -> None:
    assert set(RATING.stimulus(source())) == {
        "question", "language", "text", "map", "predicted", "points", "low", "high", "more",
    }  # fmt: skip


def test_the_answer_is_a_number() -> None:
    form = RATING.form(RATING.stimulus(source()), {"answer": "4"})
    assert form.is_valid() and form.cleaned_data == {"answer": 4}
    assert RATING.score(form.cleaned_data, RATING.stimulus(source()), "positive") == 4.0


@pytest.mark.parametrize("answer", ["", "0", "6", "good"])
def test_the_form_refuses_anything_but_1_to_5(answer: str) -> None:
    assert not RATING.form(RATING.stimulus(source()), {"answer": answer}).is_valid()


def test_feedback_says_that_there_is_no_right_answer() -> None:
    text = RATING.feedback({"answer": 3}, RATING.stimulus(source()), "positive")
    assert text.startswith("You gave 3 of 5.") and "no right or wrong" in text


def asking(**settings: Any) -> Content:
    return RATING.stimulus(source(settings=settings))


@pytest.mark.parametrize(
    ("scale", "middle", "values"),
    [("five", "neutral", 5), ("five", "none", 4), ("seven", "neutral", 7), ("seven", "none", 6)],
)
def test_points_have_a_middle_or_one_fewer(scale: str, middle: str, values: int) -> None:
    content = asking(scale=scale, middle=middle)
    assert [option.value for option in RATING.context(content, {}, 0)["options"]] == [
        str(value) for value in range(1, values + 1)
    ]
    assert RATING.form(content, {"answer": str(values)}).is_valid()
    assert not RATING.form(content, {"answer": str(values + 1)}).is_valid()
    assert f"{values}: <bdi>Very well</bdi>" in rendered(RATING, content)


def test_a_slider_goes_from_0_to_100_and_starts_without_an_answer() -> None:
    content = asking(scale="slider")
    assert [RATING.form(content, {"answer": each}).is_valid() for each in ("0", "100", "101", "-1", "")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    page = rendered(RATING, content)
    assert 'type="number" name="answer" min="0" max="100" value=""' in page and "data-next" in page
    assert 'name="answer" value="1"' not in page


def test_the_ends_of_the_scale_are_the_researchers() -> None:
    assert "1: <bdi>Never</bdi>" in rendered(RATING, asking(low="Never", high="Always"))


def test_several_questions_are_radios_with_one_button_and_all_have_to_be_answered() -> None:
    content = asking(beside=["useful"], own=[["How fluent?", "Stilted", "Fluent"]])
    page = rendered(RATING, content)
    assert [page.count(f'type="radio" name="{key}"') for key in ("answer", "useful", "own_1")] == [5, 5, 5]
    assert page.count('type="submit"') == 1 and "1: <bdi>Stilted</bdi>" in page and "Very much" in page
    form = RATING.form(content, {"answer": "4", "useful": "2", "own_1": "5"})
    assert form.is_valid() and form.cleaned_data == {"answer": 4, "useful": 2, "own_1": 5}
    missing = RATING.form(content, {"answer": "4", "useful": "2"})
    assert missing.errors == {"own_1": ["Choose an answer to every question first."]}


def test_answers_that_were_given_are_shown_again() -> None:
    content = asking(beside=["useful"])
    for kept in ({"useful": ["3"], "answer": [""]}, {"useful": 3}):
        page = rendered(RATING, content, presentation={"given": kept})
        assert page.count(" checked") == 1 and 'name="useful" value="3" checked' in page


def test_a_preview_of_several_questions_cannot_be_sent() -> None:
    assert 'type="submit"' not in rendered(RATING, asking(beside=["useful"]), preview=True)


def test_without_an_explanation_nothing_is_marked_and_the_page_says_so() -> None:
    content = RATING.stimulus(source(maps=[], baseline="no_explanation"))
    assert content["map"] is None
    page = rendered(RATING, content)
    assert "mark for" not in page and "none is marked" in page and REVIEW in page


@pytest.mark.parametrize("display", ["colour", "bars", "corrected"])
def test_the_record_names_its_display(display: str) -> None:
    assert RATING.stimulus(source(display=display))["map"]["display"] == display


def test_a_record_of_the_first_version_is_shown_as_ever() -> None:
    first = {
        "question": "?", "language": "en", "text": "very good film", "marks": [[0, 9, 5]], "signed": True,
        "predicted": "positive",
    }  # fmt: skip
    page = rendered(RATING, first)
    assert '<span class="mark for-5">very good</span> film' in page and "5: <bdi>Very well</bdi>" in page
    assert RATING.form(first, {"answer": "5"}).is_valid()


def problems(**sent: Any) -> dict[str, list[str]]:
    return {name: list(map(str, errors)) for name, errors in RatingSettings(sent).errors.items()}


def test_settings_are_read_from_what_is_sent() -> None:
    form = RatingSettings({"scale": "seven", "beside": ["useful"], "own": "How fluent?\n\nHow odd? | Not | Very"})
    assert form.is_valid()
    assert form.cleaned_data == {
        "scale": "seven",
        "middle": "neutral",
        "low": "Not at all",
        "high": "Very well",
        "beside": ["useful"],
        "own": [["How fluent?", "", ""], ["How odd?", "Not", "Very"]],
    }
    again = RatingSettings(initial=form.cleaned_data)
    assert "How fluent?\nHow odd? | Not | Very" in str(again["own"])


def test_settings_that_cannot_be_say_why() -> None:
    assert "middle" in problems(scale="slider", middle="none")
    assert "the same" in problems(low="A", high="A")["high"][0]
    assert problems(own="Fine?\nOdd? | Low")["own"][0].startswith("Line 2: expected a question")
    assert "At most 6" in problems(own="\n".join(["Fine?"] * 7))["own"][0]
    assert "at most 300" in problems(own="x" * 301)["own"][0]


@given(
    sources(),
    st.sampled_from(["five", "seven"]),
    st.sampled_from(["neutral", "none"]),
    st.lists(st.sampled_from(list(OFFERED)), unique=True),
)
def test_every_answer_round_trips(made: Source, scale: str, middle: str, beside: list[str]) -> None:
    content = RATING.stimulus(replace(made, settings={"scale": scale, "middle": middle, "beside": beside}))
    for option in RATING.context(content, {}, 0)["options"]:
        sent = dict.fromkeys(["answer", *beside], option.value)
        form = RATING.form(content, sent)
        assert form.is_valid() and form.cleaned_data == dict.fromkeys(sent, int(option.value))
        assert RATING.label_of(form.cleaned_data) == option.value
