"""The way out of each outcome: a code, a message and a way back to the recruiter, and never those of another."""

from collections.abc import Mapping
from typing import NamedTuple

from campaigns.models import Campaign
from judging.models import Participation
from recruitment import PROVIDERS, Exit, Way
from recruitment.outcomes import COMPLETED, DECLINED, FULL, RETURNED, SCREENED_OUT, TIMED_OUT

State = Participation.State
OUTCOMES = {
    State.COMPLETED: COMPLETED,
    State.SCREENED_OUT: SCREENED_OUT,
    State.DECLINED: DECLINED,
    State.RETURNED: RETURNED,
    State.TIMED_OUT: TIMED_OUT,
}


class WayOut(NamedTuple):
    code: str = ""
    message: str = ""
    exit: Exit = Exit()


def way_out(participation: Participation) -> WayOut:
    """For where this worker stands; empty while there is still something to do."""
    outcome = OUTCOMES.get(State(participation.state))
    return _way(participation.campaign, outcome, participation.parameters) if outcome else WayOut()


def way_out_of_full(campaign: Campaign, parameters: Mapping[str, str]) -> WayOut:
    """For whoever comes when there is nothing left to do."""
    return _way(campaign, FULL, parameters)


def _way(campaign: Campaign, outcome: str, parameters: Mapping[str, str]) -> WayOut:
    way, message = way_of(campaign, outcome)
    return WayOut(way.code, message, PROVIDERS[campaign.recruitment].leave(outcome, way, parameters))


def way_of(campaign: Campaign, outcome: str) -> tuple[Way, str]:
    """What the researcher has set; completion is in columns of its own."""
    if outcome == COMPLETED:
        return Way(campaign.completion_code, campaign.exit_redirect), campaign.exit_message
    chosen = campaign.exits.get(outcome, {})
    return Way(chosen.get("code", ""), chosen.get("redirect", "")), chosen.get("message", "")
