from collections.abc import Callable
from functools import cache

from celery import current_app
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


class Unapplied(Exception):
    """The database is older than the code."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """The process reaches what it needs; a load balancer asks this."""
    asked = {"database": _ask_database, "queue": _ask_queue, "migrations": _ask_migrations}
    checks = {name: _ask(question) for name, question in asked.items()}
    return JsonResponse(checks, status=200 if set(checks.values()) == {"ok"} else 503)


def _ask(question: Callable[[], None]) -> str:
    try:
        question()
    except Exception as error:  # Whatever it is, the answer is: not ready. What it says may name hosts and users.
        return type(error).__name__
    return "ok"


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_queue() -> None:
    with current_app.connection_for_write(connect_timeout=2) as queue:
        queue.ensure_connection(max_retries=1, timeout=2)


def _ask_migrations() -> None:
    if _known_migrations() - MigrationRecorder(connection).applied_migrations().keys():
        raise Unapplied


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Of the code; read once, as a process's code does not change."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
