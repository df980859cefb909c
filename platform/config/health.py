from typing import Any

from celery import current_app
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """The process reaches what it needs; a load balancer asks this."""
    checks = {"database": _ask(_ask_database), "queue": _ask(_ask_queue)}
    return JsonResponse(checks, status=200 if set(checks.values()) == {"ok"} else 503)


def _ask(question: Any) -> str:
    try:
        question()
    except Exception as error:  # Whatever it is, the answer is: not ready.
        return type(error).__name__
    return "ok"


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_queue() -> None:
    with current_app.connection_for_write(connect_timeout=2) as queue:
        queue.ensure_connection(max_retries=1, timeout=2)
