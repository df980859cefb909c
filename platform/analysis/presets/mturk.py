"""The results of a batch as Mechanical Turk writes them: a row an assignment, Input.x as asked, Answer.y as answered.

`Answer.taskAnswers` (what forms of crowd elements send, as JSON) is taken apart into its fields, and so are answers
with a column a choice, of which one is true. Rejected assignments are left out.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.presets.assembling import LEVELS, NUMERIC_LEVELS, Notice, Plan, assemble
from analysis.presets.naming import LABEL, TRUTH, plain_name
from analysis.presets.reading import ChoiceError, InputError, read_json
from analysis.presets.tables import Table, numbers, read_table, told_lines
from analysis.study import LABELS, RATING, TOPK_GUESS, Study

INPUT, ANSWER = "Input.", "Answer."
HIT, WORKER, STATUS, SECONDS = "HITId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"
NEEDED = (HIT, WORKER)
PACKED = "Answer.taskAnswers"
REJECTED = "rejected"
METHOD_NAMES = ("method", "explanation_method", "explainer", "saliency", "saliency_method", "system", "arm")
K_NAMES = ("k", "top_k", "words", "n_words", "number_of_words")
TEXT_NAMES = ("text", "sentence", "document", "review", "passage", "content")
KEY_NAMES = ("text_id", "textid", "item_id", "task_id", "task", "id", "key", "item", "question_id")
DISPLAY_NAMES = ("display", "condition")
MILLISECONDS = "WorkTimeInMilliseconds"


@dataclass(frozen=True)
class Chosen:
    """Columns that the command line names, with or without Input. or Answer. before them; empty: found out."""

    answer: str = ""
    text: str = ""
    method: str = ""
    k: str = ""
    expected: str = ""


def read_mturk(
    path: Path,
    *,
    level: str = "",
    answer: str = "",
    text: str = "",
    method: str = "",
    k: str = "",
    expected: str = "",
    by_id: bool = False,
) -> Study:
    """The answers as a study: of guesses where words shown (k) and the right label are known, of ratings where methods
    were rated, otherwise of labels.

    level: of measurement; nominal unless said otherwise. by_id: workers by their ids at Amazon, which lead to people,
    where several files have to be put together; numbered otherwise. InputError with line and column where the file is
    no such file; ChoiceError where it has to be said which of its columns is meant.
    """
    if level and level not in LEVELS:
        raise ChoiceError(path, f"there is no level {level!r}; there are {', '.join(LEVELS)}.")
    table = read_table(path)
    missing = [name for name in NEEDED if name not in table.frame.columns]
    if missing:
        raise InputError(path, f"lacks the column(s) {', '.join(missing)}. Is it the results of a batch?", line=1)
    table, rejected = _accepted(table)
    table = _timed(_unpacked(table))
    columns = _columns(table, Chosen(answer, text, method, k, expected))
    told = (*rejected, _tell(columns, by_id))
    return assemble(table if by_id else _numbered_workers(table), _plan(columns, level or "nominal", told))


def _accepted(table: Table) -> tuple[Table, tuple[Notice, ...]]:
    if STATUS not in table.frame.columns:
        return table, ()
    rejected = table.frame[STATUS].fillna("").str.lower() == REJECTED
    if not rejected.any():
        return table, ()
    if rejected.all():
        raise table.error("every assignment was rejected; there is nothing to analyse.", column=STATUS)
    n = int(rejected.sum())
    what = "1 rejected assignment is" if n == 1 else f"{n:,} rejected assignments are"
    told = f"{what} left out ({told_lines(table.frame.index[rejected])})."
    return replace(table, frame=table.frame[~rejected]), (("rejected_assignments", told),)


def _timed(table: Table) -> Table:
    if SECONDS not in table.frame.columns:
        return table
    seconds = numbers(table, SECONDS)
    milliseconds = (1000 * seconds).map(str).where(seconds.notna(), None)
    return replace(table, frame=table.frame.assign(**{MILLISECONDS: milliseconds}))


def _numbered_workers(table: Table) -> Table:
    """Workers' ids at Amazon lead to people, and reports are shown around: w1 is the file's first worker."""
    ids = table.frame[WORKER]
    order = {name: f"w{number}" for number, name in enumerate(dict.fromkeys(ids.dropna()), start=1)}
    numbered = [None if name is None else order[name] for name in ids.astype(object).where(ids.notna(), None)]
    cells = pd.Series(numbered, ids.index, dtype=object)
    return replace(table, frame=table.frame.assign(**{WORKER: cells}))


def _unpacked(table: Table) -> Table:
    """With a column each for what was packed into one, and one for choices that have a column each."""
    frame = table.frame
    if PACKED in frame.columns:
        fields = pd.DataFrame([_fields(table, line, cell) for line, cell in frame[PACKED].items()], frame.index)
        fields = fields.astype(object).where(fields.notna(), None)
        new = [name for name in fields.columns if name not in frame.columns]
        frame = pd.concat([frame.drop(columns=[PACKED]), fields[new]], axis=1)
    groups: dict[str, list[str]] = {}
    for name in frame.columns:
        if name.startswith(ANSWER) and "." in name.removeprefix(ANSWER):
            groups.setdefault(name.rpartition(".")[0], []).append(name)
    for group, names in groups.items():
        if group not in frame.columns and _are_flags(frame[names]):
            frame = frame.assign(**{group: _flagged(frame[names])}).drop(columns=names)
    return replace(table, frame=frame)


def _fields(table: Table, line: Any, cell: str | None) -> dict[str, str]:
    try:
        answers = read_json(cell or "[]")
    except ValueError:
        raise table.error(f"expected answers as JSON, found {cell!r}.", int(line), PACKED) from None
    entries = answers if isinstance(answers, list) else [answers]
    return {name: value for entry in entries for name, value in _flat(ANSWER.rstrip("."), entry)}


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    elif value is not None:
        yield name, value if isinstance(value, str) else json.dumps(value)


def _are_flags(cells: pd.DataFrame) -> bool:
    """Whether all say true or false, and none says true twice in a row."""
    words = cells.map(lambda cell: "false" if cell is None else str(cell).lower())
    chosen = (words == "true").sum(axis=1)
    return bool(words.isin(["true", "false"]).all().all() and (chosen <= 1).all() and chosen.any())


def _flagged(cells: pd.DataFrame) -> pd.Series:
    """The last part of the name of the column that is true."""
    found = cells.map(lambda cell: cell is not None and str(cell).lower() == "true")
    names = [name.rpartition(".")[2] for name in found.columns]
    chosen = [next((n for n, flag in zip(names, row, strict=True) if flag), None) for row in found.to_numpy()]
    return pd.Series(chosen, cells.index, dtype=object)


def _columns(table: Table, chosen: Chosen) -> dict[str, str]:
    inputs = [name for name in table.frame.columns if name.startswith(INPUT)]
    answers = [name for name in table.frame.columns if name.startswith(ANSWER)]
    columns = {"worker": WORKER, "label": _answer(table, answers, chosen.answer)}
    wanted = {
        "method": (chosen.method, METHOD_NAMES),
        "k": (chosen.k, K_NAMES),
        "expected": (chosen.expected, (*TRUTH, "label")),
        "content": (chosen.text, TEXT_NAMES),
        "display": ("", DISPLAY_NAMES),
    }
    for role, (name, usual) in wanted.items():
        if found := _input(table, inputs, name, usual):
            columns[role] = found
    columns["text"] = _text(inputs, columns)
    if MILLISECONDS in table.frame.columns:
        columns["response_ms"] = MILLISECONDS
    return columns


def _text(inputs: list[str], columns: dict[str, str]) -> str:
    """What names the text: its key in the input, or itself; the HIT where every HIT is a task of its own."""
    keys = [name for name in inputs if name.removeprefix(INPUT).lower() in KEY_NAMES]
    if keys:
        return keys[0]
    return columns["content"] if "content" in columns and {"method", "k"} & set(columns) else HIT


def _answer(table: Table, answers: list[str], wanted: str) -> str:
    if wanted:
        return _named(table, answers, wanted, ANSWER)
    if not answers:
        raise table.error(f"has no column {ANSWER}…: are there results in it?", 1)
    usual = {plain_name(name.removeprefix(ANSWER).rpartition(".")[2]): name for name in reversed(answers)}
    likely = [usual[name] for name in LABEL if name in usual]
    if len(answers) == 1 or likely:
        return likely[0] if likely else answers[0]
    raise ChoiceError(table.path, f"say which column is the answer: {_either('--answer', answers)}.")


def _input(table: Table, inputs: list[str], wanted: str, usual: tuple[str, ...]) -> str:
    if wanted:
        return _named(table, [*inputs, HIT], wanted, INPUT)
    # A column of nothing says nothing: it is in the batch of every protocol, and of use to some.
    filled = [name for name in inputs if table.frame[name].notna().any()]
    by_name = {name.removeprefix(INPUT).lower(): name for name in reversed(filled)}
    return next((by_name[name] for name in usual if name in by_name), "")


def _named(table: Table, columns: list[str], wanted: str, prefix: str) -> str:
    for name in (wanted, prefix + wanted):
        if name in columns:
            return name
    raise ChoiceError(table.path, f"has no column {wanted!r}; there is {', '.join(columns) or 'none'}.")


def _either(option: str, columns: list[str]) -> str:
    return " or ".join(f"{option} {name.partition('.')[2]}" for name in columns)


def _tell(columns: dict[str, str], by_id: bool) -> Notice:
    read = [f"{theirs} as {role}" for role, theirs in columns.items() if theirs.startswith((INPUT, ANSWER))]
    return "columns_read", f"Read {', '.join(read)}." + ("" if by_id else _NUMBERED)


_NUMBERED = " Workers are numbered in the order of the file."


def _plan(columns: dict[str, str], level: str, notices: tuple[Notice, ...]) -> Plan:
    if {"k", "expected", "method"} <= set(columns):
        protocol = TOPK_GUESS
    elif "method" in columns and level in NUMERIC_LEVELS:
        protocol = RATING  # Of which none is right.
        columns = {role: column for role, column in columns.items() if role != "expected"}
    else:
        protocol = LABELS
    return Plan(columns=columns, protocol=protocol, level=level, meta={"preset": "mturk"}, notices=notices)
