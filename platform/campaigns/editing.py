"""Changes of a draft, of which none is lost: whoever saves onto what another has changed meanwhile is told."""

import json
from typing import Any

from django.db import transaction

from campaigns.models import Campaign
from campaigns.moving import CampaignError, State, locked


class ChangedMeanwhile(CampaignError):
    """`theirs` is the draft as another has saved it."""

    def __init__(self, theirs: Campaign) -> None:
        super().__init__("Somebody has changed the draft since you opened it: load it anew, and change that.")
        self.theirs = theirs


def save_changes(campaign: Campaign, based_on: int | None = None) -> None:
    """CampaignError if it is no draft any more; ChangedMeanwhile if its `edits` are other than it is `based_on`."""
    with transaction.atomic():
        theirs = locked(campaign, State.DRAFT)
        if based_on is not None and theirs.edits != based_on:
            raise ChangedMeanwhile(theirs)
        campaign.edits = theirs.edits + 1
        campaign.save()


def delete_draft(campaign: Campaign) -> None:
    with transaction.atomic():
        locked(campaign, State.DRAFT).delete()


def differences(mine: Campaign, theirs: Campaign) -> list[tuple[str, str]]:
    """The fields in which they differ, with what stands in theirs."""
    fields = [field for field in Campaign._meta.concrete_fields if field.name not in ("edits", "notices")]
    return [
        (str(field.verbose_name), _said(getattr(theirs, field.name)))
        for field in fields
        if getattr(mine, field.attname) != getattr(theirs, field.attname)
    ]


def _said(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return ", ".join(map(str, value))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
