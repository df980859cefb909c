"""When the retention period of a closed campaign has passed, what could lead back to a person goes; judgments stay."""

import secrets
from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaigns.asking import TEXT, Question
from campaigns.models import Campaign
from judging.models import Assignment, Participation, ProlificEvent
from judging.questioning import Value
from judging.screening import BEFORE
from recruitment.linking import SIMULATED


@dataclass(frozen=True)
class Expired:
    """What goes of one campaign: rows with parameters or a worker's hash, and answers in people's own words."""

    campaign: Campaign
    since: datetime
    participations: int
    free_texts: int


def find_expired(now: datetime | None = None) -> list[Expired]:
    """Closed campaigns past their period that still hold what has to go."""
    moment = now or timezone.now()
    closed = Campaign.objects.filter(closed_at__isnull=False, retention_months__isnull=False).order_by("closed_at")
    found = []
    for campaign in closed:
        rows = [row for row in campaign.participations.order_by("pk") if holds(campaign, row)]
        if rows and expires_at(campaign) <= moment:
            texts = sum(_free_texts(campaign, row) for row in rows)
            found.append(Expired(campaign, expires_at(campaign), len(rows), texts))
    return found


def expires_at(campaign: Campaign) -> datetime:
    assert campaign.closed_at is not None and campaign.retention_months is not None
    return months_after(campaign.closed_at, campaign.retention_months)


def months_after(moment: datetime, months: int) -> datetime:
    """The same day of the month, or its last where it has no such day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def erase_expired(campaign: Campaign) -> None:
    """All of one campaign or nothing. Choices and numbers among the answers stay: they name nobody."""
    with transaction.atomic():
        for row in campaign.participations.select_for_update(no_key=True):
            if holds(campaign, row):
                _forget(campaign, row)
        Assignment.objects.filter(participation__campaign=campaign, person_hash__isnull=False).update(person_hash=None)
        submissions = list(campaign.prolific_submissions.values_list("submission_id", flat=True))
        ProlificEvent.objects.filter(submission_id__in=submissions).delete()
        campaign.prolific_submissions.all().delete()


def holds(campaign: Campaign, row: Participation) -> bool:
    """Whether anything of this row has to go. That it was simulated is no trace of a person."""
    parameters = row.parameters.keys() - {SIMULATED}
    return bool(row.named or row.person_hash or parameters or _free_texts(campaign, row))


def _forget(campaign: Campaign, row: Participation) -> None:
    row.parameters = {name: value for name, value in row.parameters.items() if name == SIMULATED}
    row.worker_hash, row.named, row.person_hash = secrets.token_hex(32), False, ""
    row.answers = {
        when: [_kept(question, value) for question, value in zip(_questions(campaign, when), values, strict=True)]
        for when, values in row.answers.items()
    }
    row.save(update_fields=["parameters", "worker_hash", "named", "person_hash", "answers"])


def _questions(campaign: Campaign, when: str) -> list[Question]:
    questions: list[Question] = campaign.demographics if when == BEFORE else campaign.survey
    return questions


def _kept(question: Question, value: Value) -> Value:
    return "" if _is_free_text(question, value) else value


def _is_free_text(question: Question, value: Value) -> bool:
    return question.get("kind") == TEXT and bool(value)


def _free_texts(campaign: Campaign, row: Participation) -> int:
    return sum(
        _is_free_text(question, value)
        for when, values in row.answers.items()
        for question, value in zip(_questions(campaign, when), values, strict=True)
    )
