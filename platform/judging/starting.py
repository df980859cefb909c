"""From consent to the first item."""

from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import Campaign, SampledText, Stimulus
from judging.models import Participation

State = Participation.State


def agree(participation: Participation) -> None:
    """Consent is given, or given again by somebody who had declined or left: the work goes on where it stood."""
    rows = Participation.objects.filter(pk=participation.pk)
    rows.filter(state__in=[State.ARRIVED, State.DECLINED]).update(
        state=State.CONSENTED, consented_at=timezone.now(), finished_at=None
    )
    left = rows.filter(state=State.RETURNED)
    left.filter(started_at__isnull=False).update(state=State.PRACTISED, finished_at=None)
    left.update(state=State.CONSENTED, consented_at=timezone.now(), finished_at=None)
    participation.refresh_from_db(fields=["state"])


def start(participation: Participation) -> None:
    Participation.objects.filter(pk=participation.pk, state=State.CONSENTED).update(
        state=State.PRACTISED, started_at=timezone.now()
    )
    participation.refresh_from_db(fields=["state"])


def practice_items(campaign: Campaign) -> QuerySet[Stimulus]:
    return campaign.stimuli.filter(role=SampledText.Role.PRACTICE).order_by("position", "pk")
