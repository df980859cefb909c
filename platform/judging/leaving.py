"""The ways out: finished, declined, or left half way. Each is closed here before any page speaks of it."""

from django.db import transaction
from django.utils import timezone

from judging.models import Participation
from judging.refilling import release, tally, void

State = Participation.State
UNFINISHED = [State.ARRIVED, State.CONSENTED, State.PRACTISED]
# Answers can be taken back after the end too.
CAN_ERASE = [*UNFINISHED, State.COMPLETED, State.RETURNED, State.SCREENED_OUT, State.TIMED_OUT]


def complete(participation: Participation) -> None:
    """Idempotent; only somebody who was judging can complete."""
    with transaction.atomic():
        if _move(participation, [State.PRACTISED], State.COMPLETED):
            tally(participation)


def decline(participation: Participation) -> None:
    _move(participation, [State.ARRIVED], State.DECLINED)


def withdraw(participation: Participation) -> None:
    """The worker stops for good: the item in hand goes back at once, the answers given so far stay.

    Unless the campaign says that they count all the same, others are asked for them again.
    """
    _stop(participation, State.RETURNED)


def time_out(participation: Participation) -> None:
    """As `withdraw`, of somebody who went away without a word."""
    _stop(participation, State.TIMED_OUT)


def screen_out(participation: Participation) -> None:
    """The campaign ends it: none of the answers counts."""
    with transaction.atomic():
        if _move(participation, UNFINISHED, State.SCREENED_OUT):
            void(participation)


def _stop(participation: Participation, state: State) -> None:
    with transaction.atomic():
        if not _move(participation, UNFINISHED, state):
            return
        if participation.campaign.unfinished_count and participation.excluded_at is None:
            release(participation)
            tally(participation)
        else:
            void(participation)


def _move(participation: Participation, origin: list[State], state: State) -> bool:
    rows = Participation.objects.filter(pk=participation.pk, state__in=origin)
    moved = rows.update(state=state, finished_at=timezone.now())
    participation.refresh_from_db(fields=["state", "finished_at", "excluded_at"])
    return bool(moved)
