"""Whether a row of a file can become a text, and if not, why: pure, row by row."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from django.conf import settings

from materials.characters import UNSTORABLE
from materials.guessing import guess_column
from materials.rationales import EXPECTED, RationaleError, read_rationale
from materials.reading import Row

LONGEST_LABEL = LONGEST_KEY = LONGEST_WARNING = 200
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
EXCERPT = 200


class Columns(NamedTuple):
    """Which column of the file holds what; empty where none does."""

    text: str
    label: str = ""
    id: str = ""
    language: str = ""
    rationale: str = ""
    warning: str = ""
    template: str = ""
    edit_of: str = ""


class Checked(NamedTuple):
    """A row, ready to be staged: with a `problem` it is rejected, and `content` is an excerpt."""

    line: int
    key: str
    content: str
    content_hash: str = ""
    label: str = ""
    language: str = ""
    rationale: str = ""
    warning: str = ""
    template: str = ""
    edit_of: str = ""
    column: str = ""
    problem: str = ""


class Rejection(NamedTuple):
    line: int
    column: str
    reason: str
    excerpt: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.column or 'row'}: {self.reason}"


class ColumnError(Exception):
    """A column that is wanted is not in the file: names the ones that are."""


class CellError(Exception):
    """What is wrong with one cell, in words that follow the column's name."""


def choose_columns(found: Sequence[str], wanted: Columns, labelled: bool = True) -> Columns:
    """The wanted names, or the fields' own, such as `text` and `label`, where nothing is said.

    A name is also found in other capitals. ColumnError for a named one that is missing, and for text or label.
    """
    needed = {"text", "label"} if labelled else {"text"}
    chosen = {field: _find(field, found, name, field in needed) for field, name in wanted._asdict().items()}
    return Columns(**(chosen if labelled else chosen | {"label": ""}))


def _find(field: str, found: Sequence[str], name: str, needed: bool) -> str:
    sought = name or field
    column = find_alike(found, sought)
    if not column and (name or needed):
        raise ColumnError(
            f"There is no column {sought!r}; the columns are {', '.join(map(repr, found))}. "
            f"Say which one holds the {field}: --{field.replace('_', '-')}-column {_likely(found, field)}."
        )
    return column


def _likely(found: Sequence[str], field: str) -> str:
    guessed = guess_column(found, field)
    return f"{guessed!r}, perhaps" if guessed else "NAME"


def find_alike(found: Sequence[str], sought: str) -> str:
    """The column of this name, or the only one that differs in capitals; empty where there is none."""
    alike = [column for column in found if column.strip().casefold() == sought.casefold()]
    if sought in found:
        return sought
    return alike[0] if len(alike) == 1 else ""


def usual_column(found: Sequence[str], field: str) -> str:
    """The column of the field's own name; otherwise what seems to be it."""
    return find_alike(found, field) or guess_column(found, field)


def check(row: Row, columns: Columns, allowed: Collection[str] = ()) -> Checked:
    """The row as it will be stored, or as it will be rejected. `allowed` labels: empty allows all."""
    if row.problem:
        return Checked(row.line, "", "", problem=row.problem)
    content = row.columns.get(columns.text, "")
    values: dict[str, str] = {}
    for field, column, judge in _judges(columns, allowed):
        try:
            values[field] = judge(row.columns.get(column, "") if column else "", content)
        except CellError as error:
            excerpt = UNSTORABLE.sub("\ufffd", content[:EXCERPT])
            return Checked(row.line, "", excerpt, column=column, problem=str(error))
    digest = hashlib.sha256(content.encode()).hexdigest()
    return Checked(row.line, values.pop("id"), values.pop("text"), digest, **values)


Judge = Callable[[str, str], str]


def _judges(columns: Columns, allowed: Collection[str]) -> list[tuple[str, str, Judge]]:
    return [
        ("text", columns.text, _text),
        ("label", columns.label, lambda cell, content: _label(cell, allowed)),
        ("id", columns.id, lambda cell, content: _key(cell) if columns.id else ""),
        ("language", columns.language, lambda cell, content: _language(cell)),
        ("rationale", columns.rationale, _rationale),
        ("warning", columns.warning, lambda cell, content: _warning(cell)),
        ("template", columns.template, lambda cell, content: _template(cell)),
        ("edit_of", columns.edit_of, lambda cell, content: _edit_of(cell)),
    ]


def _text(cell: str, content: str) -> str:
    if not cell.strip():
        raise CellError("is empty")
    if len(cell) > settings.MAX_TEXT_CHARACTERS:
        raise CellError(f"has {len(cell):,} characters; the most is {settings.MAX_TEXT_CHARACTERS:,}")
    return _storable(cell)


def _storable(cell: str) -> str:
    fault = UNSTORABLE.search(cell)
    if fault:
        raise CellError(f"holds the character U+{ord(fault[0]):04X}, which cannot be stored, at {fault.start() + 1}")
    return cell


def _label(cell: str, allowed: Collection[str]) -> str:
    label = _storable(cell.strip())
    if len(label) > LONGEST_LABEL:
        raise CellError(f"has {len(label)} characters; a label has {LONGEST_LABEL} at most")
    if allowed and label not in allowed:
        raise CellError(f"is the unknown label {label!r}; the labels are {', '.join(sorted(allowed))}")
    return label


def _key(cell: str) -> str:
    key = _storable(cell.strip())
    if not key:
        raise CellError("is empty")
    if len(key) > LONGEST_KEY:
        raise CellError(f"has {len(key)} characters; an id has {LONGEST_KEY} at most")
    return key


def _language(cell: str) -> str:
    tag = cell.strip()
    if tag and (len(tag) > 35 or not LANGUAGE.fullmatch(tag)):
        raise CellError(f"is {tag[:40]!r}; expected a language tag such as en or pt-BR")
    return tag


def _warning(cell: str) -> str:
    warning = _storable(" ".join(cell.split()))
    if len(warning) > LONGEST_WARNING:
        raise CellError(f"has {len(warning)} characters; a warning has {LONGEST_WARNING} at most")
    return warning


def _rationale(cell: str, content: str) -> str:
    """The spans in order, as JSON; empty where the cell is."""
    if not cell.strip():
        return ""
    try:
        return json.dumps(read_rationale(json.loads(cell), content))
    except (ValueError, RecursionError):
        raise CellError(f"is no list of spans; {EXPECTED}") from None
    except RationaleError as error:
        raise CellError(str(error)) from None


def _template(cell: str) -> str:
    template = _storable(cell.strip())
    if len(template) > LONGEST_KEY:
        raise CellError(f"has {len(template)} characters; the name of a template has {LONGEST_KEY} at most")
    return template


def _edit_of(cell: str) -> str:
    """An id; whether there is such a text is known only once all rows are."""
    return _key(cell) if cell.strip() else ""
