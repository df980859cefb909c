"""One process at a time for a thing: the database lets go of what a process holds when the process dies."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


class ClaimedElsewhere(Exception):
    """Another process has it, or had it until it was killed a moment ago: the task is worth another try."""


@contextmanager
def claimed(kind: str, pk: int) -> Iterator[None]:
    """Ours until the block ends: the thing of this number among those of its kind. ClaimedElsewhere."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtext(%s), %s)", [kind, pk])
        if not cursor.fetchone()[0]:
            raise ClaimedElsewhere
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(hashtext(%s), %s)", [kind, pk])
