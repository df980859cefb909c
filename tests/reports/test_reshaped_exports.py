"""Exports in the shapes of other tools, and back."""

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import Team
from analysis.presets.crowdkit import read_crowdkit
from analysis.presets.mturk import read_mturk
from analysis.study import Study
from protocols import PROTOCOLS
from reports.aggregating import study_of
from reports.exporting import WRITERS
from reports.reporting import build_report
from tests.reports.campaigns import judged_campaign

NASTY = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\",;'=+-@\U0001f634"), max_size=9)


def exported(folder: Path, slug: str, kind: str) -> Path:
    call_command("export_judgments", slug, "--format", kind, "--out", str(folder), verbosity=0)
    return folder / f"{slug}-{kind}.csv"


def agreement(study: Study) -> list[dict[str, Any]]:
    """Without intervals: these resample tasks in the order of their names."""
    rows = build_report(study, replicates=10)["agreement"]
    return [{name: value for name, value in row.items() if name not in ("ci", "intervals")} for row in rows]


@pytest.mark.django_db
@pytest.mark.parametrize("protocol", ["topk_guess", "rating"])
def test_agreement_is_the_same_there_and_back(team: Team, tmp_path: Path, protocol: str) -> None:
    campaign, level = judged_campaign(team, protocol=protocol), PROTOCOLS[protocol].level
    campaign.refresh_from_db()
    here = agreement(study_of(campaign))
    assert agreement(read_crowdkit(exported(tmp_path, campaign.slug, "crowdkit"), level=level)) == here
    assert agreement(read_mturk(exported(tmp_path, campaign.slug, "mturk"), level=level)) == here


@pytest.mark.django_db
def test_scores_come_back_from_the_shape_of_mturk(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team)
    campaign.refresh_from_db()
    here, there = study_of(campaign), read_mturk(exported(tmp_path, campaign.slug, "mturk"))
    assert there.cells.to_dict() == here.cells.to_dict()
    assert here.judgments is not None and there.judgments is not None
    assert there.judgments["response_ms"].tolist() == here.judgments["response_ms"].tolist()
    assert there.texts is not None
    assert sorted(there.texts["content"])[1:] == [
        '=SUM(A1) is "bad", they said',
        "a lovely\nfilm",
        "dull \U0001f634 and long",
    ]


@pytest.mark.django_db
def test_only_judgments_that_count_are_in_them(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team)
    for kind in ("crowdkit", "mturk"):
        with exported(tmp_path, campaign.slug, kind).open(encoding="utf-8", newline="") as file:
            assert len(list(csv.reader(file))) == 1 + 48


@pytest.mark.django_db
def test_columns_have_the_names_that_the_tools_know(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team)
    headers = {}
    for kind in ("crowdkit", "mturk"):
        with exported(tmp_path, campaign.slug, kind).open(encoding="utf-8", newline="") as file:
            headers[kind] = next(csv.reader(file))
    assert headers["crowdkit"] == ["task", "worker", "label"]
    assert headers["mturk"][:4] == ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus"]
    assert {"Input.text", "Input.expected", "Answer.label"} <= set(headers["mturk"])
    assert len(set(headers["mturk"])) == len(headers["mturk"])


@pytest.mark.django_db
def test_several_formats_have_files_of_their_own(team: Team, tmp_path: Path) -> None:
    slug = judged_campaign(team).slug
    call_command("export_judgments", slug, "--format", ",".join(WRITERS), "--out", str(tmp_path), verbosity=0)
    assert {path.name for path in tmp_path.iterdir()} == {slug + ending for ending, _ in WRITERS.values()}
    with pytest.raises(CommandError, match="several formats: give a folder") as error:
        call_command(
            "export_judgments", slug, "--format", "csv,crowdkit", "--out", str(tmp_path / "x.csv"), verbosity=0
        )
    assert error.value.returncode == 2


@given(st.lists(NASTY, min_size=1, max_size=5))
@settings(max_examples=25, deadline=None)
def test_whatever_cells_hold_comes_back(tmp_path_factory: pytest.TempPathFactory, labels: list[str]) -> None:
    path = tmp_path_factory.mktemp("shapes") / "x-mturk.csv"
    rows = [
        {"stimulus": n, "worker": "w1", "answer": f"a{label}z", "counted": 1, "excluded": "", "response_ms": 1500,
         "leased_at": "2026-11-02T08:00:00.000+00:00", "received_at": "2026-11-02T08:00:02.000+00:00",
         "text_id": str(n), "text": f"a{label}", "method": "", "other": "", "k": None, "display": "", "expected": "",
         "details": "{}"}
        for n, label in enumerate(labels)
    ]  # fmt: skip
    WRITERS["mturk"][1](path, [], rows)
    study = read_mturk(path)
    assert study.judgments is not None and study.texts is not None
    assert study.judgments["label"].tolist() == [
        row["answer"] for row in sorted(rows, key=lambda row: str(row["text_id"]))
    ]
    assert study.texts["content"].tolist() == [f"a{label}".strip() for label in labels]
