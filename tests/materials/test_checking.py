import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from materials.checking import Columns, check, choose_columns, find_alike
from materials.reading import Row

ALL = Columns("text", "label", "id", "language", "rationale")


def row(**cells: str) -> Row:
    return Row(7, {"text": "A fine film", "label": "pos", "id": "r1", **cells})


def problem(**cells: str) -> str:
    checked = check(row(**cells), ALL)
    return f"{checked.column}: {checked.problem}"


def test_it_works() -> None:
    checked = check(row(language="en", rationale="[[2, 6]]"), ALL, ["pos"])
    assert checked.problem == "" and (checked.line, checked.key, checked.label) == (7, "r1", "pos")
    assert (checked.language, checked.rationale) == ("en", "[[2, 6]]")
    assert checked.content_hash == hashlib.sha256(b"A fine film").hexdigest()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1).filter(str.strip))
def test_a_text_is_taken_as_it_is(text: str) -> None:
    checked = check(row(text=text), ALL)
    assert checked.content == text and checked.content_hash == hashlib.sha256(text.encode()).hexdigest()


@given(st.text())
def test_any_cell_is_taken_or_refused_with_a_reason(cell: str) -> None:
    for column in ALL:
        checked = check(row(**{column: cell}), ALL)
        # Whatever is stored of it, Postgres can hold it.
        "".join(map(str, checked)).encode()
        assert "\x00" not in "".join(map(str, checked[1:8]))
        assert checked.problem == "" or checked.column == column


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u00a0\u2003", "\ufeff \n".replace("\ufeff", "")])
def test_white_space_alone_is_empty(text: str) -> None:
    assert problem(text=text) == "text: is empty"


def test_the_limit_counts_characters_and_not_bytes(settings: object) -> None:
    settings.MAX_TEXT_CHARACTERS = 4  # type: ignore[attr-defined]
    assert problem(text="\U0001f600" * 4) == ": "
    assert problem(text="\U0001f600" * 5) == "text: has 5 characters; the most is 4"


def test_labels_lose_only_the_space_around_them() -> None:
    assert check(row(label=" very good\u00a0"), ALL).label == "very good"
    assert check(row(label=""), ALL).label == ""
    assert problem(label="x" * 201) == "label: has 201 characters; a label has 200 at most"


def test_an_id_column_must_be_filled() -> None:
    assert problem(id=" ") == "id: is empty"
    assert problem(id="x" * 201) == "id: has 201 characters; an id has 200 at most"
    assert check(Row(3, {"text": "a"}), Columns("text")).key == ""


@pytest.mark.parametrize("tag", ["en", "pt-BR", "zh-Hant-TW", "de-1996", ""])
def test_language_tags_are_taken(tag: str) -> None:
    assert check(row(language=tag), ALL).language == tag


@pytest.mark.parametrize("tag", ["e", "english language", "en_US", "x" * 36, "en-"])
def test_other_languages_are_refused(tag: str) -> None:
    assert "expected a language tag" in problem(language=tag)


@pytest.mark.parametrize(
    ("cell", "stored"),
    [("", ""), ("[]", "[]"), ("[[7, 11], [0, 1, 2]]", "[[0, 1, 2.0], [7, 11]]"), ('[["0", "11"]]', "[[0, 11]]")],
)
def test_rationales_are_put_in_order(cell: str, stored: str) -> None:
    assert check(row(rationale=cell), ALL).rationale == stored


@pytest.mark.parametrize(
    "cell", ["[[0, 12]]", "[[3, 3]]", "[[4, 2]]", "[[-1, 2]]", "[0, 1]", "{}x", "[[0]]", "null", "[" * 100_000, "7"]
)
def test_other_rationales_are_refused(cell: str) -> None:
    assert problem(rationale=cell).startswith("rationale: ")


def test_rationales_count_code_points() -> None:
    assert check(row(text="\U0001f600 ok", rationale="[[2, 4]]"), ALL).problem == ""
    assert "the characters 0 to 4" in problem(text="\U0001f600 ok", rationale="[[2, 5]]")


def test_a_rejected_text_is_quoted_in_part() -> None:
    checked = check(row(text="x\x00" * 500), ALL)
    assert checked.content == "x\ufffd" * 100 and checked.key == ""


def test_a_missing_cell_is_an_empty_one() -> None:
    assert check(Row(1, {"label": "pos"}), Columns("text", "label")).problem == "is empty"


def test_alike_names_are_found_only_where_there_is_one() -> None:
    assert find_alike(["Text", "label"], "text") == "Text"
    assert find_alike(["TEXT", "text"], "text") == "text"
    assert find_alike(["TEXT", "Text"], "text") == find_alike([], "text") == ""


def test_usual_names_are_found_by_themselves() -> None:
    found = choose_columns(["ID", "Text", "rationale", "label", "more"], Columns(""))
    assert found == Columns("Text", "label", "ID", "", "rationale")


def test_spans_survive_json() -> None:
    assert json.loads(check(row(rationale="[[0, 1]]"), ALL).rationale) == [[0, 1]]


def test_a_warning_is_kept_in_one_line() -> None:
    one = Row(2, {"text": "A grim film.", "warning": " This text speaks\n of violence. "})
    assert check(one, Columns("text", warning="warning")).warning == "This text speaks of violence."


def test_what_a_text_is_an_edit_of_is_an_id_or_nothing() -> None:
    columns = Columns("text", edit_of="edit_of")
    assert check(Row(2, {"text": "a", "edit_of": " r7 "}), columns).edit_of == "r7"
    assert check(Row(2, {"text": "a", "edit_of": " "}), columns).edit_of == ""


def test_a_template_is_any_name_of_bearable_length() -> None:
    columns = Columns("text", template="template")
    assert check(Row(2, {"text": "a", "template": " 7 "}), columns).template == "7"
    found = check(Row(2, {"text": "a", "template": "x" * 201}), columns)
    assert found.problem == "has 201 characters; the name of a template has 200 at most"


def test_a_long_warning_is_rejected() -> None:
    one = Row(2, {"text": "A grim film.", "warning": "x" * 201})
    assert check(one, Columns("text", warning="warning")).problem == "has 201 characters; a warning has 200 at most"
