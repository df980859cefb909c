from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.bootstrap import REPLICATES
from reports.aggregating import study_of
from reports.finding import find_campaign
from reports.progress import make_report, positive_integer, whole_number


class Command(BaseCommand):
    help = "Write the report of a campaign: what analyse makes of its export, and the flow of participants."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("--out", required=True, type=Path, help="folder for the report's files")
        parser.add_argument("--seed", type=whole_number, default=0, help="of every random draw (default 0)")
        parser.add_argument(
            "--replicates",
            type=positive_integer,
            default=REPLICATES,
            help="resamples of a bootstrap interval (default %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        quiet = options["verbosity"] == 0
        done = make_report(
            lambda: study_of(campaign),
            options["out"],
            seed=options["seed"],
            replicates=options["replicates"],
            quiet=quiet,
        )
        if not quiet:
            self.stdout.write(done)
