"""What a report says of those who took part: how many came, whom the rules exclude, and what difference that makes."""

from typing import Any

import numpy as np

from analysis.bootstrap import point
from analysis.quality.rules import RULES
from analysis.study import Study
from reports.measuring import score_people

Section = dict[str, Any]
# What became of those who arrived, in the order of telling.
STEPS = {
    "arrived": "Arrived",
    "simulated": "of these simulated",
    "consented": "Agreed to take part",
    "declined": "Declined",
    "screened_out": "Screened out",
    "returned": "Returned half way",
    "timed_out": "Timed out",
    "at_work": "Still at work",
    "completed": "Completed",
    "erased": "Took their answers back",
    "excluded": "Excluded by hand",
    "excluded_by_rules": "Excluded by the rules",
}
SCREENED = {"practice": "in practice", "comprehension": "by the questions about the instructions"}


def describe_exclusions(study: Study) -> Section | None:
    """The main scores without and with the workers whom the rules exclude; None where they exclude nobody.

    `without` is what the rest of the report is made of; a score that is undefined is None.
    """
    if study.everybody is None:
        return None
    without, everybody = _scores(study), _scores(study.everybody)
    return {
        **study.meta["excluded"],
        "methods": [
            {
                "method": method,
                "without": without.get(method),
                "with": value,
                "n_without": _count(study, method),
                "n_with": _count(study.everybody, method),
            }
            for method, value in sorted(everybody.items())
        ],
    }


def _scores(study: Study) -> dict[str, float | None]:
    if not study.methods:
        return {}
    scores = score_people(study)
    if not scores.methods:
        return {}
    values = point(scores.summary, len(scores.texts))
    return {
        name: float(value) if np.isfinite(value) else None for name, value in zip(scores.methods, values, strict=True)
    }


def _count(study: Study, method: str) -> int:
    assert study.judgments is not None
    return int((study.judgments["method"] == method).sum())


def flow_rows(flow: Section) -> list[Section]:
    """A row a step; how screening and the rules come to their numbers follows them."""
    rows: list[Section] = []
    for name, label in STEPS.items():
        if flow[name] or name in ("arrived", "consented", "completed"):
            rows.append({"step": label, "n": flow[name]})
        if name == "screened_out":
            rows += [{"step": f"– {SCREENED[why]}", "n": n} for why, n in flow["screened_out_by"].items()]
        if name == "excluded_by_rules":
            rows += [{"step": f"– {RULES[rule].label}", "n": n} for rule, n in flow["by_rule"].items()]
    return rows
