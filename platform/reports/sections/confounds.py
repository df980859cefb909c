"""What moved ratings besides saliency, and how closely they follow the saliency that was shown."""

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, IntArray
from analysis.modelling.confounds import label_of
from analysis.modelling.following import Following, follow_pooled, follow_within_workers
from analysis.ranking.comparing import holm
from reports.drawing import Figure
from reports.effects_showing import (
    effect_figure,
    effect_table,
    explain_model,
    few_groups,
    spread_table,
    undefined,
)
from reports.measuring import Settings
from reports.modelling import Asked, describe_fit, of_confounds
from reports.palette import display_label
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.statuses import reason
from reports.tabulating import Column, Table
from reports.wording import within

TITLE = "Effects on ratings, all else equal"
ALPHA = 0.05
# Not confounds: what was asked about.
ASKED_ABOUT = ("saliency", "saliency_rank", "marked_saliency", "method")


def describe_confounds(matter: Matter) -> Row | None:
    """The model of ratings, and `following`: their rank correlation with the saliency shown, where it is known."""
    asked = of_confounds(matter.study)
    if asked is None:
        return None
    section = describe_fit(asked)
    if section["terms"]:
        adjusted = holm(np.array([row["p"] for row in section["terms"]]))
        section["terms"] = [row | {"p_adjusted": float(p)} for row, p in zip(section["terms"], adjusted, strict=True)]
    followed = _follow(asked, matter.settings) if "saliency" in asked.frame else []
    return section | ({"following": followed} if followed else {})


def _follow(asked: Asked, settings: Settings) -> list[Row]:
    """Over all judgments, within workers, and over those under each display where there are several."""
    known = asked.frame.dropna(subset=["saliency", "rating"])
    if known.empty:
        return []
    replicates, seed = settings.replicates, settings.seed
    saliency, ratings, _, workers = _arrays(known)
    within_workers, _by_worker = follow_within_workers(saliency, ratings, workers, replicates=replicates, seed=seed)
    rows = [_followed("pooled", follow_pooled(*_arrays(known), replicates=replicates, seed=seed))]
    rows.append(_followed("within_workers", within_workers))
    for display, own in known.groupby("display", sort=True) if "display" in known else ():
        found = follow_pooled(*_arrays(own), replicates=replicates, seed=seed)
        rows.append(_followed("pooled", found) | {"display": str(display)})
    return rows


def _arrays(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
    """Saliency, ratings, texts, workers."""
    texts, workers = (pd.factorize(rows[name], sort=True)[0].astype(np.int64) for name in ("text", "worker"))
    return rows["saliency"].to_numpy(dtype=float), rows["rating"].to_numpy(dtype=float), texts, workers


def _followed(how: str, found: Following) -> Row:
    row = {"over": how, "coefficient": "spearman_rho", "value": found.value, "n": found.n, "status": found.status}
    return row | {"ci": None if found.ci is None else list(found.ci), "resampled": found.over}


def make_tables(report: Report) -> list[Table]:
    found = report.get("confounds")
    spread = "How much workers and texts differ, in the model of ratings"
    tables = [
        effect_table("confounds", TITLE, found),
        _term_table(found),
        spread_table("confounds_spread", spread, found),
    ]
    return [*tables, _following_table(found)]


def _term_table(found: Row | None) -> Table:
    columns = [
        Column("name", "Term", "text"), Column("chi2", "Chi squared", "hundredth"), Column("df", "df", "count"),
        Column("p", "p", "p"), Column("p_adjusted", "p (Holm)", "p"),
    ]  # fmt: skip
    rows = [row | {"name": label_of(row["term"])} for row in (found["terms"] if found else [])]
    return Table("confound_terms", "Each term of the model of ratings as a whole", columns, rows)


def _following_table(found: Row | None) -> Table:
    columns = [
        Column("name", "Rank correlation", "text"), Column("value", "Spearman's rho", "score"),
        Column("ci", "95 %", "scores"), Column("n", "n", "count"), Column("status", "Status", "status"),
    ]  # fmt: skip
    rows = [row | {"name": _over(row)} for row in (found or {}).get("following", [])]
    return Table("following", "Ratings against the saliency shown", columns, rows)


def _over(row: Row) -> str:
    if "display" in row:
        return f"Over judgments under {display_label(row['display'])}"
    return "Over all judgments" if row["over"] == "pooled" else "Mean within workers"


def draw_figures(report: Report) -> list[Figure]:
    return effect_figure("confounds", TITLE, "confounds", report.get("confounds"))


def say(report: Report) -> list[str]:
    found = report.get("confounds")
    if not found:
        return []
    told = []
    for row in found.get("following", [])[:1]:
        if row["status"] == "ok":
            told.append(
                f"Ratings follow the saliency shown: Spearman's rho is {row['value']:.3f}{within('scores', row['ci'])} "
                f"over {row['n']:,} judgments."
            )
        else:
            told.append(f"Spearman's rho of ratings and saliency is undefined: {reason(row['status'])}.")
    confounds = [row for row in found["terms"] if row["term"] not in ASKED_ABOUT]
    if confounds:
        moving = [label_of(row["term"]).lower() for row in confounds if row["p_adjusted"] < ALPHA]
        names = ", ".join(moving) or "none"
        told.append(
            f"Confounds that move ratings with all else equal (p < {ALPHA}, Holm over all terms of the model): {names}."
        )
    return told


def warn(_matter: Matter, report: Report) -> list[Caution]:
    found = report.get("confounds")
    if not found:
        return []
    if found["status"] != "ok":
        return [caution("model_undefined", undefined("The model of what moves ratings", found))]
    told = few_groups(found)
    return [caution("few_groups", told)] if told else []


def explain(report: Report) -> list[str]:
    found = report.get("confounds")
    if not found or found["status"] != "ok":
        return []
    notes = [explain_model("confounds", found), _NOTE]
    if found["n_incomplete"]:
        notes.append(f"Judgments that lack a confound are left out of the model: {found['n_incomplete']:,}.")
    if found["left_out"]:
        names = ", ".join(f"{label_of(name).lower()} ({reason(why)})" for name, why in found["left_out"].items())
        notes.append(f"Left out of the model: {names}.")
    return notes


_NOTE = (
    "A confound moves ratings besides what was asked about. Saliency is its size, without the sign; a word at the edge "
    "of a text has no neighbour, which counts as no saliency; categories of fewer than 50 judgments stand together as "
    "rare. Effects are with all other terms equal and straight lines: a bend in one of them is not seen. Rank "
    "correlations resample texts and workers, or workers; within workers it does not matter how each uses the scale."
)

SECTION = Section(
    "confounds",
    "What moves ratings",
    describe=describe_confounds,
    tables=make_tables,
    figures=draw_figures,
    findings=say,
    notes=explain,
    warnings=warn,
)
