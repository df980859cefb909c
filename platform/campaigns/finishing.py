"""The wizard's last step: what is filled in becomes a draft, or changes one, and is no sketch any more."""

from django.db import transaction

from accounts.auditing import Act, record
from accounts.models import User
from campaigns import sketching
from campaigns.creating import save_new
from campaigns.editing import save_changes
from campaigns.forms import CampaignForm
from campaigns.models import Campaign
from campaigns.sketching import Page


def make(user: User, form: CampaignForm, page: Page) -> Campaign:
    """Of a form that is valid."""
    with transaction.atomic():
        row = save_new(form.save(commit=False))
        record(user, row.team, Act.CREATED, row)
        sketching.drop(user, page)
    return row


def change(user: User, row: Campaign, form: CampaignForm, page: Page) -> None:
    """ChangedMeanwhile if the draft's `edits` are other than the form was loaded with; CampaignError if it is none."""
    based_on = form.data.get("edits", "")
    with transaction.atomic():
        save_changes(form.save(commit=False), int(based_on) if based_on.isdecimal() else None)
        record(user, row.team, Act.EDITED, row)
        sketching.drop(user, page)
