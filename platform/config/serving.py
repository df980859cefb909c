"""The processes of a Peekaword on one machine: a web server, a Celery worker and beat, all ending with the command.

One that dies before is started anew.
"""

import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.core.management.base import CommandError

from config.environment import ROOT
from config.keeping import KeptProcess

WEB_PROCESSES, WEB_THREADS = 2, 4
START_SECONDS = 60


@contextmanager
def web(port: int, host: str = "127.0.0.1") -> Iterator[str]:
    """Gunicorn on the port; yields its URL once it answers."""
    _require_free(host, port)
    command = [
        *(sys.executable, "-m", "gunicorn", "config.wsgi"),
        *("--chdir", str(ROOT), "--pythonpath", str(ROOT / "platform")),
        *("--workers", str(WEB_PROCESSES), "--threads", str(WEB_THREADS), "--bind", f"{host}:{port}"),
        *("--keep-alive", "30"),
    ]  # fmt: skip
    log = settings.VAR / "log" / "web.log"
    with KeptProcess("The web server", command, log=log) as process:
        url = f"http://{'localhost' if host in {'127.0.0.1', '0.0.0.0'} else host}:{port}"
        _wait_for(f"http://127.0.0.1:{port}/healthz", process, f"The web server did not start: see {log}.")
        yield url


@contextmanager
def celery_worker(processes: int = 1) -> Iterator[KeptProcess]:
    """The name is the process's own, so that two on one machine do not answer for each other."""
    with _celery(
        *("The Celery worker", "config", "worker", "--loglevel", "INFO", "--concurrency", str(processes)),
        *("--hostname", f"peekaword-{os.getpid()}@%h", "--without-mingle", "--without-gossip"),
        log="worker.log",
    ) as process:
        yield process


@contextmanager
def celery_beat() -> Iterator[KeptProcess]:
    """Sends the recurring tasks. A process of its own, and no child of the worker's, which could outlive a kill."""
    with _celery("The beat", "config.beat", "beat", "--pidfile=", "--loglevel", "INFO", log="beat.log") as process:
        yield process


def _celery(name: str, app: str, *arguments: str, log: str) -> KeptProcess:
    command = [sys.executable, "-m", "celery", "--app", app, *arguments]
    path = os.pathsep.join([str(ROOT / "platform"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return KeptProcess(name, command, env={"PYTHONPATH": path}, log=settings.VAR / "log" / log)


def _require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        # As gunicorn does: a port that a server left a moment ago is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else "ports are from 1 to 65535"
            raise CommandError(f"{host}, port {port} cannot be used ({reason}): say another --port.") from error


def _wait_for(url: str, process: KeptProcess, complaint: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.alive() and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise CommandError(complaint)


def serve_until_interrupted(say: Callable[[str], object]) -> None:
    """Tasks under way end first, so closing takes some seconds."""
    with suppress(KeyboardInterrupt):
        while True:
            signal.pause()
    say("Closing; a second start goes on with the same data.")
