"""What has happened becomes deliveries in the transaction in which it happened: told once it is so, never otherwise."""

import json
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Team
from webhooks.events import EVENTS, PING
from webhooks.models import Delivery, Endpoint

TASK = "webhooks.deliver"
# What the queue has lost is found after so long.
QUEUED_SECONDS = 600


def announce(team: Team, event: str, payload: Mapping[str, Any], subject: str | None = None) -> None:
    """To every endpoint of the team that wants to know. One query where there is none.

    An event with a `subject` is told of it once, however often it is announced.
    """
    assert event in EVENTS
    announce_to(Endpoint.objects.filter(team=team, active=True, events__contains=[event]), event, payload, subject)


def announce_to(
    endpoints: Iterable[Endpoint], event: str, payload: Mapping[str, Any], subject: str | None = None
) -> list[Delivery]:
    now = timezone.now()
    made = [_delivery(endpoint, event, payload, subject, now) for endpoint in endpoints]
    if not made:
        return []
    Delivery.objects.bulk_create(made, ignore_conflicts=True)
    fresh = [one for one in made if not one.endpoint.failing_since]
    transaction.on_commit(lambda: enqueue((one.key, 0) for one in fresh))
    return made


def ping(endpoint: Endpoint) -> Delivery:
    """Whether it answers, on request."""
    with transaction.atomic():
        (made,) = announce_to([endpoint], PING, {"message": "Peekaword can reach this address."})
        transaction.on_commit(lambda: enqueue([(made.key, 0)], asked=True))
    return Delivery.objects.get(key=made.key)


def enqueue(deliveries: Iterable[tuple[uuid.UUID, int]], asked: bool = False) -> None:
    """Each with the number of attempts made. Where the queue cannot be reached, they are found when it is back."""
    with suppress(OperationalError):
        for key, tries in deliveries:
            current_app.send_task(TASK, [str(key), tries, asked])


def _delivery(
    endpoint: Endpoint, event: str, payload: Mapping[str, Any], subject: str | None, now: datetime
) -> Delivery:
    key = uuid.uuid4()
    told = {"id": str(key), "event": event, "created_at": now.isoformat(), "data": payload}
    due = now + timedelta(seconds=0 if endpoint.failing_since else QUEUED_SECONDS)
    return Delivery(
        endpoint=endpoint, key=key, event=event, subject=subject, body=json.dumps(told, ensure_ascii=False), due_at=due
    )
