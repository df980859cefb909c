"""Answers by method, with workers and texts as random effects."""

from reports.drawing import Figure
from reports.effects_showing import (
    effect_figure,
    effect_table,
    explain_model,
    few_groups,
    name_of,
    spread_table,
    undefined,
)
from reports.modelling import describe_fit, of_methods
from reports.palette import method_label
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.standing_out import SURE, higher_than
from reports.tabulating import Table

TITLE = "Effects of methods, workers and texts allowed for"


def describe_models(matter: Matter) -> Row | None:
    """None where no method can be compared with another. See `reports.modelling.describe_fit`."""
    asked = of_methods(matter.study)
    return None if asked is None else describe_fit(asked)


def make_tables(report: Report) -> list[Table]:
    found = report.get("models")
    spread = "How much workers and texts differ, in the model of methods"
    return [effect_table("models", TITLE, found), spread_table("models_spread", spread, found)]


def draw_figures(report: Report) -> list[Figure]:
    return effect_figure("models", TITLE, "models", report.get("models"))


def say(report: Report) -> list[str]:
    """A second look at what the finding says of the methods, named as that."""
    methods = [row for row in report.get("models", {}).get("effects", []) if row["term"] == "method"]
    if not methods:
        return []
    differ = [row for row in methods if row["p_adjusted"] < SURE]
    reference = method_label(methods[0]["reference"])
    names = ", ".join(f"{name_of(row)} {row['estimate']:+z.2f}" for row in differ)
    how_many = f"{len(differ) or 'none'} of {len(methods)} methods {'differs' if len(differ) < 2 else 'differ'}"
    family = "" if len(methods) == 1 else f", adjusted by Holm over the {len(methods)}"
    return [
        f"A second look by another test, a mixed model with workers and texts as random effects: {how_many} from "
        f"{reference} (p < {SURE}{family}; {report['models']['scale']}){names and f': {names}'}."
        f"{_compared(report, methods)}"
    ]


def _compared(report: Report, methods: list[Row]) -> str:
    """Whether it agrees with the finding, where both are about the same arm."""
    finding = higher_than(report, methods[0]["reference"])
    if finding is None:
        return ""
    known = {row["level"] for row in methods}
    higher = {row["level"] for row in methods if row["p_adjusted"] < SURE and row["estimate"] > 0}
    if higher == finding & known:
        return " It agrees with the finding."
    return (
        " It does not agree with the test by text in all: that takes each text as one observation, the model each "
        "answer, with workers and texts that differ. The test by text is the finding."
    )


def warn(_matter: Matter, report: Report) -> list[Caution]:
    found = report.get("models")
    if not found:
        return []
    if found["status"] != "ok":
        return [caution("model_undefined", undefined("The mixed model of methods", found))]
    told = few_groups(found)
    return [caution("few_groups", told)] if told else []


def explain(report: Report) -> list[str]:
    found = report.get("models")
    return [explain_model("models", found)] if found and found["status"] == "ok" else []


SECTION = Section(
    "models",
    "Mixed model of methods",
    describe=describe_models,
    tables=make_tables,
    figures=draw_figures,
    findings=say,
    notes=explain,
    warnings=warn,
)
