"""The sections of a report: each registered once, and a report is what they say."""

from importlib import import_module
from pathlib import Path

import reports.sections
from reports.presenting import make_figures, make_tables
from reports.reporting import build_report
from reports.sections import SECTIONS
from tests.reports.studies import guessing_study

MODULES = {path.stem for path in Path(reports.sections.__file__).parent.glob("*.py")} - {"__init__", "section"}


def test_every_module_is_registered_once() -> None:
    found = [import_module(f"reports.sections.{name}").SECTION.key for name in MODULES]
    assert sorted(found) == sorted(section.key for section in SECTIONS)


def test_every_section_has_a_title() -> None:
    assert all(section.title for section in SECTIONS)


def test_a_report_has_no_keys_that_no_section_describes() -> None:
    keys = {"meta", "methods", "warnings"} | {section.key for section in SECTIONS}
    assert set(build_report(guessing_study(), replicates=20)) <= keys


def test_names_of_tables_and_figures_are_their_own_and_figures_name_tables_there_are() -> None:
    report = build_report(guessing_study(), replicates=20)
    tables, figures = [table.name for table in make_tables(report)], make_figures(report)
    assert len(set(tables)) == len(tables)
    assert len({figure.name for figure in figures}) == len(figures)
    assert {figure.table for figure in figures if figure.table} <= set(tables)
