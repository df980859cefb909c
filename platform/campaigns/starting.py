"""The launch as a job: asked for on a page or by a program, carried out by a worker process in one transaction."""

from django.db import transaction
from django.utils import timezone

from accounts.auditing import Act, record
from accounts.models import User
from campaigns.launching import launch
from campaigns.linting import refuse
from campaigns.models import Campaign, Launch
from campaigns.moving import CampaignError, State, locked
from materials.carrying import JobError, Procedure, afresh, end, send, telling

TASK = "campaigns.launch"


def ask_launch(campaign: Campaign, user: User | None) -> Launch:
    """The launch that is under way, or a new one. CampaignError if the campaign is not ready, or would lose workers."""
    found = launch_of(campaign)
    if found and found.under_way:
        return found
    with transaction.atomic():
        row = locked(campaign, State.READY)
        refuse(row)
        asked = afresh(asked_by=user, created_at=timezone.now())
        found, _ = Launch.objects.update_or_create(campaign=row, defaults=asked)
        send(TASK, found)
    found.refresh_from_db()
    return found


def launch_of(campaign: Campaign) -> Launch | None:
    """The one that was asked for last, whether or not it is done."""
    return Launch.objects.filter(campaign=campaign).first()


def _launch(asked: Launch) -> None:
    campaign = asked.campaign
    try:
        with telling(asked) as tell, transaction.atomic():
            launch(campaign, tell)
            record(asked.asked_by, campaign.team, Act.LAUNCHED, campaign)
            end(asked, Launch.State.DONE)
    except CampaignError as error:
        raise JobError(str(error)) from error


LAUNCHING = Procedure(TASK, Launch, _launch, "launched", related=("campaign__team", "asked_by"))
