import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import Edited, Source
from protocols.counterfactual_simulation import COUNTERFACTUAL_SIMULATION as PROTOCOL
from protocols.counterfactual_simulation import changes
from tests.protocols.rendering import rendered
from tests.protocols.sources import REVIEW, pieces, source, sources

EDITED = "A terrible film, with a dull ending."
texts = st.lists(pieces, min_size=1, max_size=20).map(" ".join)


def edited(content: str = EDITED, predicted: str = "negative", **settings: str) -> Source:
    return source(edited=Edited(content, predicted), settings=settings)


def test_it_works() -> None:
    content = PROTOCOL.stimulus(edited())
    assert content["text"] == REVIEW and content["edited"] == EDITED
    assert content["predicted"] == "positive" and content["choices"] == ["negative", "positive"]
    assert content["changes"] == [
        ["same", "A "],
        ["removed", "great "],
        ["added", "terrible "],
        ["same", "film, with a dull ending."],
    ]
    page = rendered(PROTOCOL, content)
    assert 'class="mark for-5">great<' in page and 'value="negative" data-key="1"' in page


def test_the_record_says_nothing_of_what_the_model_makes_of_the_edit() -> None:
    content = PROTOCOL.stimulus(edited(predicted="secretlabel"))
    assert "secretlabel" not in json.dumps(content) and "secretlabel" not in rendered(PROTOCOL, content)


def test_changes_are_heard_and_seen() -> None:
    page = rendered(PROTOCOL, PROTOCOL.stimulus(edited()))
    assert "removed: </bdi>great<bdi" in page and "</bdi></del> <ins>" in page
    assert "added: </bdi>terrible<bdi" in page and "underlined: added" in page


def test_changes_are_marked_only_where_asked() -> None:
    page = rendered(PROTOCOL, PROTOCOL.stimulus(edited(changes="unmarked")))
    assert EDITED in page and "<ins>" not in page and "<del>" not in page


def test_without_an_explanation_the_original_stands_alone() -> None:
    page = rendered(PROTOCOL, PROTOCOL.stimulus(replace(edited(), maps=[], baseline="no_explanation")))
    assert 'class="mark' not in page and "spoke for" not in page and REVIEW in page


def test_it_refuses_a_source_without_an_edit() -> None:
    with pytest.raises(ValueError, match="needs an edited text"):
        PROTOCOL.stimulus(source())


def test_words_of_scripts_without_spaces_are_told_apart() -> None:
    assert list(changes("这部电影很好。", "这部电影很糟。", "zh"))[-1] == ("same", "。")


def test_white_space_alone_is_no_change() -> None:
    assert list(changes("a  b", "a b")) == [("same", "a b")]


@given(texts, texts)
def test_what_is_not_removed_is_the_edited_text(before: str, after: str) -> None:
    found = list(changes(before, after))
    assert "".join(text for kind, text in found if kind != "removed") == after
    original = "".join(text for kind, text in found if kind != "added")
    assert re.sub(r"\s", "", original) == re.sub(r"\s", "", before)


@given(sources(), texts)
def test_texts_are_escaped(made: Source, after: str) -> None:
    page = rendered(PROTOCOL, PROTOCOL.stimulus(replace(made, edited=Edited(after, "x"))))
    assert "<b>" not in page


@pytest.mark.parametrize(("answer", "value"), [("negative", 1.0), ("positive", 0.0)])
def test_the_output_for_the_edit_is_right(answer: str, value: float) -> None:
    assert PROTOCOL.score({"answer": answer}, PROTOCOL.stimulus(edited()), "negative") == value
