import html
import re
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from protocols import Source
from protocols.rationale_marking import RATIONALE_MARKING as PROTOCOL
from protocols.rationale_marking import label_of, words_of
from tests.protocols.rendering import rendered
from tests.protocols.sources import REVIEW, source, sources


def content(picks: str = "none", **changes: Any) -> dict[str, Any]:
    return PROTOCOL.stimulus(source(expected="positive", maps=[], settings={"picks": picks}, **changes))


def sent(query: str, picks: str = "none") -> Any:
    return PROTOCOL.form(content(picks), QueryDict(query))


def test_it_works() -> None:
    made = content()
    assert [REVIEW[start:end] for start, end in made["words"]] == ["A", "great", "film", "with", "a", "dull", "ending"]
    assert made["label"] == "positive" and made["picks"] == []
    form = sent("answer=marked&words=2&words=1")
    assert form.is_valid() and form.cleaned_data == {"answer": "marked", "words": [1, 2]}
    assert label_of(form.cleaned_data) == "1-2"


def test_nothing_can_justify_it() -> None:
    form = sent("answer=nothing")
    assert form.is_valid() and form.cleaned_data == {"answer": "nothing", "words": []}
    assert label_of(form.cleaned_data) == "nothing"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "press “Done”"),
        ("answer=marked", "Mark at least one word"),
        ("answer=nothing&words=1", "You have marked words"),
        ("answer=marked&words=7", "words of this text only"),
        ("answer=marked&words=x", "words of this text only"),
        ("answer=other&words=1", "one of the answers below"),
    ],
)
def test_an_answer_that_cannot_be_is_told_why(query: str, says: str) -> None:
    form = sent(query)
    assert not form.is_valid()
    assert says in next(iter(form.errors.values()))[0]


def test_the_most_and_the_least_important_word_are_of_the_marked() -> None:
    form = sent("answer=marked&words=1&words=5&most=5&least=1", "both")
    assert form.is_valid()
    assert form.cleaned_data == {"answer": "marked", "words": [1, 5], "most": 5, "least": 1}


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("most=5&least=5", "cannot be the one"),
        ("most=2&least=1", "that you have marked"),
        ("most=1", "that you have marked"),
        ("most=9&least=1", "words of this text only"),
    ],
)
def test_other_choices_of_important_words_are_refused(query: str, says: str) -> None:
    form = sent(f"answer=marked&words=1&words=5&{query}", "both")
    assert not form.is_valid()
    assert says in next(iter(form.errors.values()))[0]


@pytest.mark.parametrize("query", ["answer=marked&words=1", "answer=nothing"])
def test_of_fewer_than_two_words_none_is_asked_for(query: str) -> None:
    form = sent(query, "both")
    assert form.is_valid()
    assert form.cleaned_data["most"] is None and form.cleaned_data["least"] is None


@given(st.sets(st.integers(0, 400)))
def test_a_label_holds_every_marked_word(words: set[int]) -> None:
    assert words_of(label_of({"answer": "marked", "words": sorted(words)})) == words


def test_a_word_is_a_checkbox_with_the_word_for_its_name() -> None:
    page = rendered(PROTOCOL, content())
    assert "<label><input type=checkbox name=words value=1><span>great</span></label>" in page
    assert "Nothing here justifies it" in page and "checked" not in page and "<select" not in page


@given(sources(expected="positive", maps=[]))
def test_the_page_shows_the_text_unchanged(made: Source) -> None:
    body = str(PROTOCOL.context(PROTOCOL.stimulus(made), {}, 0)["body"])
    assert html.unescape(re.sub(r"</?(label|input|span)[^>]*>", "", body)) == made.content


def test_an_answer_that_was_given_stands_on_the_page_again() -> None:
    made = content("both")
    given_before = {"words": ["1", "5"], "most": "5", "least": ""}
    page = rendered(PROTOCOL, made, **PROTOCOL.context(made, {"given": given_before}, 0))
    assert page.count(" checked") == 2 and "<option value=5 selected>dull" in page


def test_a_long_text_stays_a_light_page() -> None:
    words = " ".join(f"something{number}" for number in range(300))
    made = PROTOCOL.stimulus(source(words, [], expected="positive", maps=[], settings={"picks": "both"}))
    assert len(rendered(PROTOCOL, made).encode()) < 55_000


def test_marks_are_neither_right_nor_wrong() -> None:
    assert PROTOCOL.score({"answer": "marked", "words": [1]}, content(), "positive") is None
    assert PROTOCOL.feedback({"words": [1]}, content(), "positive").startswith("You marked 1 word.")
    assert PROTOCOL.feedback({"words": []}, content(), "positive").startswith("You found nothing")
