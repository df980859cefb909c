"""What workers marked in the texts, where they were asked to."""

import numpy as np
import pandas as pd

from analysis.scoring.overlap import mean_overlap
from analysis.study import MARKING
from protocols.rationale_marking import words_of
from reports.measuring import summarise_columns
from reports.sections.section import Matter, Report, Row, Section, number, pair
from reports.statuses import reason
from reports.tabulating import Column, Table, show
from reports.wording import within


def describe_marking(matter: Matter) -> Row | None:
    """How much workers mark; None for other protocols. Shares are means over judgments."""
    answers = matter.study.answers
    if matter.study.protocol != MARKING or answers is None or answers.empty or answers["words_in_all"].isna().any():
        return None
    marked = answers["label"].map(lambda label: len(words_of(label))).to_numpy(dtype=float)
    words = answers["words_in_all"].to_numpy(dtype=float)
    shares = np.divide(marked, words, out=np.zeros_like(marked), where=words > 0)
    return {
        "n_texts": int(answers["text"].nunique()),
        "mean_words": float(marked.mean()),
        "mean_share": float(shares.mean()),
        "nothing": float((marked == 0).mean()),
        "overlap": _overlap(matter, answers),
    }


def _overlap(matter: Matter, answers: pd.DataFrame) -> Row:
    """Of two workers' marks in a text: mean over texts, with its interval over texts."""
    by_text = [
        mean_overlap([words_of(label) for label in own["label"]]) for _, own in answers.groupby("text", sort=True)
    ]
    values, intervals = summarise_columns(np.array(by_text)[:, None], matter.settings)
    found: Row = {"value": number(values[0]), "ci": pair(intervals[:, 0]), "over": "texts"}
    found["n"] = int(np.isfinite(by_text).sum())
    return found | {"status": "ok" if found["n"] else "no_two_who_mark"}


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("n_texts", "Texts", "count"), Column("mean_words", "Words marked, mean", "tenths"),
        Column("mean_share", "Of all words", "share"), Column("nothing", "Answers that marked nothing", "share"),
        Column("overlap", "Overlap of two workers", "share"), Column("overlap_ci", "95 %", "shares"),
    ]  # fmt: skip
    found = report.get("marking")
    rows = [found | {"overlap": found["overlap"]["value"], "overlap_ci": found["overlap"]["ci"]}] if found else []
    return [Table("marking", "What workers marked", columns, rows)]


def say(report: Report) -> list[str]:
    marking = report.get("marking")
    if marking is None:
        return []
    texts = f"{marking['n_texts']:,} text" + ("" if marking["n_texts"] == 1 else "s")
    words = f"{marking['mean_words']:.1f} words, {show('share', marking['mean_share'])} of those there are"
    return [f"In {texts} workers marked {words}; {show('share', marking['nothing'])} of answers marked nothing."]


def explain(report: Report) -> list[str]:
    if "marking" not in report:
        return []
    overlap = report["marking"]["overlap"]
    if overlap["status"] != "ok":
        return [f"The overlap of two workers' marks is undefined: {reason(overlap['status'])}."]
    value = f"{show('share', overlap['value'])}{within('shares', overlap['ci'], ' %')}, over {overlap['n']:,} texts"
    return [
        f"Two workers' marks in a text overlap by {value}: twice the words that both marked, of all that either did. "
        "It is the token F1 of one against the other, and so what maps can be hoped to reach."
    ]


SECTION = Section("marking", "Marked words", describe=describe_marking, tables=make_tables, findings=say, notes=explain)
