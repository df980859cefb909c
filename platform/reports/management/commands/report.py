from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.bootstrap import REPLICATES
from reports.aggregating import study_of
from reports.finding import find_campaign
from reports.reporting import build_report
from reports.writing import write_report


class Command(BaseCommand):
    help = "Write the report of a campaign: the same files as analyse makes of its export."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("--out", required=True, type=Path, help="folder for the report's files")
        parser.add_argument("--seed", type=int, default=0, help="of every random draw (default 0)")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_of(find_campaign(options["campaign"]))
        try:
            paths = write_report(build_report(study, options["seed"], REPLICATES), options["out"])
        except OSError as error:
            raise CommandError(f"{error.filename}: cannot write here: {error.strerror}.") from None
        self.stdout.write(f"{len(paths)} files in {options['out']}, begin with report.html.")
