"""Judgments of workers who are excluded stay in the export, and count nowhere."""

import pytest

from accounts.models import Team
from campaigns.models import Campaign
from judging.excluding import exclude, readmit
from judging.models import Participation
from reports.aggregating import report_of, study_of
from reports.exporting import columns_of, judgment_rows
from reports.watching import watch
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


def counted(campaign: Campaign) -> list[int]:
    return [row["counted"] for row in judgment_rows(campaign, columns_of(campaign))]


def judge_of(campaign: Campaign) -> Participation:
    """Who judged four texts, all of which count."""
    found = campaign.participations.filter(assignments__judgment__place__isnull=False).first()
    assert found
    return found


def test_it_works(team: Team) -> None:
    campaign = judged_campaign(team)
    before = counted(campaign)
    worker = judge_of(campaign)
    exclude(worker, "too fast")
    assert len(counted(campaign)) == len(before) and sum(counted(campaign)) == sum(before) - 4
    readmit(worker)
    assert counted(campaign) == before


def test_the_study_and_the_live_page_leave_them_out(team: Team) -> None:
    campaign = judged_campaign(team)
    exclude(judge_of(campaign), "too fast")
    answers = study_of(campaign).answers
    assert answers is not None and len(answers) == 44
    found = watch(campaign)
    assert (found.done, found.wanted, found.not_counted) == (44, 48, 5)


def test_the_report_is_made_anew(team: Team) -> None:
    campaign = judged_campaign(team)
    assert sum(row["n_judgments"] for row in report_of(campaign).report["methods"]) == 48
    exclude(judge_of(campaign), "too fast")
    assert sum(row["n_judgments"] for row in report_of(campaign).report["methods"]) == 44
