"""What a reader must know before believing the numbers."""

from typing import Any

from analysis.study import MARKING, RANDOM, STIMULUS, TOPK_GUESS, Study
from reports.palette import coefficient_label, method_label, metric_in_sentence
from reports.statuses import reason

Caution = dict[str, str]


def find_warnings(study: Study, report: dict[str, Any]) -> list[Caution]:
    """Each with a `code` for programs and a `message` for people; empty where nothing is amiss."""
    if not study.methods:
        return [_warning("no_judgments", "There are no judgments that count yet.")]
    found = [*_about_design(study), *_about_votes(study), *_about_explanations(study)]
    for row in report.get("agreement", []):
        if row["status"] != "ok":
            message = f"{coefficient_label(row['coefficient'])} is undefined: {reason(row['status'])}."
            found.append(_warning("agreement_undefined", message))
    found += [_without_values(row) for row in report.get("metrics", []) if row["status"] != "ok"]
    for row in report.get("correlations", []):
        if row["status"] not in ("ok", "metric_without_values"):
            of = f"The correlation with {metric_in_sentence(row['metric'])} over {row['over']}"
            found.append(_warning("correlation_undefined", f"{of} is undefined: {reason(row['status'])}."))
    return found


def _about_design(study: Study) -> list[Caution]:
    found = []
    if RANDOM not in study.methods and study.protocol != MARKING:
        found.append(_warning("no_random_arm", "There is no Random arm, so no method is compared with chance."))
    if study.protocol != TOPK_GUESS:
        return found
    cells, texts = study.cells, study.cells["text"].nunique()
    wanted = texts * study.cells["method"].nunique() * study.cells["k"].nunique()
    if len(cells) < wanted:
        missing = f"{wanted - len(cells):,} of {wanted:,} cells (text, method, k) have no judgment."
        found.append(_warning("unjudged_cells", f"{missing} Scores compare methods on different texts."))
    return found


def _about_votes(study: Study) -> list[Caution]:
    if study.answers is None:
        message = "Only majority verdicts are known: agreement and workers cannot be described."
        return [_warning("only_majority_verdicts", message)]
    found = []
    votes = study.answers.groupby(STIMULUS, dropna=False).size()
    if votes.min() < votes.max():
        message = f"Stimuli have between {votes.min()} and {votes.max()} judgments: the data are not complete."
        found.append(_warning("uneven_votes", message))
    if study.meta.get("simulated"):
        simulated = f"{study.meta['simulated']:,} of {_judgments(len(study.answers))}"
        found.append(_warning("simulated_workers", f"{simulated} come from simulated workers, not from people."))
    late = int(study.answers["late"].sum())
    if late:
        found.append(
            _warning("late_judgments", f"{_judgments(late)} of {len(study.answers):,} came late and counted here.")
        )
    if study.meta.get("not_counted"):
        beyond = _judgments(study.meta["not_counted"])
        message = f"{beyond} kept in the export and not counted here: they came when all were in, or of workers who "
        message += "stopped half way or were excluded."
        found.append(_warning("not_counted", message))
    return found


def _about_explanations(study: Study) -> list[Caution]:
    errors: dict[str, float] = study.meta.get("incomplete_methods", {})
    return [
        _warning(
            "incomplete_explanations",
            f"{method_label(method)}: the median relative completeness error is {error * 100:.0f} %, so its scores do "
            "not add up to the model's output as the method promises.",
        )
        for method, error in errors.items()
    ]


def _without_values(row: dict[str, Any]) -> Caution:
    why = "; ".join(f"{reason} ({n:,})" for reason, n in row["undefined"].items()) or "it was not computed"
    name = metric_in_sentence(row["metric"])
    return _warning("metric_undefined", f"No explanation has a value of {name}, so it is compared with nothing: {why}.")


def _judgments(count: int) -> str:
    return "1 judgment" if count == 1 else f"{count:,} judgments"


def _warning(code: str, message: str) -> Caution:
    return {"code": code, "message": message}
