import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from config.tether import TetheredProcess

PLATFORM = Path(__file__).resolve().parents[2] / "platform"
PARENT = """
import sys, time
sys.path.append({platform!r})
from config.tether import TetheredProcess
TetheredProcess(['sh', '-c', 'echo $$ > {pid}; sleep 600'])
time.sleep(600)
"""


def read_pid(path: Path) -> int:
    deadline = time.monotonic() + 20
    while not (path.exists() and path.read_text().strip()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return int(path.read_text())


def running(pid: int) -> bool:
    """A process that has ended but was not waited for is no longer running."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # The second: it went between opening and reading.
        return False


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 20
    while running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_it_works(tmp_path: Path) -> None:
    with TetheredProcess(["sh", "-c", f"echo $$ > {tmp_path}/pid; sleep 600"]) as process:
        pid = read_pid(tmp_path / "pid")
        assert process.alive() and running(pid)
    wait_until_gone(pid)


def test_a_killed_parent_takes_its_child_along(tmp_path: Path) -> None:
    code = PARENT.format(platform=str(PLATFORM), pid=tmp_path / "pid")
    parent = subprocess.Popen([sys.executable, "-c", code])
    pid = read_pid(tmp_path / "pid")
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    wait_until_gone(pid)


def test_output_goes_to_the_log(tmp_path: Path) -> None:
    process = TetheredProcess(["sh", "-c", "echo peek"], log=tmp_path / "log")
    process.process.wait()
    process.stop()
    assert (tmp_path / "log").read_text() == "peek\n"
