"""Errors to Sentry, where a SENTRY_DSN is set: what went wrong and where in the code, and nothing of whom it met."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from operations.identifying import current_ids
from operations.scrubbing import scrub

KEPT_OF_REQUEST = ("method", "url")


def start() -> None:
    if not settings.SENTRY_DSN:
        return
    try:
        import sentry_sdk
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set and sentry-sdk is not installed: run pip install 'peekaword[sentry]'."
        ) from error
    sentry_sdk.init(
        settings.SENTRY_DSN,
        before_send=clean,
        # No variables of functions, bodies of requests, queries or clicks before: any may hold what people wrote.
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        send_default_pii=False,
        auto_session_tracking=False,
    )


def clean(event: Any, hint: Any) -> Any:
    """The event without user, cookies, headers and query, scrubbed as log lines are, with the ids that they bear."""
    event.pop("user", None)
    if "request" in event:
        event["request"] = {name: event["request"][name] for name in KEPT_OF_REQUEST if name in event["request"]}
    event["tags"] = {**event.get("tags", {}), **current_ids()}
    return _scrubbed(event)


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {key: _scrubbed(one) for key, one in value.items()}
    return [_scrubbed(one) for one in value] if isinstance(value, list | tuple) else value
