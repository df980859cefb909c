from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.backing_up import BackupError, back_up


class Command(BaseCommand):
    help = "Write the database and all uploaded files into one file, while everybody works on. See docs/backup.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("out", type=Path, metavar="OUT.tar", help="the file to write")

    def handle(self, *args: Any, out: Path, **options: Any) -> None:
        if out.exists() and not out.is_file():
            raise CommandError(f"{out} is no ordinary file: name the backup to be written.", returncode=2)
        if not out.parent.is_dir():
            raise CommandError(f"{out.parent} is no folder: make it, or mount its disk.", returncode=2)
        try:
            files = back_up(out)
        except BackupError as error:
            raise CommandError(f"{error} Nothing was written.") from None
        except OSError as error:
            raise CommandError(f"{error.filename or out}: cannot write here: {error.strerror}.") from None
        self.stdout.write(f"{out}: {out.stat().st_size:,} bytes, the database and {files - 1:,} uploaded files.")
        kept = settings.VAR / "secret_key"
        where = f"{kept} is" if kept.exists() else "SECRET_KEY and WORKER_ID_KEY are"
        self.stdout.write(f"{where} not in it: keep that elsewhere, or workers' links and names are lost with it.")
