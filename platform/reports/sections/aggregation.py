"""Labels of stimuli by more than the majority: accuracy of each aggregation, and how competent workers are by it."""

from collections.abc import Iterator

import numpy as np

from analysis.aggregation.estimating import Aggregated
from analysis.aggregation.registry import AGGREGATIONS
from analysis.aggregation.votes import TooManyLabelsError, Votes, read_votes
from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import bootstrap, percentile_interval, point
from analysis.study import LABELS, SIMULATION, STIMULUS, TOPK_GUESS, Study
from reports.sections.section import Caution, Matter, Report, Row, Section, caution, pair
from reports.statuses import reason
from reports.tabulating import Column, Table, show
from reports.wording import within

LABELLED = (TOPK_GUESS, *SIMULATION, LABELS)
MAJORITY = "majority"


def describe_aggregation(matter: Matter) -> Row | None:
    """None where answers are no labels, or no stimulus has two. Accuracy is null where no right label is known."""
    found = _votes(matter.study)
    if found is None:
        return None
    votes, expected, text_of = found
    fitted = dict(_fit(votes, matter.settings.seed))
    right = _right(fitted, expected)
    rows = [
        _row(name, one, fitted[MAJORITY]) | _accuracy(right, name, text_of, matter)
        for name, one in fitted.items()
    ]  # fmt: skip
    missing = [{"aggregation": name, "status": "too_many_labels"} for name in AGGREGATIONS if name not in fitted]
    facts = {"n_tasks": len(votes.tasks), "n_votes": votes.n, "n_labels": len(votes.labels)}
    return {**facts, "aggregations": rows + missing, "workers": _workers(votes, fitted)}


def _votes(study: Study) -> tuple[Votes, np.ndarray, IntArray] | None:
    """The votes, and by task the label expected and the text. A task is a stimulus."""
    answers = study.answers
    if study.protocol not in LABELLED or answers is None or answers.empty or study.level not in ("", "nominal"):
        return None
    given = answers[answers["label"].notna()]
    frame = given[["worker", "label"]].assign(task=given.groupby(STIMULUS, dropna=False, sort=True).ngroup())
    if frame["task"].nunique() == len(frame):
        return None
    first = given.assign(task=frame["task"]).drop_duplicates("task").sort_values("task")
    texts = np.unique(first["text"].astype(str), return_inverse=True)[1].astype(np.int64)
    return read_votes(frame), first["expected"].to_numpy(), texts


def _fit(votes: Votes, seed: int) -> Iterator[tuple[str, Aggregated]]:
    for name, aggregation in AGGREGATIONS.items():
        try:
            yield name, aggregation.aggregate(votes, seed=seed)
        except TooManyLabelsError:
            continue


def _right(fitted: dict[str, Aggregated], expected: np.ndarray) -> dict[str, FloatArray]:
    """(tasks,) 1 where the label is the expected one, 0 where not, NaN where none is expected."""
    known = np.array([value is not None and value == value and value != "" for value in expected])
    labels = {name: one.votes.labels.to_numpy()[one.chosen].astype(str) for name, one in fitted.items()}
    return {name: np.where(known, own == expected.astype(str), np.nan) for name, own in labels.items()}


def _row(name: str, found: Aggregated, majority: Aggregated) -> Row:
    return {
        "aggregation": name,
        "same_as_majority": float((found.chosen == majority.chosen).mean()),
        "n_tied": found.n_tied,
        "iterations": found.iterations,
        "converged": found.converged,
        "log_likelihood": found.log_likelihood,
        "status": "ok",
    }


def _accuracy(right: dict[str, FloatArray], name: str, text_of: IntArray, matter: Matter) -> Row:
    """Over tasks, and its gain over the majority; intervals resample texts with all their tasks."""
    known = np.isfinite(right[name])
    if not known.any():
        return {"accuracy": None, "ci": None, "n": 0, "gain": None, "gain_ci": None}
    own, base = right[name][known], right[MAJORITY][known]
    texts = np.unique(text_of[known], return_inverse=True)[1]
    sums = np.stack([np.bincount(texts, values) for values in (own, own - base, np.ones(len(own)))], axis=1)
    (accuracy, gain), ends = _shares(sums.astype(float), matter)
    row = {"accuracy": accuracy, "ci": pair(ends[:, 0]), "n": len(own), "over": "texts"}
    return row | ({"gain": None, "gain_ci": None} if name == MAJORITY else {"gain": gain, "gain_ci": pair(ends[:, 1])})


def _shares(sums: FloatArray, matter: Matter) -> tuple[list[float], FloatArray]:
    """Of sums by text, the last of them its tasks: their shares of all tasks, and intervals (2, shares)."""

    def shares(weights: FloatArray) -> FloatArray:
        totals = weights @ sums
        return np.asarray(totals[:, :-1] / totals[:, -1:])

    options = {"replicates": matter.settings.replicates, "seed": matter.settings.seed}
    ends = percentile_interval(bootstrap(shares, len(sums), **options))
    return [float(value) for value in point(shares, len(sums))], ends if len(sums) > 1 else np.full_like(ends, np.nan)


def _workers(votes: Votes, fitted: dict[str, Aggregated]) -> list[Row]:
    """Most votes first."""
    rows = [
        {
            "worker": str(worker),
            "n_votes": int(votes.n_by_worker[place]),
            **{name: float(one.competence[place]) for name, one in fitted.items()},
        }
        for place, worker in enumerate(votes.workers)
    ]
    return sorted(rows, key=lambda row: (-row["n_votes"], row["worker"]))


def make_tables(report: Report) -> list[Table]:
    found = report.get("aggregation", {})
    columns = [
        Column("name", "Aggregation", "text"), Column("accuracy", "Accuracy", "share"), Column("ci", "95 %", "shares"),
        Column("gain", "Against the majority", "points"), Column("gain_ci", "95 %", "shares"),
        Column("same_as_majority", "Same label as the majority", "share"), Column("n_tied", "Ties", "count"),
        Column("iterations", "Steps", "count"), Column("status", "Status", "status"),
    ]  # fmt: skip
    rows = [row | {"name": AGGREGATIONS[row["aggregation"]].label} for row in found.get("aggregations", [])]
    return [Table("aggregation", "Labels by six aggregations", columns, rows), _competences(found)]


def _competences(found: Row) -> Table:
    names = [row["aggregation"] for row in found.get("aggregations", []) if row["status"] == "ok"]
    columns = [Column("worker", "Worker", "id"), Column("n_votes", "Answers", "count")]
    columns += [Column(name, AGGREGATIONS[name].label, "hundredth") for name in names]
    return Table("competence", "How competent workers are, by each aggregation", columns, found.get("workers", []))


def say(report: Report) -> list[str]:
    """The best of the models against the majority."""
    rows = [row for row in report.get("aggregation", {}).get("aggregations", []) if row.get("gain") is not None]
    if not rows:
        return []
    best = max(rows, key=lambda row: row["gain"])
    interval = within("shares", best["gain_ci"], " points")
    name = AGGREGATIONS[best["aggregation"]].label
    return [
        f"Of the labels put together from several answers, those by {name} are right most often: "
        f"{show('share', best['accuracy'])}, {show('points', best['gain'])} against the majority{interval}."
    ]


def warn(_matter: Matter, report: Report) -> list[Caution]:
    rows = report.get("aggregation", {}).get("aggregations", [])
    told = [
        caution("aggregation_undefined", f"{AGGREGATIONS[row['aggregation']].label}: {reason(row['status'])}.")
        for row in rows
        if row["status"] != "ok"
    ]
    return told + [
        caution("aggregation_not_converged", f"{AGGREGATIONS[row['aggregation']].label} did not converge.")
        for row in rows
        if row["status"] == "ok" and not row["converged"]
    ]


def explain(report: Report) -> list[str]:
    return [_NOTE] if "aggregation" in report else []


_NOTE = (
    "Several answers to one stimulus become one label: by majority, where of tied labels the first in order is taken; "
    "by votes that weigh as much as their worker agrees with the majority; or by a model of workers (Dawid & Skene "
    "1979, GLAD of Whitehill et al. 2009, MACE of Hovy et al. 2013), which learns whom to trust from answers alone. "
    "Models can go wrong where most workers are: read them beside the majority. Competence is the chance to be right, "
    "of MACE the chance to know the answer, of GLAD an ability where 0 is guessing. Intervals resample texts."
)

SECTION = Section(
    "aggregation",
    "Answers put together",
    describe=describe_aggregation,
    tables=make_tables,
    findings=say,
    notes=explain,
    warnings=warn,
)
