"""Files that unpack, or multiply, into more than a machine holds are refused before they do."""

import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from materials import unpacking
from materials.errors import FileError
from materials.maps.reading import open_maps
from materials.reading import open_table
from materials.unpacking import parquet_rows
from tests.security import bombs

MB = 2**20


@pytest.fixture(autouse=True)
def no_more_memory_than(request: Any) -> Iterator[None]:
    """What is read here stays far below what the files say."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000  # Kilobytes.


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (bombs.one_long_value, "a page of 40 MB in text"),
        (bombs.growing_values, "in the encoding DELTA_BYTE_ARRAY"),
        (bombs.nothing_but_nulls, "9,000,000 values at once in text"),
        (bombs.lying, "a page of 2,047 MB in text"),
    ],
)
def test_it_works(tmp_path: Path, make: Callable[[Path], Path], problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "LARGEST_PAGE", 32 * MB)
    path = make(tmp_path / "bomb.parquet")
    assert path.stat().st_size < 2 * MB
    with pytest.raises(FileError, match=problem):
        open_table(path)


def test_a_value_that_is_repeated_is_read_as_often_as_it_fits(tmp_path: Path) -> None:
    path = bombs.one_value_often(tmp_path / "bomb.parquet")
    rows = open_table(path).rows()
    first = [next(rows) for _ in range(8)]
    assert path.stat().st_size < MB and {len(row.columns["text"]) for row in first} == {16 * MB}


def test_a_row_that_is_too_large_is_told_by_its_number(tmp_path: Path) -> None:
    path = bombs.one_row_of_many(tmp_path / "bomb.parquet")
    with pytest.raises(FileError, match="line 1: holds more than 64 MB"):
        list(open_table(path).rows())
    with pytest.raises(FileError, match="line 1: holds more than 64 MB"):
        open_maps(path)


def test_values_survive_as_they_were(tmp_path: Path) -> None:
    """What is read in this roundabout way is what any reader would have."""
    columns: dict[str, Any] = {
        "text": ["a", None, "ü\n", "a"],
        "words": [["a", "b"], [], None, ["a", None]],
        "scores": [[0.1, None], [], None, [1.0, 2.0]],
        "spans": [[[0, 1], [2, 3]], [], None, [[4, 5]]],
        "facts": [{"x": "1", "y": 2}, None, {"x": None, "y": 3}, {"x": "1", "y": None}],
        "large": pyarrow.array(["a", "b", None, "a"], pyarrow.large_string()),
        "bytes": [b"a", b"b", None, b"a"],
        "pairs": pyarrow.array(
            [[("k", "v")], [], None, [("k", None)]], pyarrow.map_(pyarrow.string(), pyarrow.string())
        ),
    }
    path = bombs.parquet(tmp_path / "a.parquet", columns)
    assert list(parquet_rows(path, 3)) == pyarrow.table(columns).to_pylist()


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_rows_are_counted(tmp_path: Path, kind: str, settings: Any) -> None:
    settings.MAX_ROWS = 3
    path = tmp_path / f"a.{kind}"
    path.write_text("".join(['{"text": "a"}\n'] * 4) if kind == "jsonl" else "text\n" + "a\n" * 4)
    with pytest.raises(FileError, match="has more than 3 rows: split it, or raise MAX_ROWS"):
        list(open_table(path).rows())


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_are_counted(tmp_path: Path, kind: str) -> None:
    path, names = tmp_path / f"a.{kind}", [f"column {at}" for at in range(200_000 if kind != "parquet" else 1001)]
    if kind == "parquet":
        bombs.parquet(path, {name: [1] for name in names})
    elif kind == "jsonl":
        path.write_text("{" + ",".join(f'"{name}":1' for name in names) + "}\n")
    else:
        path.write_text(("," if kind == "csv" else "\t").join(names) + "\n")
    with pytest.raises(FileError, match="columns; the most is 1,000"):
        open_table(path)


def test_a_list_of_lists_of_lists_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n{"text": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    assert [bool(row.problem) for row in open_table(path).rows()] == [False, True]


def test_a_list_too_large_to_hold_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[\n" + "[],\n" * (9 * MB) + "[]]")
    with pytest.raises(FileError, match="a JSON list of over 32 MB"):
        open_maps(path)


def test_a_line_that_never_ends_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\n" + "a" * (20 * MB))
    with pytest.raises(FileError, match="a line of over 16,777,216 characters"):
        list(open_table(path).rows())
