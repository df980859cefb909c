import csv
import gzip
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from materials.importing import FileError, Row, open_table, read_rows

# NUL and lone surrogates are characters that no file of ours can hold; they are refused when a row is checked.
TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1), min_size=1)
TRICKY = [
    "café",
    "cafe\u0301",
    "👩\u200d👩\u200d👧 ok",
    "a\u00a0b\u202fc",
    "two\r\nlines",
    "old\rmac",
    "שלום, עולם",
    'say "hi", now',
    " edges ",
    "a\u2028b\x85c",
]
LOOSE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def made(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def texts_of(path: Path) -> list[str]:
    return [row.columns["text"] for row in read_rows(path)]


def refusal(path: Path, encoding: str = "") -> str:
    with pytest.raises(FileError) as caught:
        list(read_rows(path, encoding))
    return str(caught.value)


def test_it_works(tmp_path: Path) -> None:
    path = made(tmp_path, "a.csv", 'text,label\n"good, really",pos\nbad,neg\n')
    assert list(read_rows(path)) == [
        Row(2, {"text": "good, really", "label": "pos"}),
        Row(3, {"text": "bad", "label": "neg"}),
    ]


@LOOSE
@given(TEXTS)
def test_csv_keeps_every_character(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([["text"], *([text] for text in texts)])
    assert texts_of(path) == texts


@LOOSE
@given(TEXTS)
def test_json_lines_keep_every_character(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts), newline="")
    assert texts_of(path) == texts


@LOOSE
@given(TEXTS)
def test_parquet_keeps_every_character(tmp_path: Path, texts: list[str]) -> None:
    pyarrow.parquet.write_table(pyarrow.table({"text": texts}), tmp_path / "a.parquet")
    assert texts_of(tmp_path / "a.parquet") == texts


@pytest.mark.parametrize("text", TRICKY)
@pytest.mark.parametrize("bom", ["utf-8", "utf-8-sig", "utf-16"])
def test_tricky_texts_survive_in_any_unicode_encoding(tmp_path: Path, text: str, bom: str) -> None:
    path = tmp_path / "a.tsv"
    with path.open("w", encoding=bom, newline="") as file:
        csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([["text"], [text]])
    assert texts_of(path) == [text]


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    path = made(tmp_path, "a.csv", 'text,label\n"one\ntwo\nthree",a\n\nfour,b\n')
    assert [row.line for row in read_rows(path)] == [2, 6]


def test_semicolons_and_tabs_are_found_in_a_csv(tmp_path: Path) -> None:
    assert open_table(made(tmp_path, "a.csv", "text;label\nx;y\n")).columns == ("text", "label")
    assert open_table(made(tmp_path, "b.csv", "text\tlabel\nx\ty\n")).columns == ("text", "label")


def test_quotes_can_be_taken_as_characters(tmp_path: Path) -> None:
    path = made(tmp_path, "a.tsv", 'text\tlabel\n"Good" film\tpos\n')
    assert "line 2" in refusal(path) and "“Quotes are plain characters”" in refusal(path)
    assert [row.columns["text"] for row in read_rows(path, quoting=False)] == ['"Good" film']


def test_numbers_keep_their_digits_and_null_is_empty(tmp_path: Path) -> None:
    path = made(tmp_path, "a.jsonl", '{"text": "a", "label": 1.0, "id": null, "rationale": [[0, 1]], "x": true}\n')
    row = next(read_rows(path)).columns
    assert (row["label"], row["id"], row["x"]) == ("1.0", "", "true")
    assert json.loads(row["rationale"]) == [["0", "1"]]


def test_parquet_numbers_null_and_lists_become_text(tmp_path: Path) -> None:
    table = pyarrow.table({"text": ["a"], "label": [3], "id": pyarrow.array([None], "string"), "rationale": [[[0, 1]]]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    row = next(read_rows(tmp_path / "a.parquet")).columns
    assert row == {"text": "a", "label": "3", "id": "", "rationale": "[[0, 1]]"}


def test_parquet_is_known_by_its_content(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pyarrow.table({"text": ["a"]}), tmp_path / "a.csv")
    assert texts_of(tmp_path / "a.csv") == ["a"]


def test_a_ragged_row_is_a_problem_of_that_row(tmp_path: Path) -> None:
    rows = list(read_rows(made(tmp_path, "a.csv", "text,label\na,b,c\nd,e\nf\n")))
    assert [row.problem for row in rows] == [
        "has 3 cells where the header has 2",
        "",
        "has 1 cells where the header has 2",
    ]


def test_a_json_line_that_is_no_object_is_a_problem_of_that_row(tmp_path: Path) -> None:
    rows = list(read_rows(made(tmp_path, "a.jsonl", '{"text": "a"}\n[1]\n{"text"\n')))
    assert ["no object" in row.problem or "not JSON" in row.problem for row in rows] == [False, True, True]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", "text,label\n", "no rows"),
        ("a.csv", "\n\n", "no column names"),
        ("a.csv", b"text,label\n" + b"x" * (2**24 + 1), "is it .csv, .tsv, .jsonl or .parquet?"),
        ("a.csv", "text,text\na,b\n", "two columns of one name (text)"),
        ("a.csv", "text,la\0bel\na,b\n", "a column name with a character that no text has"),
        ("a.jsonl", r'{"te\ud83dxt": "a"}', "a column name with a character that no text has"),
        ("a.csv", 'text,label\n"never closed,pos\n', "broken quotes"),
        ("a.csv", '{"text": "a"}\n', "rename it to .jsonl"),
        ("a.csv", b"PK\x03\x04rest", "Excel"),
        ("a.csv", gzip.compress(b"text\na\n", mtime=0), "gzip"),
        ("a.csv", bytes(range(256)) * 10 + b"\x00" * 900, "is binary"),
        ("a.doc", "text\na\n", "expected .csv, .tsv, .jsonl or .parquet"),
        ("a.parquet", "text\na\n", "is not"),
        ("a.parquet", b"PAR1 and rubbish", "damaged"),
        ("a.jsonl", "text,label\na,b\n", "is not JSON"),
        ("a.json", '[{"text": "a"}]', "jq"),
    ],
)
def test_a_file_that_is_no_table_says_what_to_do(tmp_path: Path, name: str, content: str | bytes, says: str) -> None:
    said = refusal(made(tmp_path, name, content))
    assert said.startswith(name) and says in said


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    assert "is a folder" in refusal(tmp_path)
    assert "is not there" in refusal(tmp_path / "none.csv")


def test_a_sure_encoding_is_decoded(tmp_path: Path) -> None:
    text = "这部电影非常好看。我很喜欢它的故事。"
    path = made(tmp_path, "a.csv", ("text,label\n" + f"{text},pos\n" * 3).encode("gb18030"))
    assert texts_of(path) == [text] * 3


def test_an_unsure_encoding_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = made(tmp_path, "a.csv", "text,label\nA fine film with a naïve plot.,pos\n".encode("cp1252"))
    said = refusal(path)
    assert "is not UTF-8" in said and "cp1252" in said and "CSV UTF-8" in said
    assert [row.columns["text"] for row in read_rows(path, "cp1252")] == ["A fine film with a naïve plot."]


def test_a_wrong_encoding_says_the_line(tmp_path: Path) -> None:
    path = made(tmp_path, "a.csv", b"text\nfine\n" + b"\xff\xfe caf\xe9\n")
    assert "cannot be decoded as utf-8" in refusal(path, "utf-8")
    assert "name an encoding" in refusal(path, "klingon")
