import json
import re
from html.parser import HTMLParser
from pathlib import Path

from reports.reporting import build_report
from reports.writing import write_report
from tests.reports.studies import guessing_study, rating_study


def written(folder: Path) -> dict[str, bytes]:
    write_report(build_report(guessing_study(), replicates=50), folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_works(tmp_path: Path) -> None:
    files = written(tmp_path)
    assert json.loads(files["report.json"])["methods"][0]["rank"] == 1
    assert {"report.html", "tables/methods.csv", "tables/methods.tex", "figures/scores.svg"} < set(files)


def test_ratings_work(tmp_path: Path) -> None:
    write_report(build_report(rating_study(), replicates=50), tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Mean opinion" in page and "(rate the highlights): 4 methods, 240 judgments" in page


def test_a_second_writing_has_the_same_bytes(tmp_path: Path) -> None:
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_the_page_needs_nothing_from_anywhere(tmp_path: Path) -> None:
    page = written(tmp_path)["report.html"].decode()
    loaded = re.findall(r'(?:src|href)="([^"]+)"|url\(([^)]+)\)|@import', page)
    targets = [first or second for first, second in loaded]
    assert all(target.startswith(("data:", "#")) for target in targets)
    assert "<script" not in page


def test_the_page_is_well_formed(tmp_path: Path) -> None:
    open_tags: list[str] = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("meta", "br", "link", "input"):
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Balance().feed(written(tmp_path)["report.html"].decode())
    assert open_tags == []


def test_headings_and_figures_are_named(tmp_path: Path) -> None:
    page = written(tmp_path)["report.html"].decode()
    labels = re.findall(r'aria-labelledby="([^"]+)"', page)
    assert labels and all(f'id="{label}"' in page for label in labels)
    assert page.count("<figure") == 3
