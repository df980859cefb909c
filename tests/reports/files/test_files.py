"""Every file of a report: that it is there, that it is true, and that it has the same bytes each time."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pypdf
import pytest

from analysis.study import Study
from reports.files import FILES, Parcel
from reports.files.document import typeset
from reports.files.heds import OPTIONS, QUESTIONS
from reports.files.manifest import NAME
from reports.files.parquet import PARQUET
from reports.filing import find_file, make_files, pack, write_report
from reports.presenting import draw_figures
from reports.reporting import build_report
from tests.reports.studies import guessing_study, rating_study

ROOT = Path(__file__).resolve().parents[3]
# As another process, in another place and tongue, would write the same.
ELSEWHERE = """
import django, sys; django.setup()
from pathlib import Path
from reports.filing import write_report
from reports.reporting import build_report
from tests.reports.studies import guessing_study
study = guessing_study(n_texts=10)
write_report(build_report(study, replicates=20), Path(sys.argv[1]), study)
"""


@pytest.fixture(scope="module")
def study() -> Study:
    return guessing_study(n_texts=10)


@pytest.fixture(scope="module")
def parcel(study: Study) -> Parcel:
    report = build_report(study, replicates=20)
    return pack(report, draw_figures(report), study)


@pytest.fixture(scope="module")
def files(parcel: Parcel) -> dict[str, bytes]:
    return {file.name: file.content for file in make_files(parcel)}


def test_it_works(files: dict[str, bytes]) -> None:
    patterns = [pattern for kind in FILES for pattern in kind.names]
    empty = [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in files)]
    assert empty == ["tables/labels.csv"]  # Of studies without methods.
    assert [name for name in files if not any(fnmatchcase(name, pattern) for pattern in patterns)] == [NAME]


@pytest.mark.long
def test_another_process_elsewhere_writes_the_same_bytes(files: dict[str, bytes], tmp_path: Path) -> None:
    place = {
        "TZ": "Asia/Tokyo",
        "LC_ALL": "C",
        "LANG": "C",
        "PYTHONHASHSEED": "7",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    path = os.pathsep.join([str(ROOT), str(ROOT / "platform")])
    command = [sys.executable, "-c", ELSEWHERE, str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT, env=os.environ | place | {"PYTHONPATH": path})
    there = {str(one.relative_to(tmp_path)): one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()}
    assert [name for name in files if files[name] != there.get(name)] == [] and len(there) == len(files)


def test_the_manifest_lists_every_other_file(files: dict[str, bytes]) -> None:
    lines = [line.split("  ") for line in files[NAME].decode().splitlines()]
    assert {name: digest for digest, name in lines} == {
        name: sha256(content).hexdigest() for name, content in files.items() if name != NAME
    }


def test_one_file_is_found_without_the_others(parcel: Parcel, files: dict[str, bytes]) -> None:
    found = find_file(parcel, "tables/methods.csv")
    assert found and found.content == files["tables/methods.csv"]
    assert find_file(parcel, "tables/nothing.csv") is None and find_file(parcel, "../report.json") is None


def test_the_document_says_what_the_report_says(parcel: Parcel, files: dict[str, bytes]) -> None:
    reader = pypdf.PdfReader(io.BytesIO(files["report.pdf"]))
    text = " ".join(" ".join(page.extract_text().split()) for page in reader.pages)
    best = parcel.report["methods"][0]["weighted_accuracy"]["one_minus_mean"]
    assert f"{100 * best:.2f} %" in text and "Integrated gradients has the highest" in text
    assert f"1 / {len(reader.pages)}" in reader.pages[0].extract_text()
    assert all(table.title in text for table in parcel.tables) and parcel.report["meta"]["hashes"]["data"] in text
    assert reader.metadata and "/CreationDate" not in reader.metadata


def test_the_document_is_set_in_every_script(parcel: Parcel) -> None:
    titles = ["Größe, œuvre, ¿qué?", "日本語の題", "中文标题", "عنوان بالعربية", "a *b* #c $d_e @f <g> \\h {i}"]
    reader = pypdf.PdfReader(io.BytesIO(typeset(replace(parcel, title=" · ".join(titles), figures=[]))))
    text = " ".join(reader.pages[0].extract_text().split())
    assert "Größe, œuvre, ¿qué?" in text and "a *b* #c $d_e @f <g> \\h {i}" in text


def test_many_rows_are_cut_with_a_word_where_the_rest_is(parcel: Parcel) -> None:
    table = parcel.tables[0]
    many = replace(table, rows=table.rows * 100)
    text = " ".join(
        page.extract_text() for page in pypdf.PdfReader(io.BytesIO(typeset(replace(parcel, tables=[many])))).pages
    )
    assert f"200 more rows are in tables/{table.name}.csv." in " ".join(text.split())


def test_figures_are_black_on_white_in_three_formats(files: dict[str, bytes]) -> None:
    assert files["figures/scores.png"].startswith(b"\x89PNG") and files["figures/scores.pdf"].startswith(b"%PDF")
    assert b"currentColor" not in files["figures/scores.svg"]
    text = pypdf.PdfReader(io.BytesIO(files["figures/scores.pdf"])).pages[0].extract_text()
    assert "Integrated gradients" in text and "Weighted accuracy of each method" in text


def test_parquet_gives_the_data_back(study: Study, files: dict[str, bytes]) -> None:
    assert study.judgments is not None and study.metrics is not None
    for name, frame in (("judgments", study.judgments), ("verdicts", study.cells), ("metrics", study.metrics)):
        read = pd.read_parquet(io.BytesIO(files[f"data/{name}.parquet"]))
        assert list(read.columns) == list(frame.columns) and len(read) == len(frame)
        for column in frame.columns:
            assert read[column].astype(object).where(read[column].notna(), None).tolist() == (
                frame[column].astype(object).where(frame[column].notna(), None).tolist()
            ), column


def test_every_column_of_the_data_has_a_meaning(files: dict[str, bytes]) -> None:
    rows = json.loads(files["codebook.json"])
    assert list(csv.DictReader(io.StringIO(files["codebook.csv"].decode()))) == rows
    for name in ("judgments", "verdicts", "metrics"):
        columns = list(pd.read_parquet(io.BytesIO(files[f"data/{name}.parquet"])).columns)
        told = {row["column"]: row["meaning"] for row in rows if row["file"] == f"data/{name}.parquet"}
        assert list(told) == columns and all(told.values())


def test_the_methods_paragraph_has_the_reports_own_numbers(parcel: Parcel, files: dict[str, bytes]) -> None:
    text, report = files["methods.txt"].decode(), parcel.report
    alpha = next(row for row in report["agreement"] if row["coefficient"] == "krippendorff_alpha")
    assert f"{alpha['value']:.3f}" in text and "360 judgments by 30 workers" in text
    assert f"{report['meta']['replicates']} bootstrap replicates (seed 0) over texts and workers" in text
    assert f"All {len(report['differences'])} pairs of methods were compared" in text and "mixed model" in text
    latex = files["methods.tex"].decode()
    assert latex.count("\n\n") == text.count("\n\n") and r"95 \% intervals" in latex and "&" not in latex


def test_the_datasheet_answers_or_says_what_to_fill_in(parcel: Parcel, files: dict[str, bytes]) -> None:
    sheet = json.loads(files["heds.json"])
    by_number = {row["question"]: row for row in sheet["questions"]}
    assert len(by_number) == len(QUESTIONS) == 62 and "2412.07940" in sheet["source"]
    assert all((row["answer"] is None) == bool(row["todo"]) for row in by_number.values())
    assert by_number["3.2.1"]["answer"] == "30" and by_number["4.2.1"]["answer"] == "1. Objective"
    assert by_number["5.1"]["answer"] is None and "Who approved" in by_number["5.1"]["todo"]


def test_the_datasheet_can_be_loaded_into_the_form(files: dict[str, bytes]) -> None:
    """Its form keeps a field's value under the name of the criterion, or under none outside section 4."""
    form = json.loads(files["heds_form.json"])
    assert form["heds-criteria-criterion"]["control"] == {"Weighted accuracy": True}
    assert form["heds-sample_evaluators_design-evaluators-number_of_evaluators"]["data"] == {"": "30"}
    chosen = form["heds-criteria-criterion-evaluation_mode-objective_or_subjective-1"]
    assert chosen["data"] == {"Weighted accuracy": True} and chosen["text"] == {"Weighted accuracy": "1. Objective"}


def test_options_are_those_of_questions_there_are() -> None:
    numbers = [question.number for question in QUESTIONS]
    assert len(set(numbers)) == len(numbers) and OPTIONS.keys() <= set(numbers)
    assert all(text.startswith(f"{place}. ") for options in OPTIONS.values() for place, text in options.items())


def test_references_are_of_what_was_used(files: dict[str, bytes]) -> None:
    text = files["references.bib"].decode()
    keys = re.findall(r"@\w+\{(\w+),", text)
    assert {"peekaword", "sundararajan2017axiomatic", "lu2024evaluating", "mcnemar1947note", "holm1979simple"} <= set(
        keys
    )
    assert "lundberg2017unified" not in keys and len(set(keys)) == len(keys)
    assert text.count("{") == text.count("}")


def test_ratings_work(tmp_path: Path) -> None:
    study = rating_study(n_texts=6)
    write_report(build_report(study, replicates=20), tmp_path, study)
    sheet = json.loads((tmp_path / "heds.json").read_text())
    answers = {row["question"]: row["answer"] for row in sheet["questions"]}
    assert answers["4.2.1"] == "2. Subjective" and answers["4.3.8"] == "2. Direct quality estimation"
    assert "mcnemar" not in (tmp_path / "references.bib").read_text()


def test_without_the_data_there_is_no_parquet(parcel: Parcel) -> None:
    assert list(PARQUET.make(replace(parcel, study=None))) == []
