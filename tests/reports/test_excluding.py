import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team, User
from campaigns.asking import read_tests
from campaigns.models import Campaign
from judging.assigning import assign_next
from judging.checking import record_check
from judging.erasing import erase
from judging.leaving import complete, screen_out, time_out, withdraw
from judging.models import Judgment, Participation
from judging.recording import record
from reports.aggregating import report_of, study_of
from reports.filtering import Asked
from reports.presenting import make_tables
from reports.sections.participants import flow_rows
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker

pytestmark = pytest.mark.django_db
RULES = {"failed_checks": {"failed": 1}, "too_fast": {"share": 0.5, "words_per_minute": 600}}


def rated(campaign: Campaign, name: str, rating: int, fails: bool = False) -> Participation:
    """One rating of each text."""
    person = worker(campaign, name, quota=2)
    for _ in range(2):
        turn = assign_next(person)
        assert turn.assignment
        record(turn.assignment, {"answer": rating})
    record_check(person, 0, 0 if fails else 1, None)
    complete(person)
    return person


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """Two texts rated 4 by wanda and 1 by bert, who failed the check."""
    made = live_campaign(
        team, texts=2, protocol="rating", methods=("lime",), rules=RULES, checks=read_tests("Choose b.\n- a\n+ b")
    )
    rated(made, "wanda", 4)
    rated(made, "bert", 1, fails=True)
    return made


def test_it_works(campaign: Campaign) -> None:
    report = report_of(campaign).report
    assert report["exclusions"] == {
        "n_workers": 2,
        "n_excluded": 1,
        "n_judgments_excluded": 2,
        "by_rule": {"failed_checks": 1},
        "methods": [{"method": "lime", "without": 4.0, "with": 2.5, "n_without": 2, "n_with": 4}],
    }
    assert report["methods"][0]["n_judgments"] == 2 and report["meta"]["n_judgments"] == 2


def test_no_judgment_is_deleted_and_the_export_names_the_rule(campaign: Campaign, tmp_path: Path) -> None:
    call_command("export_judgments", campaign.slug, "--format", "jsonl", "--out", str(tmp_path), verbosity=0)
    rows = [json.loads(line) for line in (tmp_path / "films-judgments.jsonl").read_text().splitlines()]
    assert [(row["answer"], row["excluded"], row["counted"]) for row in rows] == [
        ("4", "", 1), ("4", "", 1), ("1", "failed_checks", 1), ("1", "failed_checks", 1),
    ]  # fmt: skip
    assert Judgment.objects.count() == 4


def test_those_whom_the_rules_exclude_can_be_counted_in(campaign: Campaign, alice: User) -> None:
    report = report_of(campaign, Asked(everybody=True)).report
    assert "exclusions" not in report and report["meta"]["n_judgments"] == 4
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/report/?excluded=in").content.decode()
    assert "Filtered: with the workers whom the rules exclude" in page


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_export_gives_the_same_report(campaign: Campaign, tmp_path: Path, kind: str) -> None:
    call_command("export_judgments", campaign.slug, "--format", kind, "--out", str(tmp_path), verbosity=0)
    path = str(tmp_path / f"films-judgments.{kind}")
    call_command("analyse", path, preset="peekaword", out=tmp_path / "there", verbosity=0)
    there = json.loads((tmp_path / "there" / "report.json").read_text())
    here = json.loads(json.dumps(report_of(campaign).report))
    # Who came, and what was set out to do, stands in no row of an export.
    for key in ("participants", "design", "preregistration"):
        here.pop(key, None)
    assert here == there


def test_whom_no_rule_excludes_the_report_does_not_tell_of(team: Team) -> None:
    campaign = live_campaign(team, texts=2, protocol="rating", methods=("lime",), rules=RULES)
    person = worker(campaign)
    turn = assign_next(person)
    assert turn.assignment
    record(turn.assignment, {"answer": 3})
    report = report_of(campaign).report
    assert "exclusions" not in report and report["participants"]["by_rule"] == {"failed_checks": 0, "too_fast": 0}


def test_where_everybody_is_excluded_nothing_is_scored(team: Team) -> None:
    campaign = live_campaign(
        team, texts=2, protocol="rating", methods=("lime",), rules=RULES, checks=read_tests("Choose b.\n- a\n+ b")
    )
    rated(campaign, "bert", 1, fails=True)
    report = report_of(campaign).report
    assert report["methods"] == []
    assert report["exclusions"]["methods"] == [
        {"method": "lime", "without": None, "with": 1.0, "n_without": 0, "n_with": 2}
    ]


def test_guesses_have_a_score_without_and_with_too(team: Team) -> None:
    campaign = live_campaign(team, texts=2, methods=("a",), ks=(1,), rules=RULES, checks=read_tests("b\n- a\n+ b"))
    for name, right, fails in (("wanda", True, False), ("bert", False, True)):
        person = worker(campaign, name, quota=2)
        for answers in (right, False):
            turn = assign_next(person)
            assert turn.assignment
            expected = person.assignments.get(pk=turn.assignment).stimulus.expected
            record(turn.assignment, {"answer": expected if answers else "cannot_tell"})
        record_check(person, 0, 0 if fails else 1, None)
    (row,) = report_of(campaign).report["exclusions"]["methods"]
    assert (row["without"], row["with"]) == (0.5, 0.0)  # One of two votes is no majority.


def test_the_flow_counts_what_became_of_those_who_came(campaign: Campaign) -> None:
    withdraw(worker(campaign, "left"))
    time_out(worker(campaign, "late"))
    out = worker(campaign, "out", state="consented", screening={"failed": "practice"})
    screen_out(out)
    erase(worker(campaign, "gone"))
    worker(campaign, "robot", parameters={"simulated": "1"})
    flow = report_of(campaign).report["participants"]
    assert (flow["arrived"], flow["completed"], flow["at_work"], flow["simulated"]) == (7, 2, 1, 1)
    assert (flow["returned"], flow["timed_out"], flow["screened_out"], flow["erased"]) == (2, 1, 1, 1)
    assert flow["screened_out_by"] == {"practice": 1}
    assert (flow["by_rule"], flow["excluded_by_rules"]) == ({"failed_checks": 1, "too_fast": 0}, 1)
    steps = [row["step"] for row in flow_rows(flow)]
    assert steps[0] == "Arrived" and "– in practice" in steps and "– Failed attention checks" in steps


def test_the_page_and_the_files_tell_of_it(campaign: Campaign, alice: User) -> None:
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/report/").content.decode()
    assert "Flow of participants" in page and "without and with the workers whom the rules exclude" in page
    assert "1 of 2 workers, with 2 judgments, are left out by the rules" in page and "failed attention checks 1" in page
    names = [table.name for table in make_tables(report_of(campaign).report)]
    assert names[-2:] == ["exclusions", "participants"]


def test_a_newcomer_changes_the_flow_at_once(campaign: Campaign) -> None:
    before = report_of(campaign).report["participants"]["arrived"]
    worker(campaign, "new")
    assert report_of(campaign).report["participants"]["arrived"] == before + 1


def test_what_is_erased_leaves_the_report(campaign: Campaign) -> None:
    erase(Participation.objects.get(worker_hash="wanda"))
    study: Any = study_of(campaign)
    assert len(study.everybody.judgments) == 2 and len(study.judgments) == 0
