"""What people marked, in the forms that files have it in, as spans of the text: [start, end] or [start, end, weight].

Offsets are code points, the end not included. Tokens are those between white space, unless they are given.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from materials.errors import FileError
from materials.maps.aligning import AlignmentError, align
from materials.reading import Table, open_table

Span = list[int | float]
EXPECTED = "expected [[start, end], ...] in characters of the text; see docs/importing.md for other forms"
OBJECT = 'expected {"token_spans": [[start, end], ...]} or {"token_weights": [0, 1, ...]}, and perhaps "tokens"'
TOKEN, LINE = re.compile(r"\S+"), re.compile(r"[^\r\n]+")


class RationaleError(Exception):
    """What is wrong with a rationale, in words that follow the column's name."""


def read_rationale(given: Any, content: str) -> list[Span]:
    """The spans in order, from any of the forms of docs/importing.md. RationaleError where it is none of them."""
    try:
        return sorted(_read(given, content))
    except (TypeError, ValueError, OverflowError, KeyError):
        raise RationaleError(f"is no list of spans; {EXPECTED}") from None
    except AlignmentError as error:
        raise RationaleError(f"has tokens that {error}") from None


class Rationales:
    """The rationales of a file: called with a text's id and content, it gives the spans, none where it has none.

    FileError where the file, or the rationale of a text, cannot be read.
    """

    def __init__(self, path: Path) -> None:
        table = open_table(path)
        ids, marks = _column(table, "id", "text_id", "annotation_id"), _column(table, "rationale", "evidences")
        self.path, self.cells = path, {}
        for row in table.rows():
            if row.problem:
                raise FileError(path, row.problem, row.line)
            self.cells[row.columns.get(ids, "")] = row.line, row.columns.get(marks, "")

    def __call__(self, text_id: str, content: str) -> list[Span]:
        line, cell = self.cells.get(text_id, (0, ""))
        try:
            return read_rationale(json.loads(cell or "[]"), content)
        except (ValueError, RecursionError):
            raise FileError(self.path, f"rationale is no list of spans; {EXPECTED}", line) from None
        except RationaleError as error:
            raise FileError(self.path, f"rationale {error}", line) from None


def _column(table: Table, *names: str) -> str:
    found = [column for name in names for column in table.columns if column.strip().casefold() == name]
    if not found:
        raise FileError(table.path, f"has the columns {', '.join(table.columns)}; expected {' or '.join(names)}")
    return found[0]


def _read(given: Any, content: str) -> list[Span]:
    if isinstance(given, dict):
        return _of_object(given, content)
    if not isinstance(given, list):
        raise ValueError(given)
    evidences = [part for group in given for part in (group if isinstance(group, list) else [group])]
    if any(isinstance(part, dict) for part in evidences):
        return [_of_evidence(part, content) for part in evidences]
    if not evidences:
        return []
    if not any(isinstance(part, list) for part in given):
        return list(_of_weights(given, _tokens(content)))
    return [_checked(span, len(content), "the text has the characters") for span in given]


def _of_object(given: dict[str, Any], content: str) -> list[Span]:
    marks = given.keys() - {"tokens"}
    if marks not in ({"token_spans"}, {"token_weights"}):
        raise RationaleError(f"has the keys {', '.join(map(repr, given)) or 'none'}; {OBJECT}")
    tokens = align(given["tokens"], content) if "tokens" in given else _tokens(content)
    if "token_weights" in given:
        return list(_of_weights(given["token_weights"], tokens))
    spans = [_checked(span, len(tokens), "there are the tokens") for span in given["token_spans"]]
    return [whole for span in spans if (whole := _whole(tokens, span))]


def _of_evidence(evidence: dict[str, Any], content: str) -> Span:
    """ERASER's: the numbers of the first token and of that after the last, in the document split at spaces."""
    tokens = [token for line in LINE.finditer(content) for token in _parts(line)]
    start, end, *_ = _checked([evidence["start_token"], evidence["end_token"]], len(tokens), "there are the tokens")
    span = [tokens[int(start)][0], tokens[int(end) - 1][1]]
    said, found = evidence.get("text"), content[slice(*span)]
    # The text is another writing of the evidence, and only its letters have to be the document's.
    if isinstance(said, str) and _letters(said) and _letters(said) != _letters(found):
        there = f"tokens {start} to {end} are {_short(found)}; leave its text out to go by the tokens alone"
        raise RationaleError(f"holds the evidence {_short(said)}, but {there}")
    return list(span)


def _parts(line: re.Match[str]) -> Iterator[tuple[int, int]]:
    """ERASER's tokens of a line: what stands between plain spaces, other white space belongs to a token."""
    inner = line[0].strip()
    margin = line.start() + line[0].index(inner)
    return ((margin + found.start(), margin + found.end()) for found in re.finditer("[^ ]+", inner))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _of_weights(given: Sequence[Any], tokens: Sequence[tuple[int, int] | None]) -> Iterator[Span]:
    """One number a token: only zeros and ones mark unbroken spans, other numbers grade the tokens."""
    weights = [_weight(value) for value in given]
    if len(weights) != len(tokens):
        raise RationaleError(f"has {len(weights)} numbers, but there are {len(tokens)} tokens; {EXPECTED}")
    if set(weights) <= {0.0, 1.0}:
        for marked, run in groupby(range(len(weights)), key=lambda token: weights[token] > 0):
            numbers = list(run)
            if marked and (whole := _whole(tokens, [numbers[0], numbers[-1] + 1])):
                yield whole
        return
    yield from ([*token, weight] for token, weight in zip(tokens, weights, strict=True) if token and weight > 0)


def _whole(tokens: Sequence[tuple[int, int] | None], span: Span) -> Span:
    """From the first to the last character of a span of tokens; empty where it holds special ones alone."""
    start, end, *weight = span
    found = [token for token in tokens[int(start) : int(end)] if token]
    return [found[0][0], found[-1][1], *weight] if found else []


def _checked(span: Any, most: int, there: str) -> Span:
    start, end, *rest = span
    start, end = _number(start), _number(end)
    if len(rest) > 1:
        raise ValueError(span)
    if not 0 <= start < end <= most:
        raise RationaleError(f"holds the span [{start}, {end}], but {there} 0 to {most}")
    return [start, end, *map(_weight, rest)]


def _number(value: Any) -> int:
    """Files hold numbers as text too; half a character is none."""
    number = float(value)
    if isinstance(value, bool) or not number.is_integer():
        raise ValueError(value)
    return int(number)


def _weight(value: Any) -> float:
    weight = float(value)
    if not math.isfinite(weight) or weight < 0:
        raise RationaleError(f"holds the weight {value}; expected a number from 0 up")
    return weight


def _tokens(content: str) -> list[tuple[int, int]]:
    return [found.span() for found in TOKEN.finditer(content)]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
