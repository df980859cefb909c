import gzip
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.presets.reading import InputError
from analysis.presets.tables import Layout, numbers, read_table, told_lines

CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\",;\t|'"), min_size=1, max_size=12)
ROWS = [["task", "worker", "label"], ["t1", "w1", "a, b"], ["t2", "w1", 'say "no"'], ["t3", "w2", "two\nlines"]]


def write(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def as_csv(rows: list[list[str]], separator: str = ",", line_end: str = "\n") -> str:
    out = io.StringIO(newline="")
    pd.DataFrame(rows[1:], columns=rows[0]).to_csv(out, sep=separator, index=False, lineterminator=line_end)
    return out.getvalue()


def cells_of(path: Path) -> list[list[str]]:
    frame = read_table(path).frame
    return [list(frame.columns), *frame.to_numpy().tolist()]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_it_works(tmp_path: Path, separator: str, line_end: str) -> None:
    read = cells_of(write(tmp_path, as_csv(ROWS, separator, line_end)))
    assert [[cell.replace("\r\n", "\n") for cell in row] for row in read] == ROWS


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + as_csv(ROWS).encode(),
        as_csv(ROWS).encode("utf-16"),
        gzip.compress(as_csv(ROWS).encode()),
        as_csv(ROWS).encode() + b"\n\n   \n",
    ],
    ids=["byte order mark", "utf-16", "gzip", "blank lines"],
)
def test_it_unwraps(tmp_path: Path, content: bytes) -> None:
    assert cells_of(write(tmp_path, content)) == ROWS


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=6), st.sampled_from(",;\t|"))
@settings(max_examples=40, deadline=None)
def test_what_pandas_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], sep: str
) -> None:
    path = write(tmp_path_factory.mktemp("t"), as_csv([["one", "two"], *rows], sep))
    wanted = [[cell.strip() for cell in row] for row in rows]
    if not any("".join(row) for row in wanted):
        return
    found = read_table(path, Layout(sep, missing=())).frame.to_numpy().tolist()
    assert [[cell or "" for cell in row] for row in found] == [row for row in wanted if any(row)]


def test_lines_are_those_that_an_editor_shows(tmp_path: Path) -> None:
    frame = read_table(write(tmp_path, 'task,label\nt1,"two\nlines"\n\nt2,b\n')).frame
    assert frame.index.tolist() == [2, 5]


def test_marks_of_missing_cells_become_none(tmp_path: Path) -> None:
    frame = read_table(write(tmp_path, "a,b\n1,NA\n2,NaN\n3,-\n4, \n5,None\n")).frame
    assert frame["b"].tolist() == [None, None, "-", None, "None"]


def test_lone_quotation_marks_in_a_file_that_quotes_nothing_are_marks(tmp_path: Path) -> None:
    assert cells_of(write(tmp_path, 'a\tb\n"so\t1\nhe said "no\t2\n'))[1:] == [['"so', "1"], ['he said "no', "2"]]


def test_a_line_that_names_the_separator_is_none_of_the_rows(tmp_path: Path) -> None:
    frame = read_table(write(tmp_path, "sep=;\r\na;b\r\n1,5;x\r\n")).frame
    assert (list(frame.columns), frame.index.tolist()) == (["a", "b"], [3])


def test_columns_that_a_spreadsheet_left_empty_are_dropped(tmp_path: Path) -> None:
    assert cells_of(write(tmp_path, "a,b,,\n1,2,,\n")) == [["a", "b"], ["1", "2"]]


def test_json_lines_and_parquet_are_read_into_the_same_cells(tmp_path: Path) -> None:
    rows = [{"task": "t1", "label": 5.0}, {"task": "t2", "label": 2.5}]
    lines = write(tmp_path, '{"task": "t1", "label": 5.0}\n\n{"task": "t2", "label": 2.5}\n', "table.jsonl")
    pd.DataFrame(rows).to_parquet(tmp_path / "table.parquet")
    wanted = [["task", "label"], ["t1", "5"], ["t2", "2.5"]]
    assert cells_of(lines) == cells_of(tmp_path / "table.parquet") == wanted
    assert read_table(lines).frame.index.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("", "table.csv", "is empty"),
        ("a,b\n", "table.csv", "holds no rows"),
        (
            "a,b\n1,2\n3\n",
            "table.csv",
            r"line 3: expected 2 fields as in the first line, found 1 \(separated by comma\)",
        ),
        ('a,b\n1,2\n3,"open\n', "table.csv", "line 3: a quotation mark opens that is not closed"),
        ("a,a\n1,2\n", "table.csv", "line 1: two columns are called 'a'"),
        ("a,b\n1,\x002\n", "table.csv", "line 2: holds a character that no text has"),
        ("gr\xfcn,b\n1,2\n".encode("cp1252"), "table.csv", r"is not UTF-8 \(byte 2\)"),
        (b"\x1f\x8bnonsense", "table.csv.gz", "cannot be unpacked"),
        ("{}\n[1]\n", "table.jsonl", "line 2: expected an object"),
        ("{}\n{\n", "table.jsonl", "line 2: is not JSON"),
        ("nonsense", "table.parquet", "is not a Parquet file"),
    ],
)
def test_it_says_what_is_wrong_and_where(tmp_path: Path, content: str | bytes, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_table(write(tmp_path, content, name))


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere.csv: no such file"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_table(tmp_path)


def test_numbers_may_have_a_decimal_comma(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "a;b\n0,5;1\n-1e-3;2\n;3\n"))
    assert numbers(table, "a").dropna().tolist() == [0.5, -0.001]
    german = read_table(write(tmp_path, "a;b\n1.234,5;1\n"), Layout(decimal=","))
    assert numbers(german, "a").tolist() == [1234.5]


@pytest.mark.parametrize("cell", ["1.234,5", "1,234,567", "five", "inf", "1_000"])
def test_what_is_no_number_is_refused_with_line_and_column(tmp_path: Path, cell: str) -> None:
    table = read_table(write(tmp_path, f"a;b\n1;1\n{cell};1\n"))
    with pytest.raises(InputError, match=f"line 3, column a: expected a number, found '{cell}'"):
        numbers(table, "a")


@pytest.mark.parametrize("cell", ["1e308", "-1e100"])
def test_numbers_that_cannot_be_squared_are_refused(tmp_path: Path, cell: str) -> None:
    table = read_table(write(tmp_path, f"a;b\n1;1\n{cell};1\n"))
    with pytest.raises(InputError, match=rf"line 3, column a: expected a number below 1e\+100, found '{cell}'"):
        numbers(table, "a")


@pytest.mark.parametrize("encoding", ["undefined", "a\x00b", "hex"])
def test_what_is_no_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(InputError, match="there is no encoding"):
        read_table(write(tmp_path, "a;b\n1;1\n"), Layout(encoding=encoding))


def test_lines_are_told_up_to_five() -> None:
    assert told_lines([7]) == "line 7"
    assert told_lines(range(2, 10)) == "lines 2, 3, 4, 5, 6 and 3 more"
