import os
import signal
import time
from pathlib import Path

import pytest

from config import keeping
from config.keeping import KeptProcess
from tests.config.test_tether import read_pid, wait_until_gone


def lines_of(path: Path, number: int) -> list[str]:
    deadline = time.monotonic() + 20
    while not (path.exists() and len(path.read_text().splitlines()) >= number):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return path.read_text().splitlines()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "WATCH_SECONDS", 0.05)
    monkeypatch.setattr(keeping, "FIRST_PAUSE", 0.1)


def test_one_that_is_killed_is_started_anew_and_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pids, log = tmp_path / "pids", tmp_path / "log"
    with KeptProcess("The peeker", ["sh", "-c", f"echo $$ >> {pids}; sleep 600 & wait"], log=log) as process:
        first = read_pid(pids)
        os.kill(first, signal.SIGKILL)
        second = int(lines_of(pids, 2)[1])
        assert process.alive()
    for pid in (first, second):
        wait_until_gone(pid)
    said = capsys.readouterr().err
    assert said[20:] == f"The peeker ended by itself and is started anew in 0.1 s: see {log}.\n"
    assert log.read_text() == said


def test_one_whose_keeper_is_killed_is_not_there_twice(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = ["sh", "-c", f"echo $$ >> {pids}; sleep 600 & wait"]
    with KeptProcess("The peeker", command, log=tmp_path / "log") as process:
        first = read_pid(pids)
        os.kill(process.pid, signal.SIGKILL)
        lines_of(pids, 2)
        wait_until_gone(first)


def test_one_that_cannot_stay_is_tried_ever_later(tmp_path: Path) -> None:
    with KeptProcess("The peeker", ["false"], log=tmp_path / "log") as process:
        said = lines_of(tmp_path / "log", 3)
    assert [line.split(" in ")[1].split(":")[0] for line in said[:3]] == ["0.1 s", "0.2 s", "0.4 s"]
    assert not process.alive()


def test_it_can_be_stopped_in_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FIRST_PAUSE", 600.0)
    started = time.monotonic()
    with KeptProcess("The peeker", ["false"], log=tmp_path / "log"):
        lines_of(tmp_path / "log", 1)
    assert time.monotonic() - started < 60


def test_one_that_cannot_even_be_started_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with KeptProcess("The peeker", ["false"], log=tmp_path / "log"):
        monkeypatch.setattr(keeping, "TetheredProcess", _no_memory)
        said = lines_of(tmp_path / "log", 2)
        monkeypatch.undo()
        assert "cannot be started: [Errno 12] no memory." in "\n".join(said)


def _no_memory(*_: object, **__: object) -> None:
    raise OSError(12, "no memory")
