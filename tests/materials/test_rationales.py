from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from materials.rationales import RationaleError, read_rationale

#       0 2     8    13 15
TEXT = "a great film , really"


def problem(rationale: Any, content: str = TEXT) -> str:
    with pytest.raises(RationaleError) as error:
        read_rationale(rationale, content)
    return str(error.value)


def test_it_works() -> None:
    assert read_rationale([[8, 12], [2, 7]], TEXT) == [[2, 7], [8, 12]]


@pytest.mark.parametrize(
    ("rationale", "spans"),
    [
        ([], []),
        ([[2, 7, 0.5], [8, 12]], [[2, 7, 0.5], [8, 12]]),
        ([["2", "7", "1.5"]], [[2, 7, 1.5]]),
        ([[2.0, 7.0]], [[2, 7]]),
    ],
)
def test_characters_may_be_graded(rationale: Any, spans: Any) -> None:
    assert read_rationale(rationale, TEXT) == spans


@pytest.mark.parametrize(
    ("rationale", "spans"),
    [
        ([0, 1, 1, 0, 1], [[2, 12], [15, 21]]),
        (["0", "1.0", "0", "0", "0"], [[2, 7]]),
        ([0, 0, 0, 0, 0], []),
        ([0, 0.5, 2, 0, 0], [[2, 7, 0.5], [8, 12, 2.0]]),
        ({"token_spans": [[1, 3]]}, [[2, 12]]),
        ({"token_spans": [[1, 3, 2], [4, 5, 1]]}, [[2, 12, 2.0], [15, 21, 1.0]]),
        ({"token_weights": [0, 1, 0, 0, 0]}, [[2, 7]]),
    ],
)
def test_tokens_stand_between_white_space(rationale: Any, spans: Any) -> None:
    assert read_rationale(rationale, TEXT) == spans


def test_other_tokens_are_found_in_the_text() -> None:
    tokens = ["[CLS]", "un", "##believ", "##able", "film", "!", "[SEP]"]
    content = "Unbelievable film!"
    assert read_rationale({"tokens": tokens, "token_spans": [[1, 4]]}, content) == [[0, 12]]
    assert read_rationale({"tokens": tokens, "token_spans": [[0, 1], [5, 7]]}, content) == [[17, 18]]
    assert read_rationale({"tokens": tokens, "token_weights": [9, 3, 0, 0, 1, 0, 0]}, content) == [
        [0, 2, 3.0], [13, 17, 1.0],
    ]  # fmt: skip
    assert read_rationale({"tokens": tokens, "token_weights": [1, 1, 1, 1, 0, 0, 1]}, content) == [[0, 12]]


def test_evidence_counts_the_tokens_of_the_document() -> None:
    evidence = {"text": "great film", "docid": "d", "start_token": 1, "end_token": 3, "start_sentence": 0}
    assert read_rationale([[evidence]], TEXT) == [[2, 12]]
    assert read_rationale([[{**evidence, "start_token": "4", "end_token": "5", "text": ""}], [evidence]], TEXT) == [
        [2, 12], [15, 21],
    ]  # fmt: skip
    assert read_rationale([[evidence]], "a\r\ngreat \n film") == [[3, 15]]
    assert read_rationale([[]], TEXT) == []


@pytest.mark.parametrize("text", ["Great  film", "great-film.", [12, 7], None, ""])
def test_the_text_of_evidence_is_another_writing_of_it(text: Any) -> None:
    assert read_rationale([[{"text": text, "start_token": 1, "end_token": 3}]], TEXT) == [[2, 12]]


def test_erasers_tokens_are_divided_by_plain_spaces_and_lines_alone() -> None:
    content = "  a\u00a0b  c\t\n \n\u00a0d e\r\nf"
    found = [read_rationale([[{"start_token": at, "end_token": at + 1}]], content)[0] for at in range(5)]
    assert [content[int(start) : int(end)] for start, end in found] == ["a\u00a0b", "c", "d", "e", "f"]


def test_code_points_are_counted_and_not_bytes() -> None:
    assert read_rationale([0, 1], "\U0001f600 cafe\u0301") == [[2, 7]]


@pytest.mark.parametrize(
    ("rationale", "says"),
    [
        ("the end", "is no list of spans; expected [[start, end], ...]"),
        (None, "is no list of spans"),
        (7, "is no list of spans"),
        ([[1]], "is no list of spans"),
        ([[1, 2, 3, 4]], "is no list of spans"),
        ([[1, 2.5]], "is no list of spans"),
        ([[True, 2]], "is no list of spans"),
        ([1, [2, 3]], "is no list of spans"),
        ([[0, float("nan")]], "is no list of spans"),
        ([[0, 10**400]], "is no list of spans"),
        ([[0, 22]], "holds the span [0, 22], but the text has the characters 0 to 21"),
        ([[3, 3]], "holds the span [3, 3]"),
        ([[2, 7, -1]], "holds the weight -1; expected a number from 0 up"),
        ([[2, 7, "inf"]], "holds the weight inf"),
        ([0, 1], "has 2 numbers, but there are 5 tokens"),
        ({"token_spans": [[1, 6]]}, "holds the span [1, 6], but there are the tokens 0 to 5"),
        ({"tokens": ["a"]}, "has the keys 'tokens'; expected"),
        ({"token_spans": [], "token_weights": []}, "has the keys 'token_spans', 'token_weights'"),
        ({}, "has the keys none"),
        ({"tokens": ["a", "small"], "token_spans": [[0, 1]]}, "has tokens that do not follow one another in the text"),
        ({"tokens": 3, "token_spans": [[0, 1]]}, "is no list of spans"),
        ([[{"docid": "d"}]], "is no list of spans"),
        ([[{"start_token": -1, "end_token": -1}]], "holds the span [-1, -1]"),
        (
            [[{"text": "great work", "start_token": 1, "end_token": 3}]],
            "holds the evidence 'great work', but tokens 1 to 3 are 'great film'; leave its text out",
        ),
    ],
)
def test_what_is_wrong_is_said(rationale: Any, says: str) -> None:
    assert problem(rationale).startswith(says)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["tokens", "token_spans", "token_weights", "start_token", "end_token"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_whatever_comes_is_spans_within_the_text_or_refused(rationale: Any) -> None:
    try:
        spans = read_rationale(rationale, TEXT)
    except RationaleError:
        return
    assert all(0 <= span[0] < span[1] <= len(TEXT) and len(span) <= 3 for span in spans)
