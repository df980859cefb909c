"""What a report of cues and attractors says in sentences: its finding, and how its numbers were made."""

from typing import Any

from reports.statuses import reason
from reports.tabulating import show

Report = dict[str, Any]
TARGET_CLASSES = {"verum": "expected class", "malum": "other class"}


def open_cue_report(report: Report) -> str:
    """What the report is of."""
    models, prefixes = len(report["plausibility"]), report["meta"]["n_prefixes"]
    size = f"{models} model{'' if models == 1 else 's'}, {prefixes:,} prefix{'' if prefixes == 1 else 'es'}"
    return f"Saliency of language models on prefixes with cues and attractors: {size}."


def say_passing(report: Report) -> list[str]:
    """How many prefixes each model passes, with interval and n."""
    return [_passing(row) for row in report["plausibility"]]


def say_alike(report: Report) -> list[str]:
    """How maps of each model, or two, correlate."""
    rows = report.get("consistency", [])
    models = dict.fromkeys(tuple(row["models"]) for row in rows)
    return [_likeness([row for row in rows if tuple(row["models"]) == names]) for names in models]


def explain_passing(_report: Report) -> list[str]:
    return [_PASS_NOTE, _CHANCE_NOTE]


def explain_alikeness(report: Report) -> list[str]:
    intervals = (
        "Intervals are 95 %: of rates, Wilson's, since a bootstrap of a rate of 0 or 1 has no width; of correlations, "
        f"by bootstrap over lines, or over templates ({report['meta']['replicates']:,} resamples, "
        f"seed {report['meta']['seed']})."
    )
    return [*([_CONSISTENCY_NOTE] if report.get("consistency") else []), intervals]


_PASS_NOTE = (
    "A map's saliency of a phrase is the greatest score in it. Where the model prefers the expected class, the map for "
    "that class passes if a cue is more salient than every attractor; where it prefers the other, the map for the "
    "other class passes if an attractor is more salient than every cue. Ties do not pass (Ding and Koehn 2021)."
)
_CHANCE_NOTE = (
    "Chance is the pass rate of scores drawn at random: the share of words that decide in the right direction."
)
_CONSISTENCY_NOTE = (
    "Consistency is the mean of Pearson's r over pairs of maps, after scores below 1 % of a map's greatest are set "
    "to zero. Model consistency compares two models on each prefix; input consistency compares the prefixes made from "
    "one template with the first of them. Pairs of unequal lengths are left out."
)


def _passing(row: Report) -> str:
    if row["status"] != "ok":
        return f"The pass rate of {row['model']} is undefined: {reason(row['status'])}."
    within = f"(95\N{NO-BREAK SPACE}% interval {show('shares', row['ci'])} %)"
    cases = ", ".join(
        f"{row[case][0]:,} of {row[case][1]:,} where it prefers {name}"
        for case, name in (("expected", "the expected class"), ("alternative", "the other"))
        if row[case][1]
    )
    passed = f"{row['model']} passes {row['passed']:,} of {row['n']:,} prefixes, {show('share', row['rate'])} {within}"
    return f"{passed}: {cases}. Random scores would pass {show('share', row['chance'])}."


def _likeness(rows: list[Report]) -> str:
    """One sentence on the maps of one model, or of one pair of models."""
    if rows[0]["kind"] == "model":
        subject = f"Maps of {' and '.join(rows[0]['models'])} on the same prefix"
    else:
        subject = f"Maps of {rows[0]['models'][0]} on prefixes of one template"
    parts = [f"{_correlation(row)} for the {TARGET_CLASSES[row['target']]}" for row in rows]
    return f"{subject} correlate by {' and '.join(parts)}."


def _correlation(row: Report) -> str:
    if row["status"] != "ok":
        return f"no defined r ({reason(row['status'])})"
    within = "" if row["ci"] is None else f" ({show('scores', row['ci'])}, n = {row['n']:,})"
    return f"r = {row['pearson']:.3f}{within}"
