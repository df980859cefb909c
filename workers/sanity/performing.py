"""One known-answer task from its name to a record that says everything that decides its numbers."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import torch
import transformers

from catalogue.methods import methods_for
from catalogue.parameters import complete_params
from catalogue.tasks import FAILED, PASSED, TASKS, UNDEFINED
from workers.sanity import TASKS as RUNS
from workers.sanity.outcome import Arm, Outcome, Progress, Row, Value, arms_for

Record = dict[str, Any]


def perform(
    name: str,
    methods: Sequence[str] = (),
    method_params: Mapping[str, Mapping[str, Any]] | None = None,
    params: Mapping[str, Any] | None = None,
    progress: Progress = lambda what, done, total: None,
) -> Record:
    """Run a task with these methods, or all that serve its models; ValueError says what does not fit.

    The record is plain data: `methods` has a verdict each, `rows` the values by setting, `models` what was explained.
    """
    task = TASKS[name]
    chosen = complete_params(name, task.parameters, params or {})
    arms = arms_for(
        task.classifier_kind, methods or methods_for(task.classifier_kind), method_params or {}, task.absent
    )
    started = time.perf_counter()
    outcome = RUNS[name](arms, progress, **chosen)
    return {
        "task": name,
        "label": task.label,
        "pass_line": task.pass_line,
        "meta": {
            "parameters": chosen,
            "seed": chosen["seed"],
            "seconds": round(time.perf_counter() - started, 1),
            "date": datetime.now(UTC).date().isoformat(),
            "versions": _versions(),
        },
        "models": outcome.about,
        "methods": [_judged(arm, outcome) for arm in arms],
        "rows": [_plain(row) for row in outcome.rows],
    }


def _versions() -> dict[str, str]:
    return {
        "peekaword": version("peekaword"),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "captum": version("captum"),
    }


def _judged(arm: Arm, outcome: Outcome) -> Record:
    """Failed if it fails anywhere, passed if it passes wherever it is defined."""
    rows = [row for row in outcome.rows if row.arm == arm]
    counts = Counter(row.verdict for row in rows)
    verdict = FAILED if counts[FAILED] else PASSED if counts[PASSED] else UNDEFINED
    reasons = dict.fromkeys(row.reason for row in rows if row.verdict == UNDEFINED)
    return {
        **_named(arm),
        "verdict": verdict,
        "reason": "; ".join(reasons) if verdict == UNDEFINED else "",
        **{each: counts[each] for each in (PASSED, FAILED, UNDEFINED)},
    }


def _named(arm: Arm) -> Record:
    return {"method": arm.method, "variant": arm.variant, "params": arm.params}


def _plain(row: Row) -> Record:
    values = {name: _value(value) for name, value in row.values.items()}
    return {**_named(row.arm), "setting": row.setting, "verdict": row.verdict, "reason": row.reason, "values": values}


def _value(value: Value) -> Record:
    return value._asdict()
