import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

from config.servers import free_port
from tests.config.test_tether import wait_until_gone

ROOT = Path(__file__).resolve().parents[2]
KEPT = {"gunicorn": "The web server", "worker": "The Celery worker", "beat": "The beat"}


@pytest.mark.django_db
@pytest.mark.usefixtures("_test_database_url")
@pytest.mark.long
def test_it_serves_until_ctrl_c_whatever_dies_below_it(tmp_path: Path) -> None:
    """Written into a file, too: whoever starts it in the background wants to read the address."""
    command = [sys.executable, "manage.py", "serve", "--port", str(free_port())]
    out = tmp_path / "out.txt"
    with out.open("w") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
    try:
        url = _said(out, process, "Peekaword serves ").split()[0]
        assert _healthy(url)
        first = _below(process)
        for word in KEPT:
            pid = _main(process, word)
            assert pid
            os.kill(pid, signal.SIGKILL)
        for name in KEPT.values():
            assert _said(out, process, f"{name} ended by itself and is started anew in 1 s: see ")
        again = _until_all_are_there(process, url, first)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        said = out.read_text()
        assert "Nobody has an account yet: `manage.py createsuperuser`" in said and said.endswith("the same data.\n")
        for pid in first | again:
            wait_until_gone(pid)
    finally:
        process.kill()


def _said(out: Path, process: subprocess.Popen[bytes], words: str) -> str:
    while words not in out.read_text():
        assert process.poll() is None, out.read_text()
        time.sleep(0.05)
    return out.read_text().partition(words)[2]


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _below(process: subprocess.Popen[bytes]) -> set[int]:
    return {child.pid for child in psutil.Process(process.pid).children(recursive=True)}


def _main(process: subprocess.Popen[bytes], word: str) -> int | None:
    """Below a keeper that is the command's child, the one whose command line names it."""
    for keeper in psutil.Process(process.pid).children():
        try:
            for child in keeper.children():
                if word in child.cmdline():
                    return int(child.pid)
        except psutil.Error:  # It has just ended.
            continue
    return None


def _until_all_are_there(process: subprocess.Popen[bytes], url: str, dead: set[int]) -> set[int]:
    while not all(_main(process, word) not in {None, *dead} for word in KEPT) or not _healthy(url):
        assert process.poll() is None
        time.sleep(0.1)
    return _below(process)
