import re

import pytest
from hypothesis import given

from protocols import Source
from protocols.marking import STEPS
from protocols.rating import RATING
from tests.protocols.rendering import rendered
from tests.protocols.sources import REVIEW, source, sources


def marked(made: Source) -> list[tuple[str, int]]:
    return [(made.content[start:end], strength) for start, end, strength in RATING.stimulus(made)["marks"]]


def test_it_works() -> None:
    assert marked(source()) == [("A", 1), ("great", 5), ("film", 3), ("with a", 1), ("dull", -3), ("ending", 2)]
    content = RATING.stimulus(source())
    assert content["text"] == REVIEW
    assert content["predicted"] == "positive"


def test_strength_is_relative_to_the_largest_score() -> None:
    made = source("one two three four", [2.0, -1.0, 0.5, 0.1])
    assert marked(made) == [("one", 5), ("two", -3), ("three", 1)]


def test_equal_neighbours_are_one_mark_with_the_gap_between_them() -> None:
    assert marked(source("very good film", [1.0, 1.0, 0.2])) == [("very good", 5), ("film", 1)]


def test_a_line_break_or_punctuation_keeps_marks_apart() -> None:
    assert marked(source("good\nfilm, fun", [1.0, 1.0, 1.0, 1.0])) == [("good", 5), ("film", 5), ("fun", 5)]


def test_a_gap_between_for_and_against_is_not_filled() -> None:
    assert marked(source("good bad", [1.0, -1.0])) == [("good", 5), ("bad", -5)]


@pytest.mark.parametrize("given_scores", [[0.0, 0.0], [None, None], [float("nan"), None]])
def test_without_any_strength_nothing_is_marked_and_the_page_says_so(given_scores: list[float | None]) -> None:
    content = RATING.stimulus(source("one two", given_scores))
    assert content["marks"] == []
    assert "No word of this text is marked." in rendered(RATING, content)


def test_constant_scores_mark_all_words_equally() -> None:
    assert marked(source("one two three", [0.3, 0.3, 0.3])) == [("one two three", STEPS)]


def test_signed_scores_below_zero_all_speak_against() -> None:
    assert marked(source("one two", [-0.4, -0.2])) == [("one", -5), ("two", -3)]


def test_unsigned_scores_below_zero_count_as_zero() -> None:
    assert marked(source("one two", [-0.4, 0.2], signed=False)) == [("two", 5)]
    assert marked(source("one two", [-0.4, -0.2], signed=False)) == []


@given(sources())
def test_marks_are_ordered_apart_and_within_the_text(made: Source) -> None:
    marks = RATING.stimulus(made)["marks"]
    assert all(start < end and 1 <= abs(strength) <= STEPS for start, end, strength in marks)
    assert all(left[1] <= right[0] for left, right in zip(marks, marks[1:], strict=False))
    assert all(start >= 0 and end <= len(made.content) for start, end, _ in marks)


@given(sources())
def test_the_page_shows_the_text_unchanged(made: Source) -> None:
    body = RATING.context(RATING.stimulus(made), {}, 0)["body"]
    text = re.sub(r"</?span[^>]*>", "", body)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&#x27;", "'"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(entity, character)
    assert text == made.content


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
    assert "speaking for the prediction: good." in page
    assert "speaking against the prediction: awful." in page


def test_the_record_names_neither_method_nor_truth() -> None:
    assert set(RATING.stimulus(source())) == {"question", "language", "text", "marks", "signed", "predicted"}


def test_the_answer_is_a_number() -> None:
    form = RATING.form(RATING.stimulus(source()), {"answer": "4"})
    assert form.is_valid() and form.cleaned_data == {"answer": 4}
    assert RATING.score(form.cleaned_data, {}, "positive") == 4.0


@pytest.mark.parametrize("answer", ["", "0", "6", "good"])
def test_the_form_refuses_anything_but_1_to_5(answer: str) -> None:
    assert not RATING.form(RATING.stimulus(source()), {"answer": answer}).is_valid()


def test_feedback_says_that_there_is_no_right_answer() -> None:
    assert "no right or wrong" in RATING.feedback({"answer": 3}, {}, "positive")
