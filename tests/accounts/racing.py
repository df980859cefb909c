"""Things done at once, each in a thread with a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.core.exceptions import PermissionDenied
from django.db import connection

from accounts.joining import TeamError


def at_once(*acts: Callable[[], object]) -> list[str]:
    """What each act was told: nothing where it was done."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        try:
            start.wait(timeout=20)
            act()
        except (TeamError, PermissionDenied) as error:
            return str(error)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
