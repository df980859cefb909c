"""From a row to an arrived message: at least once, and never two at the same attempt.

An attempt is counted before it is made, by whoever names the number of those before it; so of a task that comes twice
one does nothing. A process that is killed over an attempt leaves a delivery that falls due when the attempt's time is
over: the attempt has failed then as any other, and a message over which every process dies is given up. An endpoint
that fails gets one message at a time until something arrives, so that it does not keep the worker processes waiting,
and is switched off after days of it.
"""

import random
import time
import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from webhooks.announcing import QUEUED_SECONDS, enqueue
from webhooks.models import Attempt, Delivery, Endpoint
from webhooks.sending import GONE, SECONDS, Answer, post
from webhooks.signing import DELIVERY, EVENT, SIGNATURE, secret_of, sign

State = Delivery.State
# The time of one attempt, with looking up the address.
ATTEMPT_SECONDS = 6 * SECONDS
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 6 * 3600.0
MOST_TRIES = 15
FAILING_DAYS = 3
KEPT_DAYS = 30
MOST_AT_ONCE = 500
KILLED = "The process that sent it ended before an answer came."


def deliver(key: uuid.UUID | str, tries: int, asked: bool = False) -> None:
    """The task: the attempt after `tries` others, unless somebody has made it, or nobody wants it any more.

    `asked`: somebody waits for this one, whether or not its endpoint fails.
    """
    delivery = _claim(key, tries, asked)
    if delivery:
        _keep(delivery, _send(delivery))


def _claim(key: uuid.UUID | str, tries: int, asked: bool) -> Delivery | None:
    rows = Delivery.objects.filter(key=key, tries=tries, state=State.WAITING)
    if not asked:
        rows = rows.filter(
            Q(endpoint__in=Endpoint.objects.filter(active=True, failing_since=None)) | Q(pk__in=_first())
        )
    if not rows.update(tries=F("tries") + 1, due_at=_in(ATTEMPT_SECONDS)):
        return None
    return Delivery.objects.select_related("endpoint").get(key=key)


def _first() -> QuerySet[Endpoint, int]:
    """Of every endpoint that fails, the delivery that has waited longest."""
    waiting = Delivery.objects.filter(endpoint=OuterRef("pk"), state=State.WAITING).order_by("pk").values("pk")[:1]
    failing = Endpoint.objects.filter(active=True, failing_since__isnull=False)
    return failing.annotate(first=Subquery(waiting)).filter(first__isnull=False).values_list("first", flat=True)


def _send(delivery: Delivery) -> Answer:
    endpoint, body = delivery.endpoint, delivery.body.encode()
    signature = sign(secret_of(endpoint), int(time.time()), body)
    return post(endpoint.url, {EVENT: delivery.event, DELIVERY: str(delivery.key), SIGNATURE: signature}, body)


def _keep(delivery: Delivery, answer: Answer) -> None:
    """What came of it, for the delivery and its endpoint. What has arrived stays so, however late another fails."""
    with transaction.atomic():
        endpoint = Endpoint.objects.select_for_update().get(pk=delivery.endpoint_id)
        Attempt.objects.create(
            delivery=delivery,
            number=delivery.tries,
            status=answer.status,
            milliseconds=answer.milliseconds,
            response=answer.response,
            error=answer.error,
        )
        rows = Delivery.objects.filter(pk=delivery.pk)
        if answer.arrived:
            rows.update(state=State.DELIVERED)
            Endpoint.objects.filter(pk=endpoint.pk).update(failing_since=None)
        else:
            given_up = answer.status == GONE or delivery.tries >= MOST_TRIES
            failed = {"state": State.FAILED} if given_up else {"due_at": _in(pause_after(delivery.tries))}
            rows.filter(tries=delivery.tries, state=State.WAITING).update(**failed)
            _count_failure(endpoint, answer)


def _count_failure(endpoint: Endpoint, answer: Answer) -> None:
    now = timezone.now()
    endpoint.failing_since = endpoint.failing_since or now
    if answer.status == GONE or now - endpoint.failing_since > timedelta(days=FAILING_DAYS):
        endpoint.active, endpoint.switched_off_at = False, now
    endpoint.save(update_fields=["failing_since", "active", "switched_off_at"])


def pause_after(tries: int) -> float:
    """Seconds, doubled each time; up to a quarter more by chance, so that not all come back at once."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (tries - 1)) * random.uniform(1, 1.25)


def deliver_due() -> int:
    """Every minute: what is to be tried again, and what queue or processes have lost. Answers how many."""
    _count_killed()
    with transaction.atomic():
        due = Delivery.objects.filter(state=State.WAITING, due_at__lte=timezone.now(), endpoint__active=True)
        due = due.filter(Q(endpoint__failing_since=None) | Q(pk__in=_first())).order_by("due_at")
        found = list(due.select_for_update(skip_locked=True, of=("self",))[:MOST_AT_ONCE])
        Delivery.objects.filter(pk__in=[one.pk for one in found]).update(due_at=_in(QUEUED_SECONDS))
    enqueue((one.key, one.tries) for one in found)
    return len(found)


def _count_killed() -> None:
    """Of every attempt that has begun, and whose time was over before anything was told of it."""
    told = Exists(Attempt.objects.filter(delivery=OuterRef("pk"), number=OuterRef("tries")))
    killed = Delivery.objects.filter(~told, state=State.WAITING, tries__gt=0, due_at__lte=timezone.now())
    for key in killed.values_list("pk", flat=True)[:MOST_AT_ONCE]:
        with transaction.atomic():
            # As whoever keeps an answer does, and so not beside another of its kind.
            Endpoint.objects.select_for_update().get(deliveries=key)
            delivery = killed.filter(pk=key).first()
            if delivery:
                _keep(delivery, Answer(None, round(ATTEMPT_SECONDS * 1000), error=KILLED))


def redeliver(delivery: Delivery) -> None:
    """Once more, at once, whatever became of it: the receiver knows it by its key."""
    with transaction.atomic():
        row = Delivery.objects.select_for_update().get(pk=delivery.pk)
        row.state, row.due_at = State.WAITING, _in(QUEUED_SECONDS)
        row.save(update_fields=["state", "due_at"])
        transaction.on_commit(lambda: enqueue([(row.key, row.tries)], asked=True))
    delivery.refresh_from_db()


def forget_old() -> int:
    """Every day. Answers how many."""
    old = timezone.now() - timedelta(days=KEPT_DAYS)
    return Delivery.objects.filter(created_at__lt=old).delete()[1].get("webhooks.Delivery", 0)


def _in(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)
