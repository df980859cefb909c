"""docs/known_answers.md, from what is recorded: `make docs` writes it, and a test fails when it has fallen behind."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from catalogue.answering import known_answers
from catalogue.methods import METHODS
from catalogue.tasks import TASKS, Measure, Task

HEAD = """# What the tasks with known answers found

Written by `make docs` from `platform/catalogue/known_answers.json`, which `sanity --task all --record` writes.
[sanity.md](sanity.md) says what each task is and how to read it. Other seeds and versions give other digits; a verdict
is over all settings of a task: failed if it fails in one, passed if it passes in all where it is defined.
"""

Record = Mapping[str, Any]


def document_answers(known: Mapping[str, Record]) -> str:
    """Tasks in the catalogue's order, those that are recorded."""
    return "\n".join(
        [HEAD, *(line for name, task in TASKS.items() if name in known for line in _task(task, known[name]))]
    )


def _task(task: Task, record: Record) -> Iterator[str]:
    yield f"## {task.label}\n"
    yield f"{task.question} Passes: {task.pass_line[0].lower()}{task.pass_line[1:]}\n"
    yield f"{_of(record['meta'])}\n"
    yield from (f"- {_about(one)}" for one in record.get("models", ()))
    yield ""
    settings = dict.fromkeys(setting for row in record["methods"] for setting in row["figures"])
    for setting in settings:
        yield from _table(task, record["methods"], setting)


def _of(meta: Record) -> str:
    given = ", ".join(f"{name} {value}" for name, value in meta["parameters"].items())
    made = ", ".join(f"{name} {version}" for name, version in meta["versions"].items())
    return f"Run of {meta['date']} with {given}; {made}; {meta['seconds']:.0f} seconds."


def _about(one: Record) -> str:
    """What was explained, such as how many texts in which setting."""
    heads = [str(one[key]) for key in ("setting", "model") if key in one]
    facts = [
        f"{key.replace('_', ' ')} {_value(value)}" for key, value in one.items() if key not in ("setting", "model")
    ]
    return ": ".join([*([", ".join(heads)] if heads else []), ", ".join(facts)])


def _table(task: Task, methods: list[Record], setting: str) -> Iterator[str]:
    measures = [measure for measure in task.measures if measure.drawn]
    if setting:
        yield f"**{setting.capitalize()}**\n"
    verdict = "verdict over all" if setting else "verdict"
    yield f"| method | {' | '.join(measure.label for measure in measures)} | {verdict} |"
    yield "|---" * (len(measures) + 2) + "|"
    yield from (_row(row, measures, setting) for row in methods)
    yield ""


def _row(row: Record, measures: list[Measure], setting: str) -> str:
    found = row["figures"].get(setting, {})
    cells = [_value(found.get(measure.name)) for measure in measures]
    variant = row["variant"].partition(" = ")[2]
    label = METHODS[row["method"]].label + (f", {variant}" if variant else "")
    return f"| {' | '.join([label, *cells, row['verdict']])} |"


def _value(value: Any) -> str:
    """Figures as people read them; a dash where there is none."""
    if isinstance(value, list):
        return " / ".join(map(_value, value))
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.stdout.write(document_answers(known_answers()))
