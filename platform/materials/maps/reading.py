"""Rows of a file of saliency maps: JSON lines, a JSON list or Parquet, numbers as numbers."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from materials.encodings import detect_encoding
from materials.errors import FileError
from materials.reading import kind_of, lines_of
from materials.unpacking import check_parquet, parquet_rows

EXPECTED = "expected JSON lines (.jsonl) or Parquet"
# A JSON list is held in memory whole, and may be thirty times as large there; JSON lines and Parquet are not.
LARGEST_LIST = 2**25
ROWS_AT_ONCE = 256
# What others call the same: ferret, thermostat and OmniXAI. The first that holds something is taken.
ALIASES = {
    "text_id": ("id", "idx"),
    "text": ("instance",),
    "method": ("explainer",),
    "scores": ("attributions",),
    "target": ("target_pos_idx", "target_label"),
}
WHERE = ("offsets", "tokens", "words")


class Row(NamedTuple):
    """A row as it is; what is null is left out. `problem` says why it cannot be used."""

    line: int
    values: dict[str, Any]
    problem: str = ""


@dataclass(frozen=True)
class MapFile:
    """`rows` starts anew on every call; `about` is the number of rows, for a bar of progress."""

    path: Path
    about: int
    rows: Callable[[], Iterator[Row]]


def open_maps(path: Path, method: str = "") -> MapFile:
    """FileError where the file as a whole is none of maps. `method` says that rows need not name theirs."""
    kind = kind_of(path)
    if kind == "parquet":
        file = _parquet(path)
    elif kind == "jsonl":
        file = _json(path, detect_encoding(path))
    else:
        raise FileError(path, f"is no file of maps: {EXPECTED}")
    first = next(file.rows(), None)
    if first is None:
        raise FileError(path, "has no rows")
    if problem := first.problem or _lacking(first.values, method):
        raise FileError(path, problem, first.line)
    return file


def _lacking(values: Mapping[str, Any], method: str) -> str:
    """What no row can do without, told once where the first has not got it."""
    has = ", ".join(map(repr, values)) or "nothing"
    if "scores" not in values:
        return f"has no scores; it has {has}"
    if not any(name in values for name in WHERE):
        if "input_ids" in values:
            return (
                "has token ids (input_ids), which only their tokenizer can read: add a column tokens, made by "
                "tokenizer.convert_ids_to_tokens(input_ids)"
            )
        return f"has no offsets, words or tokens that say where the scores stand; it has {has}"
    if "text_id" not in values and "text" not in values:
        return f"names no text: add a column text_id (the text's id in the dataset) or text; it has {has}"
    if not method and "method" not in values:
        return f"names no method: add a column method, or say --method NAME; it has {has}"
    return ""


def _named(values: Mapping[str, Any]) -> dict[str, Any]:
    """By our names, without nulls."""
    found = {name: value for name, value in values.items() if value is not None}
    for name, aliases in ALIASES.items():
        for alias in aliases:
            if alias in found:
                found.setdefault(name, found[alias])
    return found


def _json(path: Path, encoding: str) -> MapFile:
    with path.open(encoding=encoding, newline="\n") as file:
        start = next((line for line in lines_of(path, file) if line.strip()), "")
    if start.lstrip().startswith("["):
        return _json_list(path, encoding)

    def rows() -> Iterator[Row]:
        with path.open(encoding=encoding, newline="\n") as file:
            for number, line in enumerate(lines_of(path, file), start=1):
                if line.strip():
                    yield _json_row(number, line)

    with path.open("rb") as raw:
        about = sum(block.count(b"\n") for block in iter(lambda: raw.read(2**20), b""))
    return MapFile(path, about, rows)


def _json_row(number: int, line: str) -> Row:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Row(number, {}, 'is not JSON: expected one object a line, such as {"text_id": "1", ...}')
    return _row(number, value)


def _row(number: int, value: Any) -> Row:
    if not isinstance(value, dict):
        return Row(number, {}, 'is no object: expected objects such as {"text_id": "1", ...}')
    return Row(number, _named(value))


def _json_list(path: Path, encoding: str) -> MapFile:
    """Its rows have the numbers of the list's entries, from 1."""
    if path.stat().st_size > LARGEST_LIST:
        raise FileError(
            path, f"is a JSON list of over {LARGEST_LIST // 2**20} MB: turn it into JSON lines by: jq -c '.[]'"
        )
    try:
        values = json.loads(path.read_text(encoding=encoding))
    except (ValueError, RecursionError) as error:
        raise FileError(path, f"is no JSON list ({error}): {EXPECTED}") from error
    return MapFile(path, len(values), lambda: (_row(number, value) for number, value in enumerate(values, start=1)))


def _parquet(path: Path) -> MapFile:
    about = check_parquet(path).num_rows
    return MapFile(path, about, lambda: _parquet_rows(path))


def _parquet_rows(path: Path) -> Iterator[Row]:
    for number, row in enumerate(parquet_rows(path, ROWS_AT_ONCE), start=1):
        yield Row(number, _named(row))
