"""What workers marked in the texts, where they were asked to."""

import numpy as np

from analysis.study import MARKING
from protocols.rationale_marking import words_of
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table, show


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
    }


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("n_texts", "Texts", "count"), Column("mean_words", "Words marked, mean", "tenths"),
        Column("mean_share", "Of all words", "share"), Column("nothing", "Answers that marked nothing", "share"),
    ]  # fmt: skip
    found = report.get("marking")
    return [Table("marking", "What workers marked", columns, [found] if found else [])]


def say(report: Report) -> list[str]:
    marking = report.get("marking")
    if marking is None:
        return []
    texts = f"{marking['n_texts']:,} text" + ("" if marking["n_texts"] == 1 else "s")
    words = f"{marking['mean_words']:.1f} words, {show('share', marking['mean_share'])} of those there are"
    return [f"In {texts} workers marked {words}; {show('share', marking['nothing'])} of answers marked nothing."]


SECTION = Section("marking", "Marked words", describe=describe_marking, tables=make_tables, findings=say)
