import csv
import io

import pytest
from django.template.loader import render_to_string

from reports.presenting import make_tables
from reports.reporting import build_report
from reports.tabulating import MOST_SHOWN, Column, Table, as_csv, as_latex, show
from tests.reports.studies import guessing_study, rating_study

TABLE = Table(
    "made_up",
    "Shares & scores",
    [Column("worker", "Worker", "text"), Column("share", "Share", "share"), Column("ci", "95 %", "shares")],
    [{"worker": "=cmd()", "share": -0.25, "ci": [0.1, 0.2]}, {"worker": "w_2", "share": None, "ci": None}],
)


def test_it_works() -> None:
    names = [table.name for table in make_tables(build_report(guessing_study(), replicates=50))]
    assert names[:3] == ["methods", "accuracy", "accuracy_by_k"] and len(set(names)) == len(names)
    assert set(names) >= {
        "against_random", "mean_ranks", "differences", "difference_tests", "effect_sizes", "flips", "agreement",
        "correlations", "correlations_more", "winners", "reliability", "metric_means", "workers",
    }  # fmt: skip


def test_ratings_have_no_tables_of_accuracy() -> None:
    names = {table.name for table in make_tables(build_report(rating_study(), replicates=50))}
    assert names.isdisjoint({"accuracy", "accuracy_by_k", "flips", "baselines"})
    assert names >= {"methods", "answers", "against_random", "differences", "agreement", "correlations", "workers"}


def test_every_cell_of_every_table_can_be_shown() -> None:
    for study in (guessing_study(), rating_study()):
        for table in make_tables(build_report(study, replicates=50)):
            assert all(len(row) == len(table.columns) for row in table.shown())
            assert as_latex(table).count(r"\\") == len(table.rows) + 1


def test_csv_keeps_numbers_numbers_and_disarms_formulas() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(TABLE))))
    assert rows == [
        ["worker", "share", "ci_low", "ci_high"],
        ["'=cmd()", "-0.25", "0.1", "0.2"],
        ["w_2", "", "", ""],
    ]


def test_latex_is_escaped_and_rounded() -> None:
    text = as_latex(TABLE)
    assert r"\caption{Shares \& scores}" in text
    assert r"=cmd() & -25.0 \% & 10.0 to 20.0 \\" in text
    assert r"w 2 & -- & -- \\" in text


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("weighted", 0.8116, "81.16 %"),
        ("share", 0.818, "81.8 %"),
        ("p", 0.0412, "0.041"),
        ("p", 9.2e-38, "9.2e-38"),
        ("count", 20000, "20,000"),
        ("counts", [1, 3], "1 to 3"),
        ("points", 0.384, "+38.4 points"),
        ("method", "integrated_gradients", "Integrated gradients"),
        ("method", "my_method", "My method"),
        ("score", None, "\N{EN DASH}"),
    ],
)
def test_numbers_are_shown_as_readers_expect(kind: str, value: object, text: str) -> None:
    assert show(kind, value) == text


def test_a_page_shows_the_first_of_very_many_rows_and_the_csv_all() -> None:
    table = Table("many", "Many", [Column("n", "n", "count")], [{"n": n} for n in range(MOST_SHOWN + 5)])
    assert table.is_cut and len(table.shown()) == MOST_SHOWN
    assert len(as_csv(table).splitlines()) == MOST_SHOWN + 6
    page = render_to_string("reports/table.html", {"table": table})
    assert "The first 1,000 of 1,005 rows; the CSV has all" in page and page.count("<tr>") == MOST_SHOWN + 1


def test_what_rounds_to_zero_has_no_minus() -> None:
    assert [show(kind, -1e-9) for kind in ("points", "score", "share")] == ["+0.0 points", "0.000", "0.0 %"]
    assert show("scores", [-1e-9, 0.5]) == "0.000 to 0.500"


def test_no_p_value_is_smaller_than_can_be_meant() -> None:
    assert [show("p", p) for p in (0.0412, 7.1e-9, 2.2e-308)] == ["0.041", "7.1e-9", "< 1e-100"]
