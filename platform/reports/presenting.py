"""A report as tables, figures and sentences: a walk over its sections."""

from reports.drawing import Figure, draw_all
from reports.sections import SECTIONS
from reports.sections.section import Report
from reports.tabulating import Table


def make_tables(report: Report) -> list[Table]:
    """The tables that the report has data for."""
    return [table for section in SECTIONS for table in section.tables(report) if table.rows]


def make_figures(report: Report) -> list[Figure]:
    """The figures that the report has data for, as specifications."""
    return [figure for section in SECTIONS for figure in section.figures(report)]


def draw_figures(report: Report) -> dict[str, str]:
    """SVG by figure name. Names ending in `_narrow` suit a phone."""
    return draw_all(make_figures(report))


def summarise(report: Report) -> list[str]:
    """The finding in a few sentences, each with measure, interval and n."""
    return [sentence for section in SECTIONS for sentence in section.findings(report)]


def explain_methods(report: Report) -> list[str]:
    """How each number was made, for the sections that the report has."""
    return [note for section in SECTIONS for note in section.notes(report)]
