"""What Prolific says of a submission, by message or when asked, and what follows here: places that came free there
are opened again here. The later word wins, by Prolific's clock, in whatever order they arrive."""

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models.fields.json import KT

from campaigns.models import Campaign
from judging.arriving import worker_hash
from judging.excluding import exclude
from judging.leaving import UNFINISHED, time_out, withdraw
from judging.models import Participation, ProlificSubmission
from recruitment.outcomes import RETURNED, TIMED_OUT
from recruitment.prolific import SESSION, STATUSES

# Among two of one second, the one that comes later in a submission's life.
LIFE = ("RESERVED", "ACTIVE", "TIMED-OUT", "AWAITING REVIEW", "RETURNED", "SCREENED OUT", "PARTIALLY APPROVED")


class Word(NamedTuple):
    """`participant` is Prolific's id of the worker; it is hashed here and stored nowhere."""

    submission: str
    participant: str
    status: str
    at: datetime
    entered_code: str | None = None
    return_requested: bool | None = None


def holder(word: Word) -> Campaign | None:
    """The campaign that this submission's worker came to, or whose study is known to have it."""
    known = ProlificSubmission.objects.filter(submission_id=word.submission).select_related("campaign").first()
    if known:
        return known.campaign
    by_session = Participation.objects.annotate(session=KT(f"parameters__{SESSION}")).filter(session=word.submission)
    for participation in by_session.select_related("campaign"):
        if participation.worker_hash == worker_hash(participation.campaign, word.participant):
            return participation.campaign
    return None


def follow(campaign: Campaign, word: Word) -> bool:
    """Whether it was news. Telling it again changes nothing."""
    with transaction.atomic():
        row, made = ProlificSubmission.objects.select_for_update().get_or_create(
            submission_id=word.submission,
            defaults={
                "campaign": campaign,
                "worker_hash": worker_hash(campaign, word.participant),
                "status": word.status,
                "status_at": word.at,
            },
        )
        if not made and _age(row.status_at, row.status) >= _age(word.at, word.status):
            return False
        changed = made or row.status != word.status
        _keep(row, word)
        if changed:
            _reopen(row)
    return True


def _age(at: datetime, status: str) -> tuple[datetime, int]:
    return at.replace(microsecond=0), LIFE.index(status) if status in LIFE else len(LIFE)


def _keep(row: ProlificSubmission, word: Word) -> None:
    row.status, row.status_at = word.status, word.at
    if word.entered_code is not None:
        row.entered_code = word.entered_code[:100]
    if word.return_requested is not None:
        row.return_requested = word.return_requested
    row.save()


def participation_of(row: ProlificSubmission) -> Participation | None:
    """Who came here with this submission; not who has since come back with another."""
    found = row.campaign.participations.filter(worker_hash=row.worker_hash).select_related("campaign").first()
    return found if found and found.parameters.get(SESSION) == row.submission_id else None


def _reopen(row: ProlificSubmission) -> None:
    """Approval and waiting for it change nothing here."""
    outcome, participation = STATUSES.get(row.status), participation_of(row)
    if participation is None or outcome not in (RETURNED, TIMED_OUT, "rejected"):
        return
    if outcome != "rejected" and participation.state in UNFINISHED:
        withdraw(participation) if outcome == RETURNED else time_out(participation)
    elif participation.state == Participation.State.COMPLETED or outcome == "rejected":
        exclude(participation, f"{row.status.capitalize()} on Prolific")
