import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from config.servers import free_port

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
@pytest.mark.usefixtures("_test_database_url")
@pytest.mark.long
def test_it_says_where_it_serves_while_it_does_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    """Written into a file, too: whoever starts it in the background wants to read the address."""
    command = [sys.executable, "manage.py", "serve", "--port", str(free_port())]
    out = tmp_path / "out.txt"
    with out.open("w") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
    try:
        while "Peekaword serves " not in out.read_text():
            assert process.poll() is None, out.read_text()
        url = out.read_text().partition("Peekaword serves ")[2].split()[0]
        with urllib.request.urlopen(f"{url}/healthz") as response:
            assert response.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
