"""What `report` says of a campaign, `analyse` says of its export."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team
from materials.models import MetricScore
from reports.aggregating import report_of, study_of
from reports.presenting import make_tables
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
    report = json.loads(here.pop(Path("report.json")))
    # Who came and left without a judgment, and what workers were asked, is known to the database alone.
    assert report.pop("participants")["arrived"] > 0 and report.pop("design")["question"] == "What is it?"
    assert report == json.loads(there.pop(Path("report.json")))
    assert here.keys() - there.keys() == {Path(f"tables/participants.{kind}") for kind in ("csv", "tex")}
    told = [path for path in there if path.parts[0] in ("tables", "figures", "data", "references.bib")]
    assert all(here[path] == there[path] for path in told) and here.keys() >= there.keys()


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


def test_a_metric_without_any_value_is_told_of_with_its_reasons(team: Team) -> None:
    """Sufficiency is undefined for all eight explanations, which have one word."""
    report = report_of(judged_campaign(team)).report
    assert report["metrics"] == [
        {"metric": "comprehensiveness", "n": 8, "undefined": {}, "status": "ok"},
        {"metric": "sufficiency", "n": 0, "undefined": {"one word": 8}, "status": "no_value"},
    ]
    rows = [row for row in report["correlations"] if row["metric"] == "sufficiency"]
    assert {row["over"] for row in rows} == {"methods", "explanations", "explanations_within_text"}
    assert {(row["value"], row["n"], row["status"]) for row in rows} == {(None, 0, "metric_without_values")}
    assert {row["metric"] for row in report["metric_means"]} == {"comprehensiveness"}
    assert [one["message"] for one in report["warnings"] if one["code"] == "metric_undefined"] == [
        "No explanation has a value of sufficiency, so it is compared with nothing: one word (8)."
    ]
    told = {
        row["metric"]
        for table in make_tables(report)
        if table.name in ("correlations", "winners")
        for row in table.rows
    }
    assert told == {"comprehensiveness"}
    table = next(table for table in make_tables(report) if table.name == "metrics")
    assert table.shown()[1][0][1] == "Sufficiency" and [text for _, text in table.shown()[1]][1:] == [
        "0",
        "8",
        "one word (8)",
    ]


def test_some_values_may_be_missing(team: Team) -> None:
    campaign = judged_campaign(team)
    MetricScore.objects.filter(metric="sufficiency").update(value=0.1, reason="")
    MetricScore.objects.filter(metric="sufficiency", explanation__method="random").update(value=None, reason="too long")
    row = report_of(campaign).report["metrics"][1]
    assert row == {"metric": "sufficiency", "n": 4, "undefined": {"too long": 4}, "status": "ok"}


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
