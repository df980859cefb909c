import json
from typing import Any

import pytest
from hypothesis import given

from protocols import Source
from protocols.forward_simulation import FORWARD_SIMULATION as PROTOCOL
from tests.protocols.rendering import rendered
from tests.protocols.sources import REVIEW, source, sources


def solved(made: Source, step: int = 0, **more: Any) -> str:
    content = PROTOCOL.example(made) if PROTOCOL.example else {}
    return rendered(PROTOCOL, content, **PROTOCOL.context(content, {}, step), **more)


def test_it_works() -> None:
    content = PROTOCOL.stimulus(source())
    assert content == {
        "question": "What is it?",
        "language": "",
        "text": REVIEW,
        "choices": ["negative", "positive"],
    }
    page = rendered(PROTOCOL, content)
    assert REVIEW in page and 'value="positive" data-key="2"' in page


def test_a_test_text_shows_neither_output_nor_marks() -> None:
    content = PROTOCOL.stimulus(source(predicted="secretlabel"))
    assert "secretlabel" not in json.dumps(content)
    page = rendered(PROTOCOL, content)
    assert 'class="mark' not in page and "The program says" not in page


def test_an_example_shows_the_output_and_the_marks_and_asks_nothing() -> None:
    page = solved(source())
    assert '<strong dir="auto">positive</strong>' in page
    assert 'class="mark for-5">great<' in page and "spoke against it" in page
    assert "data-key" not in page and "What is it?" not in page


def test_an_example_without_an_explanation_shows_the_output_alone() -> None:
    page = solved(source(maps=[], baseline="no_explanation"))
    assert '<strong dir="auto">positive</strong>' in page and REVIEW in page
    assert 'class="mark' not in page and "legend" not in page


def test_a_map_that_marks_nothing_is_told_from_no_map() -> None:
    assert "No word of this text is marked." in solved(source("one two", [0.0, 0.0]))


def test_an_example_can_be_asked_before_it_is_solved() -> None:
    made = source(settings={"ask_first": True})
    asked, told = solved(made), solved(made, step=1)
    assert "What is it?" in asked and 'class="mark' not in asked and "The program says" not in asked
    assert "The program says" in told and "data-key" not in told


@given(sources())
def test_test_texts_are_the_same_in_every_arm(made: Source) -> None:
    bare = source(made.content, [], maps=[], baseline="no_explanation")
    assert PROTOCOL.stimulus(made) == PROTOCOL.stimulus(bare)


@given(sources(predicted="<secret>"))
def test_examples_are_escaped(made: Source) -> None:
    page = solved(made)
    assert "<b>" not in page and "<secret>" not in page


@pytest.mark.parametrize(("answer", "value"), [("positive", 1.0), ("negative", 0.0)])
def test_what_the_model_says_is_right(answer: str, value: float) -> None:
    assert PROTOCOL.score({"answer": answer}, PROTOCOL.stimulus(source()), "positive") == value


@pytest.mark.parametrize(("answer", "start"), [("positive", "Well foretold"), ("negative", "Not this time")])
def test_feedback_names_what_the_model_says(answer: str, start: str) -> None:
    said = PROTOCOL.feedback({"answer": answer}, {}, "positive")
    assert said.startswith(start) and "“positive”" in said


@pytest.mark.parametrize("answer", ["", "neutral", "cannot_tell"])
def test_the_form_takes_labels_only(answer: str) -> None:
    assert not PROTOCOL.form(PROTOCOL.stimulus(source()), {"answer": answer}).is_valid()


def test_workers_stay_with_one_method_and_learn_from_examples() -> None:
    assert PROTOCOL.between and PROTOCOL.learning and PROTOCOL.maps == 1
    assert PROTOCOL.baselines == ("no_explanation",) and not PROTOCOL.judges
    assert PROTOCOL.complete_settings({}) == {"ask_first": False}
