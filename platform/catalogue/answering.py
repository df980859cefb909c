"""What the known-answer tasks said of each method when they were last run: `known_answers.json`, which
`manage.py sanity --record` writes.

The file: for each task what decides its numbers (`meta`), what was explained (`models`), and for each method with each
of its variants the verdict, a reason where it is undefined, and figures by setting and measure.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from catalogue.methods import METHODS
from catalogue.parameters import complete_params
from catalogue.tasks import TASKS, VARIANTS

RECORDED = Path(__file__).with_name("known_answers.json")
NOT_TRIED, NOT_SERVED = "not_tried", "not_served"
Record = Mapping[str, Any]
# Another draw is the same method, and what is left out is left out as fits the task's models.
NO_MATTER = frozenset({"seed", "absent"})


@dataclass(frozen=True)
class Answer:
    """What one task says of a method. `otherwise`: parameters that had other values there.

    verdict: passed, failed, undefined; not_tried; not_served where the method does not serve the task's models.
    """

    task: str
    label: str
    verdict: str
    reason: str = ""
    figures: Mapping[str, Mapping[str, float | None]] | None = None
    otherwise: Mapping[str, Any] | None = None


@lru_cache(maxsize=4)
def known_answers(path: Path = RECORDED) -> dict[str, Any]:
    """The recorded tasks by name; none where nothing was recorded."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


def answers(method: str, params: Mapping[str, Any], known: Mapping[str, Any]) -> list[Answer]:
    """One a task, in the catalogue's order, for a method with these parameters; imported maps were not tried."""
    return [_answer(task, method, params, known.get(task, {}).get("methods", ())) for task in TASKS]


def record_answers(record: Record, path: Path = RECORDED) -> None:
    """Keep what a task said, in place of what it said before."""
    kept = known_answers(path) | condense([record])
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    known_answers.cache_clear()


def condense(records: Iterable[Record]) -> dict[str, Any]:
    """What the file keeps of the records of tasks."""
    return {
        record["task"]: {
            "meta": record["meta"],
            "models": record["models"],
            "methods": [row | {"figures": _figures(record, row)} for row in record["methods"]],
        }
        for record in records
    }


def _answer(name: str, method: str, params: Mapping[str, Any], rows: Iterable[Record]) -> Answer:
    task = TASKS[name]
    if method in METHODS and task.classifier_kind not in METHODS[method].classifier_kinds:
        return Answer(name, task.label, NOT_SERVED)
    found = next(
        (row for row in rows if row["method"] == method and _same_variant(method, row["params"], params)), None
    )
    if found is None:
        return Answer(name, task.label, NOT_TRIED)
    otherwise = {key: value for key, value in found["params"].items() if _differs(key, value, params)}
    return Answer(name, task.label, found["verdict"], found["reason"], found["figures"], otherwise)


def _same_variant(method: str, recorded: Record, params: Record) -> bool:
    """LRP by another rule is another method."""
    parameter, _ = VARIANTS.get(method, ("", ()))
    if not parameter:
        return True
    usual = complete_params(method, METHODS[method].parameters, {})[parameter]
    return bool(recorded.get(parameter, usual) == params.get(parameter, usual))


def _differs(name: str, value: Any, params: Record) -> bool:
    return name not in NO_MATTER and name in params and params[name] != value


def _figures(record: Record, judged: Record) -> dict[str, dict[str, float | None]]:
    same = [row for row in record["rows"] if (row["method"], row["variant"]) == (judged["method"], judged["variant"])]
    return {row["setting"]: {name: one["value"] for name, one in row["values"].items()} for row in same}
