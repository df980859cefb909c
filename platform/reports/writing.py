"""A report as files: report.json, report.html, tables and figures."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from reports.cue_showing import CUE_FIGURE_TITLES, cue_tables, draw_cue_figures
from reports.cue_wording import explain_cues, open_cue_report, summarise_cues
from reports.presenting import draw_figures, explain_methods, make_tables, summarise
from reports.reporting import as_json
from reports.tabulating import Table, as_csv, as_latex
from reports.wording import open_report

Report = dict[str, Any]

FIGURE_TITLES = {
    "accuracy_by_k": "Accuracy by number of shown words, with intervals",
    "scores": "Score of each method, with intervals",
    "answers": "Share of each answer by method",
    "human_and_metrics": "People's scores against automatic metrics",
}


@dataclass(frozen=True)
class Presentation:
    """How one kind of report becomes tables, figures and sentences."""

    tables: Callable[[Report], list[Table]]
    figures: Callable[[Report], dict[str, str]]
    figure_titles: dict[str, str]
    opening: Callable[[Report], str]
    summary: Callable[[Report], list[str]]
    notes: Callable[[Report], list[str]]


PEOPLE = Presentation(make_tables, draw_figures, FIGURE_TITLES, open_report, summarise, explain_methods)
CUES = Presentation(cue_tables, draw_cue_figures, CUE_FIGURE_TITLES, open_cue_report, summarise_cues, explain_cues)


def _presentation(report: Report) -> Presentation:
    return PEOPLE if "methods" in report else CUES


def write_report(report: Report, out: Path) -> list[Path]:
    """Write every file of the report below `out`; same report, same bytes."""
    paths = []
    for name, content in render_files(report, _presentation(report).figures(report)).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def render_files(report: Report, figures: dict[str, str]) -> dict[str, str]:
    """The content of every file of the report, by its path."""
    contents = {"report.json": as_json(report), "report.html": render_page(report, figures)}
    for table in _presentation(report).tables(report):
        contents[f"tables/{table.name}.csv"] = as_csv(table)
        contents[f"tables/{table.name}.tex"] = as_latex(table)
    return contents | {f"figures/{name}.svg": _black_on_white(svg) for name, svg in figures.items()}


def render_page(report: Report, figures: dict[str, str]) -> str:
    """The report as one HTML file that needs nothing from anywhere."""
    encoded = base64.b64encode(as_json(report).encode()).decode()
    context = page_context(report, figures) | {"json_link": f"data:application/json;base64,{encoded}"}
    return render_to_string("reports/report.html", context)


def page_context(report: Report, figures: dict[str, str]) -> Report:
    """What the report's templates show, on a page of the site or in a file."""
    kind = _presentation(report)
    charts = [
        {"name": name, "title": title, "wide": figures[name], "narrow": figures[f"{name}_narrow"]}
        for name, title in kind.figure_titles.items()
        if name in figures
    ]
    return {
        "report": report,
        "title": report["meta"].get("source", "study"),
        "opening": kind.opening(report),
        "summary": kind.summary(report),
        "charts": charts,
        "tables": kind.tables(report),
        "notes": kind.notes(report),
        "hashes": report["meta"]["hashes"],
        "versions": report["meta"]["versions"],
    }


def _black_on_white(svg: str) -> str:
    """A figure on its own has no page whose ink it could take."""
    return svg.replace("<svg ", '<svg style="color:#1c1f24;background:#fff" ', 1)
