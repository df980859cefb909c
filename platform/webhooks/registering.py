"""Endpoints made, changed, given a new secret or taken away, each act in its team's log."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.auditing import Act, record
from accounts.models import Team, User
from webhooks.addressing import OPENING, Refused, require_outside
from webhooks.models import Endpoint, new_salt

MOST_ENDPOINTS = 20


class WebhookError(Exception):
    """Why an endpoint cannot be had, in a sentence for its team."""


def check_url(url: str) -> None:
    """What a name stands for is asked whenever something is sent; ValidationError for what can lead nowhere."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ValidationError("Expected an address such as https://example.org/peekaword.") from error
    plain = parts.scheme == "http" and bool(settings.WEBHOOK_NETWORKS)
    if (parts.scheme != "https" and not plain) or not parts.hostname or port == 0:
        raise ValidationError(
            "Expected an address that begins with https://, such as https://example.org/peekaword."
            + (f" {OPENING}" if parts.scheme == "http" else "")
        )
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ValidationError("Expected plain letters, digits and signs: write others as %-codes or xn-- names.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValidationError("Leave out user name, password and #: the signature shows who sends.")
    try:
        require_outside(parts.hostname, port or 443, parts.scheme == "http")
    except Refused as error:
        raise ValidationError(str(error)) from error


def add(team: Team, url: str, events: list[str], user: User | None) -> Endpoint:
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        if team.endpoints.count() >= MOST_ENDPOINTS:
            raise WebhookError(f"A team has {MOST_ENDPOINTS} webhooks at most: delete one first.")
        endpoint = Endpoint.objects.create(team=team, url=url, events=events)
        record(user, team, Act.WEBHOOK_MADE, endpoint, events=", ".join(events))
    return endpoint


def change(endpoint: Endpoint, user: User | None) -> None:
    """Saved as it is now. Switched on again, it starts without its old failures."""
    with transaction.atomic():
        if endpoint.active:
            endpoint.failing_since = endpoint.switched_off_at = None
        endpoint.save()
        record(
            user, endpoint.team, Act.WEBHOOK_CHANGED, endpoint,
            events=", ".join(endpoint.events), active=endpoint.active,
        )  # fmt: skip


def renew_secret(endpoint: Endpoint, user: User | None) -> None:
    """The old one signs nothing more."""
    with transaction.atomic():
        endpoint.salt = new_salt()
        endpoint.save(update_fields=["salt"])
        record(user, endpoint.team, Act.WEBHOOK_CHANGED, endpoint, secret="new")


def remove(endpoint: Endpoint, user: User | None) -> None:
    """With its log; what is still to be sent is not sent."""
    with transaction.atomic():
        record(user, endpoint.team, Act.WEBHOOK_DELETED, endpoint)
        endpoint.delete()
