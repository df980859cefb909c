from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.backing_up import BackupError, occupied, open_backup, others_connected, restore

MEANING = {
    "SECRET_KEY": "links of workers, sign-ins and second steps made under the old one are not valid; API tokens are",
    "WORKER_ID_KEY": "workers who return are strangers",
}


class Command(BaseCommand):
    help = "Put a backup in the place of an empty database and its files, all of it or nothing. See docs/backup.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what backup wrote")
        parser.add_argument(
            "--replace", default="", metavar="DATABASE", help="the database's name, to give up all that is in it"
        )

    def handle(self, *args: Any, file: Path, replace: str, **options: Any) -> None:
        name = str(connection.settings_dict["NAME"])
        if replace and replace != name:
            raise CommandError(f"--replace {replace}: the database is called {name}.", returncode=2)
        try:
            backup = open_backup(file)
            self._look_around(name, replace)
            restore(backup)
        except BackupError as error:
            raise CommandError(f"{file}: {error} Nothing was restored.") from None
        except OSError as error:
            raise CommandError(f"{error.filename}: cannot write here: {error.strerror}.") from None
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(f"Restored into {name}; the processes can start.")
        for key in backup.other_keys():
            self.stdout.write(f"{key} is another than when the backup was made: {MEANING[key]}.")

    def _look_around(self, name: str, replace: str) -> None:
        if others := others_connected():
            raise BackupError(f"{others} other connections work on {name}: stop the web and worker processes first.")
        if (found := occupied()) and not replace:
            raise BackupError(f"{name} is not empty: {found}. To give up what it holds, say --replace {name}.")
