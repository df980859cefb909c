"""A report as a page: of the site, or one that stands alone."""

import base64

from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject

from reports.cue_wording import open_cue_report
from reports.presenting import make_parts, summarise
from reports.reporting import as_json
from reports.sections.section import Report
from reports.wording import open_report


def render_page(report: Report, figures: dict[str, str]) -> str:
    """The report as one HTML file that needs nothing from anywhere."""
    encoded = base64.b64encode(as_json(report).encode()).decode()
    context = page_context(report, figures) | {"json_link": f"data:application/json;base64,{encoded}"}
    return render_to_string("reports/report.html", context)


def page_context(report: Report, figures: dict[str, str]) -> Report:
    """What the report's templates show, on a page of the site or in a file."""
    return {
        "report": report,
        "title": report["meta"].get("source", "study"),
        "opening": open_report(report) if "methods" in report else open_cue_report(report),
        "summary": summarise(report),
        # Made where they are shown: a page that has them at hand needs none.
        "parts": SimpleLazyObject(lambda: make_parts(report, figures)),
        "hashes": report["meta"]["hashes"],
        "versions": report["meta"]["versions"],
    }
