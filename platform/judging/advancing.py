"""An answer is kept and the next item leased on one trip, in one transaction: what nearly every request of a crowd is.

Where something else comes next (a break, an item with a known answer, the end, or a place to be waited for), the answer
is kept by itself and `assigning` says what follows.
"""

from django.db import IntegrityError, OperationalError

from campaigns.models import Campaign
from judging import leasing, recording
from judging.assigning import Turn, gold_is_due, reach_of, turn_of
from judging.leasing import GIVEN, REACH, TAKEN, lease_of, sweep_at_times, term
from judging.models import Participation
from judging.recording import ANSWER, KEPT, TOLD, Circumstances, Outcome, outcome_of, values_of
from judging.standing import Asked, Stand
from judging.statements import Statement
from protocols import Answer

# Nothing is taken by whoever has answered before: of a double click, one goes on.
KEEP_AND_TAKE = Statement(
    "keep_and_take",
    f"WITH {KEPT}, {TAKEN} SELECT {TOLD}, {GIVEN} FROM asked LEFT JOIN assigned ON TRUE",
    **ANSWER,
    **REACH,
    until="timestamptz",
)
# In the order in which all take them that take both.
LOCKS = (leasing.LOCK, recording.LOCK)


def advance(
    participation: Participation, asked: Asked, answer: Answer, seen: Circumstances
) -> tuple[Outcome, Turn | None]:
    """What became of the answer, and the next item where it could be taken at once."""
    closed = participation.campaign.state == Campaign.State.CLOSED
    following = _following(participation, asked)
    if following is None:
        return recording.record(asked.assignment, answer, seen, closed), None
    values = values_of(asked.assignment, answer, seen)
    values |= reach_of(participation, following).values() | term(participation.campaign.minutes_per_item)
    sweep_at_times(participation.campaign_id)
    try:
        row = KEEP_AND_TAKE.one(values, before=LOCKS)
    except (IntegrityError, OperationalError):  # Others were quicker, and nothing was kept.
        return recording.record(asked.assignment, answer, seen), None
    lease = lease_of(row[3:], values["until"]) if row else None
    return outcome_of(row and row[:3]), turn_of(following, lease) if lease else None


def _following(participation: Participation, asked: Asked) -> Stand | None:
    """Where the worker stands after this answer, if an ordinary item comes next."""
    campaign, stand = participation.campaign, participation.stand
    if stand is None or not stand.at_work or stand.in_hand != asked.assignment:
        return None
    after = stand.answered()
    on_block = campaign.block_size and not stand.in_hand_known and after.done % campaign.block_size == 0
    if campaign.state != Campaign.State.LIVE or after.done >= after.quota or on_block:
        return None
    return None if gold_is_due(participation, after) else after
