import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from reports.archiving.manifest import ArchiveError
from reports.archiving.parts import PARTS, Part
from reports.archiving.writing import export_campaign
from reports.finding import find_campaign


class Command(BaseCommand):
    help = "Write a whole campaign, with all that it stands on, into one archive. docs/archives.md says what it holds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("--out", type=Path, metavar="FILE.zip", help="default: SLUG.zip in this folder")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        out = options["out"] or Path(f"{campaign.slug}.zip")
        if out.is_dir() or (out.exists() and not out.is_file()):
            raise CommandError(f"{out} is no ordinary file: name the archive to be written.", returncode=2)
        quiet = True if options["verbosity"] == 0 else None
        with tqdm(total=len(PARTS), unit=" tables", disable=quiet, file=sys.stderr) as bar:

            def progress(part: Part) -> None:
                bar.set_description(part.name)
                bar.update()

            try:
                export_campaign(campaign, out, progress)
            except ArchiveError as error:
                raise CommandError(str(error)) from None
            except OSError as error:
                raise CommandError(f"{error.filename or out}: cannot write here: {error.strerror}.") from None
        self.stdout.write(f"{out}: {out.stat().st_size:,} bytes")
