"""A POST with an Idempotency-Key happens once, however often it is sent.

The answer is written in the transaction of what was done: a process that dies leaves neither, and whoever asks again
is served as if for the first time. While one request is under way, the database holds a lock under its key, which ends
with the transaction. Answers with errors are not kept: nothing happened, so the key is free for another try.
"""

import hashlib
import json
import re
from collections.abc import Callable
from datetime import timedelta

from django.db import connection
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.models import KeptAnswer
from accounts.api.problems import Conflict, Problem
from accounts.models import User

HEADER = "Idempotency-Key"
KEPT = timedelta(hours=24)
KEY = re.compile(r"[\x21-\x7e]{1,255}")
KEPT_HEADERS = ("Location", "ETag")


class UnderWay(Conflict):
    default_code = "idempotency_key_in_use"
    title = "A request with this idempotency key is under way"
    default_detail = "A request with this idempotency key is under way: ask again in a moment."
    wait = 1


class KeyReused(Problem):
    status_code = 422
    default_code = "idempotency_key_reused"
    title = "The idempotency key belongs to another request"
    default_detail = "This idempotency key came with another address or body before: a new request needs a new key."


def answer_once(user: User, key: str, request: Request, act: Callable[[], Response]) -> Response:
    """Call it inside a transaction, in which `act` writes."""
    if not KEY.fullmatch(key):
        raise ValidationError({HEADER: "Expected 1 to 255 visible ASCII characters."})
    _hold(user, key)
    fingerprint = _fingerprint(request)
    kept = KeptAnswer.objects.filter(user=user, key=key).first()
    if kept and kept.created_at > timezone.now() - KEPT:
        return _again(kept, fingerprint)
    response = act()
    if response.status_code < 400:
        _keep(user, key, fingerprint, response)
    return response


def _hold(user: User, key: str) -> None:
    """Until the transaction ends, or the process does. Two keys of one hash can at worst be told to wait."""
    number = int.from_bytes(hashlib.sha256(f"{user.pk} {key}".encode()).digest()[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        if cursor.fetchone() != (True,):
            raise UnderWay


def _fingerprint(request: Request) -> str:
    """Of what the body says, not of how it is spaced."""
    said = json.dumps(request.data, sort_keys=True, default=str)
    return hashlib.sha256(f"{request.method} {request.get_full_path()} {said}".encode()).hexdigest()


def _again(kept: KeptAnswer, fingerprint: str) -> Response:
    if kept.fingerprint != fingerprint:
        raise KeyReused
    body = json.loads(kept.body) if kept.body else None
    return Response(body, kept.status, headers=kept.headers | {"Idempotent-Replayed": "true"})


def _keep(user: User, key: str, fingerprint: str, response: Response) -> None:
    KeptAnswer.objects.filter(user=user, created_at__lte=timezone.now() - KEPT).delete()
    body = "" if response.data is None else JSONRenderer().render(response.data).decode()
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    KeptAnswer.objects.create(
        user=user, key=key, fingerprint=fingerprint, status=response.status_code, headers=headers, body=body
    )
