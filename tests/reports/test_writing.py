"""The report as one page that stands alone."""

import re
from html.parser import HTMLParser

import pytest

from reports.presenting import draw_figures, make_figures
from reports.reporting import build_report
from reports.sections.section import Report
from reports.writing import render_page
from tests.reports.studies import guessing_study, rating_study


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(guessing_study(), replicates=50)


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return render_page(report, draw_figures(report))


def test_it_works(page: str) -> None:
    assert "Integrated gradients has the highest weighted accuracy" in page and "<svg" in page


def test_ratings_work() -> None:
    report = build_report(rating_study(), replicates=50)
    page = render_page(report, draw_figures(report))
    assert "Mean opinion" in page and "(rate the highlights): 4 methods, 240 judgments" in page


def test_the_page_needs_nothing_from_anywhere(page: str) -> None:
    loaded = re.findall(r'(?:src|href)="([^"]+)"|url\(([^)]+)\)|@import', page)
    targets = [first or second for first, second in loaded]
    assert all(target.startswith(("data:", "#")) for target in targets)
    assert "<script" not in page


def test_the_page_is_well_formed(page: str) -> None:
    open_tags: list[str] = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("meta", "br", "link", "input"):
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Balance().feed(page)
    assert open_tags == []


def test_headings_and_figures_are_named(report: Report, page: str) -> None:
    labels = re.findall(r'aria-labelledby="([^"]+)"', page)
    assert labels and all(f'id="{label}"' in page for label in labels)
    assert page.count("<figure") == len(make_figures(report))
