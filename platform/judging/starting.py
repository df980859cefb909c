"""From consent to the first item."""

import hashlib

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import Campaign, SampledText, Stimulus
from judging.allotting import allot
from judging.models import Participation
from judging.refilling import restore

State = Participation.State


def agree(participation: Participation) -> None:
    """Consent is given, or given again by somebody who had declined or left: the work goes on where it stood.

    The arm or the list of the worker is settled here, and what was given before counts again.
    """
    with transaction.atomic():
        row = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        left, started = row.state in (State.RETURNED, State.TIMED_OUT), row.started_at is not None
        if row.erased_at is None and (left or row.state in (State.ARRIVED, State.DECLINED)):
            row.state = State.PRACTISED if left and started else State.CONSENTED
            row.consented_at, row.finished_at = timezone.now(), None
            row.consent_version = consent_version(participation.campaign)
            allot(row)
            row.save(update_fields=["state", "finished_at", "consented_at", "consent_version", "arm", "list"])
            if left and row.excluded_at is None:
                restore(row)
    participation.refresh_from_db(fields=["state", "arm", "list"])


def consent_version(campaign: Campaign) -> str:
    """Of the wording as this worker reads it. A launched campaign's never changes; a copy's may."""
    wording = "\0".join([campaign.content_warning, campaign.consent])
    return hashlib.sha256(wording.encode()).hexdigest()[:12]


def start(participation: Participation) -> None:
    Participation.objects.filter(pk=participation.pk, state=State.CONSENTED).update(
        state=State.PRACTISED, started_at=timezone.now()
    )
    participation.refresh_from_db(fields=["state"])


def practice_items(campaign: Campaign) -> QuerySet[Stimulus]:
    return campaign.stimuli.filter(role=SampledText.Role.PRACTICE).order_by("position", "pk")
