"""What `report` says of a campaign, `analyse` says of its export."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team
from reports.aggregating import report_of, study_of
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("protocol", ["topk_guess", "rating"])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_it_works(team: Team, tmp_path: Path, kind: str, protocol: str) -> None:
    slug = judged_campaign(team, protocol=protocol).slug
    call_command("report", slug, "--out", str(tmp_path / "here"), "--seed", "2", verbosity=0)
    call_command("export_judgments", slug, "--format", kind, "--out", str(tmp_path), verbosity=0)
    path = tmp_path / f"{slug}-judgments.{kind}"
    call_command("analyse", str(path), preset="peekaword", out=tmp_path / "there", seed=2, verbosity=0)
    here = {p.relative_to(tmp_path / "here"): p.read_bytes() for p in (tmp_path / "here").rglob("*") if p.is_file()}
    there = {p.relative_to(tmp_path / "there"): p.read_bytes() for p in (tmp_path / "there").rglob("*") if p.is_file()}
    assert json.loads(here[Path("report.json")]) == json.loads(there[Path("report.json")])
    assert here == there


def test_only_judgments_that_count_enter(team: Team) -> None:
    study = study_of(judged_campaign(team))
    assert study.judgments is not None
    assert len(study.judgments) == 48
    assert study.judgments["late"].sum() == 1
    assert study.meta["not_counted"] == 1


def test_scores_are_recomputed_from_answers(team: Team) -> None:
    study = study_of(judged_campaign(team))
    assert study.judgments is not None
    means = study.judgments.groupby("method")["score"].mean().to_dict()
    assert means == {"integrated_gradients": pytest.approx(2 / 3), "random": pytest.approx(1 / 3)}


def test_undefined_metrics_stay_out(team: Team) -> None:
    study = study_of(judged_campaign(team))
    assert study.metrics is not None
    assert set(study.metrics["metric"]) == {"comprehensiveness"}
    assert len(study.metrics) == 8


def test_a_campaign_without_judgments_has_an_empty_report(team: Team) -> None:
    campaign = judged_campaign(team)
    campaign.participations.all()
    empty = type(campaign).objects.create(
        team=team, name="New", slug="new", protocol="topk_guess", dataset=campaign.dataset,
        classifier=campaign.classifier, methods=["random"], question="?", instructions="", consent="",
    )  # fmt: skip
    report = report_of(empty).report
    assert report["methods"] == []
    assert report["warnings"][0]["code"] == "no_judgments"


def test_the_report_is_made_once_for_the_same_judgments(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = judged_campaign(team)
    kept: dict[str, Any] = {}
    monkeypatch.setattr("django.core.cache.cache.get", kept.get)
    monkeypatch.setattr("django.core.cache.cache.set", lambda key, value, seconds: kept.update({key: value}))
    first = report_of(campaign)
    monkeypatch.setattr("reports.aggregating.build_report", None)
    assert report_of(campaign) == first
