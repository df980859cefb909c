from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.bootstrap import REPLICATES
from reports.progress import make_report, positive_integer, whole_number
from reports.reading import add_preset_options, read_by


class Command(BaseCommand):
    help = "Make the report of judgments, verdicts or saliency that a file or folder holds. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file or folder to analyse")
        parser.add_argument("--out", required=True, type=Path, help="folder for the report's files")
        add_preset_options(parser)
        parser.add_argument("--seed", type=whole_number, default=0, help="of every random draw (default 0)")
        parser.add_argument(
            "--replicates",
            type=positive_integer,
            default=REPLICATES,
            help="resamples of a bootstrap interval (default %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        read = read_by(options["path"], options)
        quiet = options["verbosity"] == 0
        done = make_report(read, options["out"], seed=options["seed"], replicates=options["replicates"], quiet=quiet)
        if not quiet:
            self.stdout.write(done)
