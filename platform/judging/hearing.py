"""A signed message of Prolific's (docs.prolific.com/api-reference/webhooks, read 2026-11).

The signature is over the time of sending and the body; the time bounds how long a stolen message could be sent again.
Messages come at least once and in any order: each is kept under its own key, and `following` lets the later word win.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from judging.following import Word, follow, holder
from judging.models import ProlificEvent
from recruitment.prolific import status_of

SIGNATURE, SIGNED_AT = "X-Prolific-Request-Signature", "X-Prolific-Request-Timestamp"
EVENT, EVENT_AT = "X-Event-ID", "X-Timestamp"
KIND = "submission.status.change"
# Clocks differ, and networks are slow.
TOLERANCE_SECONDS = 600
# Later than this, a number of seconds would be one of milliseconds.
MOST_SECONDS = 100_000_000_000
LONGEST = 64

Effect = ProlificEvent.Effect


class Unsigned(Exception):
    """Nobody can say that it comes from Prolific."""


class Malformed(Exception):
    """Signed, and still not a message as Prolific documents it."""


def hear(headers: Mapping[str, str], body: bytes) -> Effect | None:
    """What became of it; None where it is of a kind that concerns nobody here. Unsigned or Malformed else."""
    sent = _verify(headers, body)
    said = _read(body)
    if said.get("event_type") != KIND:
        return None
    submission, participant, status = (said.get(name) for name in ("resource_id", "participant_id", "status"))
    for value in (submission, participant, status):
        if not isinstance(value, str) or not 0 < len(value) <= LONGEST or not _can_be_stored(value):
            raise Malformed("Expected resource_id, participant_id and status as short texts.")
    told_at = _time(headers.get(EVENT_AT, "")) or sent
    key = headers.get(EVENT, "")[:200] or hashlib.sha256(f"{told_at.timestamp()}".encode() + body).hexdigest()
    return _keep(key, Word(str(submission), str(participant), status_of(str(status)), told_at))


def _can_be_stored(value: str) -> bool:
    """Postgres has no NUL, and nothing encodes half of a pair of surrogates, which JSON can write."""
    return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)


def sign(secret: str, sent: str, body: bytes) -> str:
    return base64.b64encode(hmac.new(secret.encode(), sent.encode() + body, hashlib.sha256).digest()).decode()


def _verify(headers: Mapping[str, str], body: bytes) -> datetime:
    """When it was sent."""
    secret, sent = settings.PROLIFIC_WEBHOOK_SECRET, headers.get(SIGNED_AT, "")
    if not secret:
        raise Unsigned("PROLIFIC_WEBHOOK_SECRET is not set.")
    given = headers.get(SIGNATURE, "").encode("utf-8", "replace")
    if not hmac.compare_digest(sign(secret, sent, body).encode(), given):
        raise Unsigned("The signature is not that of the secret.")
    at = _time(sent)
    if at is None or abs((timezone.now() - at).total_seconds()) > TOLERANCE_SECONDS:
        raise Unsigned("The time of sending is missing, or too far from now.")
    return at


def _time(raw: str) -> datetime | None:
    try:
        seconds = float(raw)
        return datetime.fromtimestamp(seconds / 1000 if seconds > MOST_SECONDS else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _read(body: bytes) -> dict[str, Any]:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:  # The latter of brackets within brackets, thousands deep.
        raise Malformed("Expected JSON.") from error
    if not isinstance(said, dict):
        raise Malformed("Expected a JSON object.")
    return said


def _keep(key: str, word: Word) -> Effect:
    """Message and effect in one transaction: what failed half way is heard again in full."""
    with transaction.atomic():
        event, fresh = ProlificEvent.objects.get_or_create(
            key=key,
            defaults={
                "submission_id": word.submission,
                "status": word.status,
                "sent_at": word.at,
                "effect": Effect.UNKNOWN,
            },
        )
        campaign = holder(word) if fresh else None
        if campaign:
            event.effect = Effect.APPLIED if follow(campaign, word) else Effect.OLDER
            event.save(update_fields=["effect"])
    return Effect(event.effect)
