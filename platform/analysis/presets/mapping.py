"""Any tidy table, told by a mapping file (TOML or JSON) what its columns are. docs/analysing.md has examples.

[file]       how it is written, and its shape
[columns]    what each column is: text, worker, label, method, ...
[constants]  what holds for every row
[values.x]   recodings of what stands in x: "theirs" = "ours"
[study]      protocol, level, covariates
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.presets.assembling import LEVELS, NEEDED_FOR, NUMERIC_LEVELS, ROLES, Plan, assemble
from analysis.presets.matrices import SHAPES, melt
from analysis.presets.reading import ChoiceError, InputError, read_text
from analysis.presets.tables import MISSING, Layout, Table, read_table
from analysis.study import (
    COVARIATES,
    LABELS,
    PAIRWISE,
    RATING,
    SIMULATION,
    TOPK_GUESS,
    WORD_IMPORTANCE,
    Study,
)

LONG = "long"
# What each table of the mapping may hold.
KEYS: dict[str, tuple[str, ...]] = {
    "file": ("separator", "encoding", "decimal", "missing", "shape", "rows"),
    "columns": ROLES,
    "constants": ("method", "other", "display", "expected", "language"),
    "study": ("protocol", "level", "covariates"),
}
PROTOCOLS = (LABELS, RATING, WORD_IMPORTANCE, TOPK_GUESS, PAIRWISE, *SIMULATION)
# Of protocols whose labels are no names; the others' are nominal.
USUAL_LEVELS = {RATING: "ordinal", WORD_IMPORTANCE: "ordinal"}
NEEDED = ("text", "worker", "label")
SEPARATOR_NAMES = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


@dataclass(frozen=True)
class Said:
    """A mapping file, checked as far as it can be without the data."""

    path: Path
    file: dict[str, Any]
    columns: dict[str, str]
    constants: dict[str, str]
    values: dict[str, dict[str, str]]
    protocol: str
    level: str
    covariates: dict[str, str]


def read_mapping(path: Path, *, mapping: Path | None = None, level: str = "") -> Study:
    """The table as a study, by its mapping file. InputError names the file, the line and the column that is wrong."""
    if mapping is None:
        raise ChoiceError(path, "say what its columns are: --mapping FILE (docs/analysing.md has examples).")
    said = _read(mapping, level)
    table, said = _long(read_table(path, _layout(said)), said)
    for role, column in {**said.columns, **said.covariates}.items():
        if column not in table.frame.columns:
            known = ", ".join(name for name in table.frame.columns if name)
            raise table.error(f"has no column {column!r}, which {mapping} takes for {role}; there are {known}.", 1)
    table = _recoded(table, said)
    plan = Plan(
        columns=said.columns,
        protocol=said.protocol,
        level=said.level,
        covariates=said.covariates,
        numeric=tuple(ours for ours, theirs in said.covariates.items() if _all_numbers(table, theirs)),
        constants=said.constants,
        source_names=_source_names(table, said),
        meta={"preset": "mapping", "mapping": mapping.name},
    )
    return assemble(table, plan)


def _read(path: Path, level: str) -> Said:
    content = _parsed(path)
    for name, entries in content.items():
        if name not in (*KEYS, "values"):
            raise InputError(path, f"there is no part [{name}]; there are {', '.join((*KEYS, 'values'))}.")
        if not isinstance(entries, Mapping):
            raise InputError(path, f"expected [{name}] to hold entries, found {entries!r}.")
        for key in entries if name in KEYS else ():
            if key not in KEYS[name]:
                raise InputError(path, f"[{name}] knows no {key!r}; it knows {', '.join(KEYS[name])}.")
    columns = _texts(path, "columns", content.get("columns", {}))
    constants = _texts(path, "constants", content.get("constants", {}))
    protocol, level = _asked(path, content.get("study", {}), level, "method" in {**columns, **constants})
    said = Said(
        path,
        dict(content.get("file", {})),
        columns,
        constants,
        {role: _texts(path, f"values.{role}", found) for role, found in content.get("values", {}).items()},
        protocol,
        level,
        _covariates(path, content.get("study", {}).get("covariates", {})),
    )
    _check_roles(said)
    return said


def _asked(path: Path, study: dict[str, Any], level: str, of_methods: bool) -> tuple[str, str]:
    """Protocol and level of measurement; numbers that methods were given are ratings, unless it is said otherwise."""
    level = level or study.get("level", "")
    usual = RATING if of_methods and level in NUMERIC_LEVELS else LABELS
    protocol = _one_of(path, "protocol", study.get("protocol", usual), PROTOCOLS)
    return protocol, _one_of(path, "level", level or USUAL_LEVELS.get(protocol, "nominal"), LEVELS)


def _parsed(path: Path) -> dict[str, Any]:
    text = read_text(path)
    try:
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # The latter of brackets within brackets, thousands deep.
        kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
        raise InputError(path, f"is not {kind}: {error}.") from None
    if not isinstance(content, dict):
        raise InputError(path, "expected parts such as [columns], found a list.")
    return content


def _one_of(path: Path, name: str, value: Any, known: tuple[str, ...]) -> str:
    if value not in known:
        raise InputError(path, f"there is no {name} {value!r}; there are {', '.join(known)}.")
    return str(value)


def _texts(path: Path, part: str, entries: Any) -> dict[str, str]:
    if not isinstance(entries, Mapping):
        raise InputError(path, f"expected [{part}] to hold entries, found {entries!r}.")
    for name, value in entries.items():
        if isinstance(value, dict | list):
            raise InputError(path, f"[{part}] {name}: expected a text, found {value!r}.")
    return {str(name): str(value) for name, value in entries.items()}


def _covariates(path: Path, found: Any) -> dict[str, str]:
    """{our name = their column}, or a list of columns that keep their names."""
    if isinstance(found, list):
        return {str(name): str(name) for name in found}
    covariates = _texts(path, "study.covariates", found)
    unknown = [name for name in covariates if name in ROLES]
    if unknown:
        raise InputError(path, f"{unknown[0]!r} is no covariate: say it in [columns]. Covariates are such as "
                         f"{', '.join(list(COVARIATES)[:4])}.")  # fmt: skip
    return covariates


def _check_roles(said: Said) -> None:
    columns = dict(said.columns)
    if said.file.get("shape") not in SHAPES:
        missing = [role for role in NEEDED if role not in columns]
        if missing:
            raise InputError(said.path, f"[columns] has to say which column is {', '.join(missing)}.")
        if (place := columns["text"]) == columns["worker"]:
            raise InputError(said.path, f"[columns] says that {place!r} is both the text and the worker.")
    elif extra := list(columns):
        problem = f"a matrix says by its shape what {extra[0]} is; take it out of [columns]."
        if extra[0] not in NEEDED:
            problem = f"a matrix has no column for {extra[0]}: take it out of [columns]; [constants] are for all rows."
        raise InputError(said.path, problem)
    known = {*columns, *said.constants}
    missing = [role for role in NEEDED_FOR.get(said.protocol, ()) if role not in known]
    if missing:
        where = "in [columns], or in [constants] where it is the same in all rows"
        raise InputError(said.path, f"the protocol {said.protocol} needs {', '.join(missing)}: say it {where}.")
    unknown = [role for role in said.values if role not in (*columns, *NEEDED, *said.covariates)]
    if unknown:
        raise InputError(said.path, f"[values.{unknown[0]}] recodes what no column is said to be.")


def _layout(said: Said) -> Layout:
    file = said.file
    shapes = (LONG, *SHAPES)
    _one_of(said.path, "shape", file.get("shape", LONG), shapes)
    separator = str(file.get("separator", ""))
    separator = SEPARATOR_NAMES.get(separator, separator)
    if len(separator) > 1:
        raise InputError(said.path, f"separator: expected one character or {', '.join(SEPARATOR_NAMES)}.")
    decimal = file.get("decimal", "")
    if decimal not in ("", ".", ","):
        raise InputError(said.path, f'decimal: expected "." or ",", found {decimal!r}.')
    missing = file.get("missing", list(MISSING))
    if not isinstance(missing, list):
        raise InputError(said.path, f'missing: expected a list such as ["", "NA"], found {missing!r}.')
    return Layout(separator, str(file.get("encoding", "")), decimal, tuple(str(marker) for marker in missing))


def _long(table: Table, said: Said) -> tuple[Table, Said]:
    """A matrix becomes a table of rows, whose columns its shape says."""
    shape = said.file.get("shape", LONG)
    if shape == LONG:
        return table, said
    rows = said.file.get("rows")
    if rows is not None and rows not in table.frame.columns:
        raise table.error(f"has no column {rows!r}, which {said.path} says names the rows.", 1)
    columns = {"text": "task", "worker": "worker", "label": "label"}
    return melt(table, shape, rows).table, replace(said, columns=columns)


def _recoded(table: Table, said: Said) -> Table:
    """With what is said to stand for something else; whatever is not named stays."""
    frame = table.frame.copy()
    for role, recoding in said.values.items():
        column = {**said.columns, **said.covariates}[role]
        kept = frame[column]
        frame[column] = [cell if cell is None else recoding.get(cell, cell) or None for cell in kept]
    return replace(table, frame=frame)


def _source_names(table: Table, said: Said) -> dict[str, str]:
    """Our names of methods, with what the file calls them."""
    recoding = said.values.get("method", {})
    return {ours: theirs for theirs, ours in recoding.items()}


def _all_numbers(table: Table, column: str) -> bool:
    cells = table.frame[column].dropna().str.replace(",", ".", regex=False)
    return len(cells) > 0 and bool(pd.to_numeric(cells, errors="coerce").notna().all())
