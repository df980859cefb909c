"""A report as tables, figures and sentences: a walk over its sections."""

from dataclasses import dataclass
from typing import Any

from reports.cue_showing import CUE_SECTIONS
from reports.drawing import Figure, Spec, draw_all, whole
from reports.sections import SECTIONS
from reports.sections.section import Report, Section
from reports.tabulating import Table


@dataclass(frozen=True)
class Chart:
    """A figure as drawn, `wide` and `narrow`, and what a browser draws it from anew, so that it answers to hands."""

    name: str
    title: str
    wide: str
    narrow: str
    specs: dict[str, Spec]
    table: Table | None
    folded: bool

    @property
    def spec_id(self) -> str:
        return f"spec-{self.name}"


@dataclass(frozen=True)
class Part:
    """What a page shows of one section."""

    section: Section
    charts: list[Chart]
    tables: list[Table]
    notes: list[str]
    own: Any


def sections_of(report: Report) -> tuple[Section, ...]:
    """Of judgments of people, or of cues and attractors."""
    return SECTIONS if "methods" in report else CUE_SECTIONS


def make_tables(report: Report) -> list[Table]:
    """The tables that the report has data for."""
    return [table for section in sections_of(report) for table in section.tables(report) if table.rows]


def make_figures(report: Report) -> list[Figure]:
    """The figures that the report has data for, as specifications."""
    return [figure for section in sections_of(report) for figure in section.figures(report)]


def draw_figures(report: Report) -> dict[str, str]:
    """SVG by figure name. Names ending in `_narrow` suit a phone."""
    return draw_all(make_figures(report))


def summarise(report: Report) -> list[str]:
    """The finding in a few sentences, each with measure, interval and n."""
    return [sentence for section in sections_of(report) for sentence in section.findings(report)]


def explain_methods(report: Report) -> list[str]:
    """How each number was made, for the sections that the report has."""
    return [note for section in sections_of(report) for note in section.notes(report)]


def make_parts(report: Report, drawn: dict[str, str]) -> list[Part]:
    """What the report has anything to show of, in the order of its page."""
    parts = [_part(report, section, drawn) for section in sections_of(report)]
    return [part for part in parts if part.charts or part.tables or part.notes or part.own]


def _part(report: Report, section: Section, drawn: dict[str, str]) -> Part:
    tables = [table for table in section.tables(report) if table.rows]
    charts = [make_chart(figure, drawn, tables) for figure in section.figures(report)]
    folded = [chart.table for chart in charts if chart.folded]
    shown = [table for table in tables if table not in folded]
    return Part(section, charts, shown, section.notes(report), section.shape(report))


def make_chart(figure: Figure, drawn: dict[str, str], tables: list[Table]) -> Chart:
    """A figure with that of the tables which holds its numbers; the first of a section is shown, others are folded."""
    wide, narrow = drawn[figure.name], drawn[f"{figure.name}_narrow"]
    specs = {"wide": whole(figure.wide), "narrow": whole(figure.narrow)}
    table = next((table for table in tables if table.name == figure.table), None)
    return Chart(figure.name, figure.title, wide, narrow, specs, table, table not in tables[:1] and table is not None)
