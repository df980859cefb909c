"""Gives the tests their own servers before Django reads its settings (loaded early by `-p tests.services`)."""

import atexit
import os
import sys
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "platform")) if path not in sys.path]

os.environ.setdefault("PEEKAWORD_VAR", str(ROOT / "var" / "tests"))
(Path(os.environ["PEEKAWORD_VAR"]) / "static").mkdir(parents=True, exist_ok=True)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CLASSIFIER_FOLDERS", "/")
# One address asks for all that the tests of a minute ask for; those of the limits set their own.
os.environ.setdefault("API_REQUESTS_PER_MINUTE", "1000000")
os.environ.setdefault("API_STRANGER_REQUESTS_PER_MINUTE", "1000000")
# As in workers/__init__.py; tests may load torch before it.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from config.embedded import services  # noqa: E402

_stack = ExitStack()
_stack.enter_context(services())
atexit.register(_stack.close)

# Two runs at once share the servers, each with a database and a queue of its own; of the processes of one run, which
# are numbered, no two can meet.
_NUMBER = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
_OWN = {"DATABASE_URL": f"peekaword_{os.getpid()}", "REDIS_URL": str(int(_NUMBER or os.getpid()) % 16)}
if os.environ.get("PEEKAWORD_EMBEDDED"):
    os.environ.update({name: f"{os.environ[name].rpartition('/')[0]}/{own}" for name, own in _OWN.items()})
