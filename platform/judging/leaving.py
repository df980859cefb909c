"""The ways out: finished, declined, or left half way. Each is closed here before any page speaks of it."""

from django.db import transaction
from django.utils import timezone

from campaigns.models import Place
from judging.models import Assignment, Participation
from recruitment import PROVIDERS

State = Participation.State
UNFINISHED = [State.ARRIVED, State.CONSENTED, State.PRACTISED]


def complete(participation: Participation) -> None:
    """Idempotent; only somebody who was judging can complete."""
    _move(participation, [State.PRACTISED], State.COMPLETED)


def decline(participation: Participation) -> None:
    _move(participation, [State.ARRIVED], State.DECLINED)


def withdraw(participation: Participation) -> None:
    """The worker stops for good: the item in hand goes back at once, the answers given so far stay."""
    with transaction.atomic():
        if _move(participation, UNFINISHED, State.RETURNED):
            _give_back(participation)


def _give_back(participation: Participation) -> None:
    unanswered = participation.assignments.filter(judgment__isnull=True, place__isnull=False)
    held = dict(unanswered.select_for_update(no_key=True, of=("self",)).values_list("pk", "place_id"))
    Place.objects.filter(pk__in=held.values()).update(state=Place.State.OPEN, leased_until=None)
    Assignment.objects.filter(pk__in=held).update(place=None)


def _move(participation: Participation, origin: list[State], state: State) -> bool:
    rows = Participation.objects.filter(pk=participation.pk, state__in=origin)
    moved = rows.update(state=state, finished_at=timezone.now())
    participation.refresh_from_db(fields=["state", "finished_at"])
    return bool(moved)


def exit_link(participation: Participation) -> str:
    """Where the recruiter wants finished workers; empty where nowhere."""
    campaign = participation.campaign
    return PROVIDERS["open_link"].exit_url(campaign.exit_redirect, campaign.completion_code, participation.parameters)
