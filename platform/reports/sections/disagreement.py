"""Disagreement stimulus by stimulus, against what chance would give."""

from typing import Any

import pandas as pd

from analysis.agreement.splitting import disagreement_by_unit
from reports.sections.section import Matter, Report, Row, Section, number
from reports.tabulating import Column, Table, show

# Told of one by one; the numbers above them are of all.
MOST = 50


def describe_disagreement(matter: Matter) -> Row | None:
    """How many stimuli are without disagreement, how many have more than chance, and those that have most.

    disagreement: of two answers, the mean squared distance at the level of measurement. relative: over what chance
    would give, so that 1 is chance; null where all answers are the same. None for marked words.
    """
    found = matter.tally
    if found is None or found.units == "words":
        return None
    table = disagreement_by_unit(found.ratings, found.level)
    if table.empty:
        return None
    most = table[table["disagreement"] > 0].sort_values(["disagreement", "n"], ascending=False, kind="stable")
    keys = found.stimuli.loc[most["unit"].head(MOST)]
    return {
        "level": found.level,
        "n": len(table),
        "unanimous": int((table["disagreement"] == 0).sum()),
        "beyond_chance": int((table["relative"] > 1).sum()),
        "stimuli": [_stimulus(key, one) for key, one in zip(_rows(keys), _rows(most.head(MOST)), strict=True)],
    }


def _rows(table: pd.DataFrame) -> list[dict[Any, Any]]:
    return table.to_dict("records")


def _stimulus(key: dict[Any, Any], one: dict[Any, Any]) -> Row:
    names = {name: str(key[name]) for name in ("text", "method", "other", "display") if key[name]}
    k = {} if pd.isna(key["k"]) else {"k": int(key["k"])}
    numbers = {"disagreement": number(one["disagreement"]), "relative": number(one["relative"])}
    return {**names, **k, "n": int(one["n"]), **numbers}


def make_tables(report: Report) -> list[Table]:
    rows = report.get("disagreement", {}).get("stimuli", [])
    wanted = [
        Column("text", "Text", "id"), Column("method", "Method", "method"), Column("other", "Against", "method"),
        Column("k", "k", "count"), Column("display", "Display", "display"), Column("n", "Judgments", "count"),
        Column("disagreement", "Disagreement", "score"), Column("relative", "Over chance", "hundredth"),
    ]  # fmt: skip
    columns = [one for one in wanted if any(one.name in row for row in rows)]
    return [Table("disagreement", "Stimuli with most disagreement", columns, rows)]


def explain(report: Report) -> list[str]:
    found = report.get("disagreement")
    if not found:
        return []
    n, none, beyond = found["n"], found["unanimous"], found["beyond_chance"]
    return [
        f"Of {n:,} stimuli with two judgments or more, {none:,} ({show('share', none / n)}) have no disagreement and "
        f"{beyond:,} ({show('share', beyond / n)}) more than chance would give. It is the mean squared distance of two "
        f"answers at the {found['level']} level; alpha is 1 less its mean over chance, weighted by judgments. At most "
        f"{MOST} stimuli are told of."
    ]


SECTION = Section(
    "disagreement",
    "Disagreement by stimulus",
    describe=describe_disagreement,
    tables=make_tables,
    notes=explain,
)
