"""What a researcher does on Prolific from here: link a study, read it, add places, approve, ask for returns, pay.

Nobody is ever rejected from here, and nothing is approved or paid but at a researcher's click.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.describing import planned
from campaigns.models import Campaign
from judging.exiting import way_of
from judging.following import Word, follow, participation_of
from judging.models import BonusPayment, Participation, ProlificStudy, ProlificSubmission
from judging.paying import earnings
from materials.claiming import ClaimedElsewhere, claimed
from recruitment import OUTCOMES
from recruitment.prolific import draft, status_of
from recruitment.prolific_api import MOST_BONUSES, AnswerLost, ProlificApi, ProlificError, Study

State = Participation.State
WAITING = "AWAITING REVIEW"
# Each is a message to a person, and somebody waits for the page.
MOST_RETURNS_AT_ONCE = 20
RETURN_REASON = {
    State.SCREENED_OUT: "The questions before the work were not answered as the study needs.",
    State.DECLINED: "Consent was not given.",
    State.RETURNED: "The work was stopped half way.",
    State.TIMED_OUT: "The time allowed had passed.",
}


@dataclass(frozen=True)
class Tally:
    """What a click has done, and what it has left for the next."""

    done: int
    left: int = 0


def connect() -> ProlificApi:
    return ProlificApi(settings.PROLIFIC_API_URL, settings.PROLIFIC_API_TOKEN)


def link_study(campaign: Campaign, study: str) -> None:
    """ProlificError where Prolific does not know it, or another campaign has it."""
    found = connect().study(study)
    try:
        with transaction.atomic():
            row = ProlificStudy(campaign=campaign)
            row.study_id = found.id
            _told(row, found)
    except IntegrityError as error:
        raise ProlificError("This study, or another one for this campaign, is linked already.") from error


def draft_study(campaign: Campaign, name: str, description: str, link: str, places: int) -> None:
    """A draft on Prolific, with all codes: whom it is for is chosen there, and there it is published. Never two."""
    try:
        with claimed("prolific study", campaign.pk):
            _draft_study(campaign, name, description, link, places)
    except ClaimedElsewhere as error:
        raise ProlificError("A study is being made for this campaign already.") from error


def _draft_study(campaign: Campaign, name: str, description: str, link: str, places: int) -> None:
    if ProlificStudy.objects.filter(campaign=campaign).exists():
        raise ProlificError("A study is linked to this campaign already.")
    codes = {outcome: way_of(campaign, outcome)[0].code for outcome in OUTCOMES}
    minutes, cents = max(1, planned(campaign).per_worker_minutes), round(campaign.pay_per_worker * 100)
    made = connect().create_study(draft(name, description, link, codes, places, minutes, cents))
    row = ProlificStudy(campaign=campaign)
    row.study_id = made.id
    _told(row, made)


def _told(row: ProlificStudy, found: Study) -> None:
    row.status, row.places, row.taken, row.read_at = found.status, found.places, found.taken, timezone.now()
    row.save()


def read(campaign: Campaign) -> Tally:
    """Study and submissions as Prolific has them now; what changed there has its effect here, as a message would."""
    study, api, now = campaign.prolific_study, connect(), timezone.now()
    _told(study, api.study(study.study_id))
    words = [
        Word(one.id, one.participant, status_of(one.status), now, one.entered_code, one.return_requested)
        for one in api.submissions(study.study_id)
    ]
    same = _unchanged(campaign, words)
    campaign.prolific_submissions.filter(submission_id__in=same, status_at__lt=now).update(status_at=now)
    for word in words:
        if word.submission not in same:
            follow(campaign, word)
    return Tally(len(words))


def _unchanged(campaign: Campaign, words: Sequence[Word]) -> set[str]:
    """Most are, and need no look one by one."""
    said = ("submission_id", "status", "entered_code", "return_requested")
    known = set(campaign.prolific_submissions.values_list(*said))
    return {
        word.submission
        for word in words
        if (word.submission, word.status, word.entered_code, word.return_requested) in known
    }


def add_places(campaign: Campaign, more: int) -> None:
    """From what Prolific has now, so that two clicks add twice and nothing is taken away."""
    api = connect()
    with transaction.atomic():
        study = ProlificStudy.objects.select_for_update().get(campaign=campaign)
        _told(study, api.set_places(study.study_id, api.study(study.study_id).places + more))


def approve_completed(campaign: Campaign) -> Tally:
    """Those who completed here and wait there; nobody who is excluded."""
    read(campaign)
    ready = [row for row in _waiting(campaign) if _completed(participation_of(row))]
    if ready:
        connect().approve([row.submission_id for row in ready])
    return Tally(len(ready))


def request_returns(campaign: Campaign) -> Tally:
    """Of those who wait for approval there and were sent away here, each once."""
    read(campaign)
    api, asked = connect(), 0
    due = [(row, reason) for row in _waiting(campaign, return_requested=False) if (reason := _reason(row))]
    for row, reason in due[:MOST_RETURNS_AT_ONCE]:
        api.request_return(row.submission_id, [reason])
        ProlificSubmission.objects.filter(pk=row.pk).update(return_requested=True)
        asked += 1
    return Tally(asked, len(due) - asked)


def _waiting(campaign: Campaign, **more: bool) -> list[ProlificSubmission]:
    rows = campaign.prolific_submissions.filter(status=WAITING, **more).select_related("campaign")
    return list(rows.order_by("pk"))


def _completed(participation: Participation | None) -> bool:
    return participation is not None and participation.state == State.COMPLETED and participation.excluded_at is None


def _reason(row: ProlificSubmission) -> str:
    participation = participation_of(row)
    return RETURN_REASON.get(State(participation.state), "") if participation else ""


def set_up_bonuses(campaign: Campaign, amounts: Mapping[str, Decimal]) -> BonusPayment:
    """By submission; nothing is paid yet. ProlificError where one of them has a bonus from here already."""
    if not amounts or len(amounts) > MOST_BONUSES:
        raise ProlificError(f"Give from 1 to {MOST_BONUSES} submissions at once: Prolific takes no more.")
    if again := sorted(amounts.keys() & with_bonus(campaign)):
        raise ProlificError(f"{again[0]} has a bonus from here already: leave it out.")
    made = connect().set_up_bonuses(campaign.prolific_study.study_id, amounts)
    return campaign.bonus_payments.create(
        reference=made.reference,
        total_cents=made.total_cents,
        amounts={submission: f"{amount:.2f}" for submission, amount in amounts.items()},
    )


def owed(campaign: Campaign) -> dict[str, Decimal]:
    """What workers lack to the minimum pay, by submission; without those who have a bonus already."""
    rows = campaign.prolific_submissions.filter(status__in=[WAITING, "APPROVED"])
    open_ = set(rows.values_list("submission_id", flat=True)) - with_bonus(campaign)
    return {one.reference: one.top_up for one in earnings(campaign) if one.top_up and one.reference in open_}


def with_bonus(campaign: Campaign) -> set[str]:
    """Paid, or perhaps paid. What was only set up may be set up anew."""
    payments = campaign.bonus_payments.exclude(state=BonusPayment.State.SET_UP)
    return {submission for payment in payments for submission in payment.amounts}


def pay_bonuses(payment: BonusPayment) -> None:
    """At most once, whatever happens on the way: it counts as sent before it is sent."""
    rows = BonusPayment.objects.filter(pk=payment.pk)
    _mark_as_sent(payment)
    try:
        connect().pay_bonuses(payment.reference)
    except AnswerLost:
        raise
    except ProlificError:
        rows.update(state=BonusPayment.State.SET_UP, sent_at=None)
        raise
    rows.update(state=BonusPayment.State.SENT)


def _mark_as_sent(payment: BonusPayment) -> None:
    """One payment of a campaign at a time, or two that name the same worker could pass each other."""
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=payment.campaign_id)
        rows = BonusPayment.objects.filter(pk=payment.pk, state=BonusPayment.State.SET_UP)
        if not rows.exists():
            raise ProlificError("This payment was sent already.")
        if payment.amounts.keys() & with_bonus(payment.campaign):
            raise ProlificError("Some of these submissions have a bonus from here already: set up one without them.")
        rows.update(state=BonusPayment.State.UNSURE, sent_at=timezone.now())
