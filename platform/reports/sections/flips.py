"""Flips: texts recognised with fewer words and not with more."""

from analysis.scoring.flipping import count_flips, flipped_steps_from_noise
from reports.measuring import Scores
from reports.sections.section import Matter, Report, Row, Section, number
from reports.tabulating import Column, Table


def describe_flips(matter: Matter) -> Row | None:
    """None where there are no verdicts at several ks."""
    grid = matter.scores.grid if matter.scores else None
    if grid is None or len(grid.ks) < 2:
        return None
    flips = count_flips(grid.verdicts)
    section: Row = {
        "steps": flips.steps,
        "flipped_steps": flips.flipped_steps,
        "sequences": flips.sequences,
        "flipped_sequences": flips.flipped_sequences,
    }
    if matter.study.judgments is not None:
        noise = flipped_steps_from_noise(matter.study.judgments, seed=matter.settings.seed)
        section["flipped_steps_from_noise"] = noise
        section["share_from_noise"] = share_from_noise(flips.flipped_steps, noise)
    return section


def share_from_noise(flipped: int, noise: float | None) -> float | None:
    """Of the flipped steps how many vote noise alone would make, at most all; None where none flipped."""
    return min(1.0, noise / flipped) if flipped and noise is not None else None


def rate_methods(_matter: Matter, scores: Scores) -> dict[str, Row]:
    """The share of texts with a flip."""
    if scores.grid is None:
        return {}
    rates = count_flips(scores.grid.verdicts).rates
    return {method: {"flip_rate": number(rates[column])} for column, method in enumerate(scores.methods)}


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("of", "Of", "text"), Column("flipped", "Flipped", "count"), Column("total", "All", "count"),
        Column("share", "Share", "share"), Column("from_noise", "Expected from vote noise", "tenths"),
        Column("noise_share", "Share of the flipped", "share"),
    ]  # fmt: skip
    if "flips" not in report:
        return []
    flips = report["flips"]
    counts = (
        ("steps to the next k", "flipped_steps", "steps", flips.get("flipped_steps_from_noise")),
        ("sequences of all ks", "flipped_sequences", "sequences", None),
    )
    rows = [
        {"of": of, "flipped": flips[part], "total": flips[whole], "from_noise": noise,
         "share": flips[part] / flips[whole] if flips[whole] else None,
         "noise_share": None if noise is None else flips.get("share_from_noise")}
        for of, part, whole, noise in counts
    ]  # fmt: skip
    return [Table("flips", "Flips: recognised with fewer words, not with more", columns, rows)]


def explain(report: Report) -> list[str]:
    return [_NOTE] if report.get("flips") else []


_NOTE = (
    "A flip is a text recognised with fewer words and not with the next greater number. Where votes are known, the "
    "number expected from noise assumes that more words never hurt and draws the votes anew."
)

SECTION = Section("flips", "Flips", describe=describe_flips, per_method=rate_methods, tables=make_tables, notes=explain)
