"""What moves a campaign on, by the name of the button: one way for pages and programs, told in the audit log."""

from collections.abc import Callable

from django.db import transaction

from accounts.auditing import Act, record
from accounts.models import User
from campaigns import moving, preparing, putting_aside, starting
from campaigns.models import Campaign

Action = Callable[[Campaign, User], object]
# A launch is told in the log once it is done.
ACTIONS: dict[str, tuple[Action, Act | None]] = {
    "evaluate": (lambda row, user: preparing.evaluate(row, user), None),
    "prepare": (lambda row, user: preparing.prepare(row, user), Act.PREPARED),
    "cancel": (lambda row, user: preparing.cancel(row), Act.CANCELLED),
    "continue": (lambda row, user: preparing.carry_on(row), Act.PREPARED),
    "draft": (lambda row, user: preparing.back_to_draft(row), Act.EDITED),
    "launch": (lambda row, user: starting.ask_launch(row, user), None),
    "pause": (lambda row, user: moving.pause(row), Act.PAUSED),
    "resume": (lambda row, user: moving.resume(row), Act.RESUMED),
    "close": (lambda row, user: moving.close(row), Act.CLOSED),
    "aside": (lambda row, user: putting_aside.put_aside(row), Act.PUT_ASIDE),
    "back": (lambda row, user: putting_aside.take_back(row), Act.TAKEN_BACK),
}


def act(campaign: Campaign, action: str, user: User) -> None:
    """`action` is one of `ACTIONS`. CampaignError where the campaign cannot do it."""
    do, told = ACTIONS[action]
    with transaction.atomic():
        do(campaign, user)
        if told:
            record(user, campaign.team, told, campaign)
