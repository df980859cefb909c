"""What a worker takes back is gone: answers, parameters and everything that tells one worker from another."""

import secrets
from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from campaigns.models import Place
from judging.models import Judgment, Participation
from judging.refilling import void

State = Participation.State
# Sent within the transaction, to whoever keeps what was made of a campaign's judgments: `campaign_id`.
erased = Signal()


def erase(participation: Participation) -> None:
    """At the worker's own wish, at any time, in one transaction: others are asked for the answers again.

    The row stays as erased, with counts only. Erasing twice changes nothing.
    """
    with transaction.atomic():
        row = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        if row.erased_at is None:
            counts = _counts(row)
            void(row)
            _delete_answers(row)
            _forget(row, counts)
            erased.send(Participation, campaign_id=row.campaign_id)
    participation.refresh_from_db()


def _counts(row: Participation) -> dict[str, Any]:
    judgments = Judgment.objects.filter(assignment__participation=row).count()
    return {"erased": {"judgments": judgments, "checks": row.check_answers.count(), "from": row.state}}


def _delete_answers(row: Participation) -> None:
    places = list(row.assignments.filter(place__state=Place.State.VOID).values_list("place_id", flat=True))
    Judgment.objects.filter(assignment__participation=row).delete()
    row.assignments.all().delete()
    row.check_answers.all().delete()
    Place.objects.filter(pk__in=places).delete()


def _forget(row: Participation, counts: dict[str, Any]) -> None:
    """The hash gives way to chance, so that not even the recruiter's id leads back here."""
    row.worker_hash, row.named, row.person_hash = secrets.token_hex(32), False, ""
    row.parameters, row.answers, row.screening, row.counted = {}, {}, counts, 0
    row.exclusion_reason = ""
    row.erased_at = timezone.now()
    if row.state != State.COMPLETED:
        row.state, row.finished_at = State.RETURNED, row.erased_at
    row.save()
