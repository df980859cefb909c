"""The servers from wheels: shared by commands, kept between them, and gone when the last one ends, however it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg2
import pytest
import redis

from config import embedded

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sys, time
sys.path[:0] = ['platform']
from config.embedded import services
with services():
    import os
    print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'], flush=True)
    sys.stdin.readline()
"""


class Holder:
    """A command that uses the embedded servers until it is told to end."""

    def __init__(self, var: Path) -> None:
        env = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL", "PEEKAWORD_EMBEDDED"}}
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLD],
            cwd=ROOT,
            env={**env, "PEEKAWORD_VAR": str(var)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.database_url, self.redis_url = self.process.stdout.readline().split()

    def end(self) -> None:
        self.process.communicate("\n", timeout=60)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=60)


@pytest.fixture
def var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Short enough for a socket's path."""
    yield tmp_path_factory.mktemp("v")


def answers(holder: Holder) -> tuple[bool, bool]:
    return _postgres_answers(holder.database_url), _valkey_answers(holder.redis_url)


def _postgres_answers(url: str) -> bool:
    try:
        psycopg2.connect(url).close()
    except psycopg2.OperationalError:
        return False
    return True


def _valkey_answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url).ping())
    except redis.ConnectionError:
        return False


def wait_until_gone(holder: Holder) -> None:
    deadline = time.monotonic() + 30
    while any(answers(holder)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert answers(holder) == (False, False)


def test_they_end_with_a_killed_command_and_a_second_start_finds_the_data(var: Path) -> None:
    first = Holder(var)
    assert answers(first) == (True, True)
    with psycopg2.connect(first.database_url) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('peek')")
    connection.close()
    first.kill()
    wait_until_gone(first)

    second = Holder(var)
    with psycopg2.connect(second.database_url) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT word FROM kept")
        assert cursor.fetchall() == [("peek",)]
    connection.close()
    second.end()
    wait_until_gone(second)


def processes_of(var: Path) -> set[int]:
    """Those that name the folder in their command line or environment, and all below them."""
    parents, found = dict[int, int](), set[int]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # It has just ended.
            continue
        if str(var).encode() in told:
            found.add(int(folder.name))
    found -= {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def test_they_start_again_with_their_data_after_everything_was_killed_at_once(var: Path) -> None:
    """As by a machine that loses its power: nobody stops anything, and what they wrote down of themselves is stale."""
    first = Holder(var)
    with psycopg2.connect(first.database_url) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kept (word text)")
        connection.commit()
        cursor.execute("INSERT INTO kept VALUES ('peek')")
        connection.commit()
        redis.Redis.from_url(first.redis_url).rpush("tasks", "kept")
        killed = processes_of(var)
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    first.process.wait(timeout=60)
    assert len(killed) > 5  # The command, its keeper, the servers' program, Postgres with its own, and Valkey.
    wait_until_gone(first)

    second = Holder(var)
    assert answers(second) == (True, True)
    with psycopg2.connect(second.database_url) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT word FROM kept")
        assert cursor.fetchall() == [("peek",)]
    connection.close()
    assert redis.Redis.from_url(second.redis_url).lrange("tasks", 0, -1) == [b"kept"]
    second.end()
    wait_until_gone(second)


def test_two_commands_share_them_and_the_last_one_stops_them(var: Path) -> None:
    first, second = Holder(var), Holder(var)
    assert (first.database_url, first.redis_url) == (second.database_url, second.redis_url)
    first.end()
    assert answers(second) == (True, True)
    second.end()
    wait_until_gone(second)


def test_a_server_that_dies_is_started_again_with_its_data(var: Path) -> None:
    holder, other = Holder(var), Holder(var)
    queue = redis.Redis.from_url(holder.redis_url)
    queue.rpush("tasks", "kept")
    os.kill(json.loads((var / "run" / "valkey.json").read_text())["pid"], signal.SIGKILL)
    os.kill(int((var / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    deadline = time.monotonic() + 30
    while answers(holder) != (True, True) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert answers(holder) == (True, True)
    assert queue.lrange("tasks", 0, -1) == [b"kept"]
    holder.end()
    assert answers(other) == (True, True)
    other.end()
    wait_until_gone(other)


def test_one_url_without_the_other_is_refused() -> None:
    env = {key: value for key, value in os.environ.items() if key != "REDIS_URL"}
    done = subprocess.run([sys.executable, "manage.py", "migrate"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "set both DATABASE_URL and REDIS_URL, or neither" in done.stderr


def test_ctrl_c_ends_a_command_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(argv: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(embedded, "execute_from_command_line", interrupted)
    with pytest.raises(SystemExit) as ended:
        embedded.main(["manage.py", "explain"])
    assert ended.value.code == "Interrupted."


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["report", "c", "--out", "x"], True), (["roar", "--dataset", "D", "--out", "x"], True),
        (["roar", "--reviews", "--out", "x"], False), (["train_lstm", "--file=a.csv", "--out", "x"], False),
        (["messages"], False), (["report", "--help"], False), ([], False), (["plan", "--protocol=rating"], False),
        (["plan", "--campaign", "c"], True), (["plan", "--campaign=c", "--help"], False),
    ],
)  # fmt: skip
def test_servers_start_only_where_a_command_has_a_use_for_them(words: list[str], wanted: bool) -> None:
    assert embedded._needs_services(["manage.py", *words]) is wanted
