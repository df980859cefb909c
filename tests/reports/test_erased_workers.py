"""What is erased takes nothing from what is left: aggregates are those of everybody else's judgments."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Team, User
from campaigns.models import Campaign
from judging.arriving import arrive
from judging.erasing import erase
from judging.excluding import exclude
from judging.expiring import erase_expired, find_expired
from judging.models import Judgment, Participation
from materials.carrying import carry_out
from reports.aggregating import data_key, study_of
from reports.building import BUILDING, state_of
from reports.models import ReportBuild
from reports.reporting import as_json, build_report
from tests.reports.campaigns import judged_campaign
from tests.reports.rehearsed import launched, rehearse

pytestmark = pytest.mark.django_db


def report_of(campaign: Campaign) -> dict[str, Any]:
    report = build_report(study_of(Campaign.objects.get(pk=campaign.pk)), replicates=20)
    return dict(json.loads(as_json(report)))


def busiest(campaign: Campaign) -> Participation:
    rows = campaign.participations.filter(assignments__judgment__place__isnull=False).order_by("pk")
    return rows.first() or pytest.fail("nobody has judged")


def test_the_report_without_an_erased_worker_is_that_without_an_excluded_one(team: Team, alice: User) -> None:
    """But for the count of who was erased or excluded: not one other number differs."""
    excluded = judged_campaign(team)
    worker = busiest(excluded)
    judged = worker.assignments.filter(judgment__place__isnull=False)
    n_judged = judged.count()
    exclude(worker, "a bot", alice)
    left = report_of(excluded)
    erase(worker)
    report = report_of(excluded)
    assert report.pop("participants") != left.pop("participants")
    for one in (left, report):
        one["meta"] = {key: one["meta"][key] for key in ("n_judgments", "protocol", "ranked_by")}
        one["warnings"] = [
            found for found in one["warnings"] if found["code"] not in {"answers_erased", "not_counted", "excluded"}
        ]
    assert report == left and report["meta"]["n_judgments"] == 48 - n_judged < 48


def test_retention_changes_no_report(team: Team) -> None:
    campaign = launched(team, "topk_guess", retention_months=6)
    rehearse(campaign, workers=5)
    for row in campaign.participations.all():  # As people who came by a panel's link, not as simulated ones.
        Participation.objects.filter(pk=row.pk).update(parameters={"SESSION_ID": f"s{row.pk}"}, person_hash="p")
    Campaign.objects.filter(pk=campaign.pk).update(
        state=Campaign.State.CLOSED, closed_at=timezone.now() - timedelta(days=400)
    )
    before, judgments = report_of(campaign), Judgment.objects.count()
    assert [one.campaign for one in find_expired()] == [campaign]
    erase_expired(campaign)
    assert find_expired() == [] and Judgment.objects.count() == judgments > 0
    assert report_of(campaign) == before


def test_who_was_erased_and_comes_again_is_somebody_new(team: Team) -> None:
    """Nothing that is left could tell: the hash is chance. So they are let in again while the campaign is live."""
    campaign = launched(team, "topk_guess")
    link = {campaign.worker_parameter: "5f0c"}
    first = arrive(campaign, link)
    assert first and arrive(campaign, link) == first
    erase(first)
    second = arrive(campaign, link)
    assert second and second.pk != first.pk and second.state == Participation.State.ARRIVED
    assert campaign.participations.filter(erased_at__isnull=False).count() == 1


def test_no_built_report_keeps_what_was_erased(team: Team) -> None:
    """Its files hold every judgment; the next one is made without."""
    campaign = judged_campaign(team)
    carry_out(BUILDING, state_of(campaign, None).pk)
    assert ReportBuild.objects.get().archive
    key = data_key(campaign)
    erase(busiest(campaign))
    assert not ReportBuild.objects.exists() and data_key(campaign) != key
