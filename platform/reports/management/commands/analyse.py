from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.bootstrap import REPLICATES
from analysis.presets.reading import InputError
from analysis.presets.registry import PRESETS
from analysis.study import Study
from reports.progress import make_report, positive_integer, whole_number


class Command(BaseCommand):
    help = "Make the report of a file of judgments or verdicts. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file to analyse")
        parser.add_argument("--preset", required=True, choices=sorted(PRESETS), help="what kind of file it is")
        parser.add_argument("--out", required=True, type=Path, help="folder for the report's files")
        parser.add_argument("--seed", type=whole_number, default=0, help="of every random draw (default 0)")
        parser.add_argument("--replicates", type=positive_integer, default=REPLICATES, help="resamples of an interval")

    def handle(self, *args: Any, **options: Any) -> None:
        def read() -> Study:
            return PRESETS[options["preset"]](options["path"])

        quiet = options["verbosity"] == 0
        try:
            done = make_report(
                read, options["out"], seed=options["seed"], replicates=options["replicates"], quiet=quiet
            )
        except InputError as error:
            raise CommandError(str(error)) from None
        if not quiet:
            self.stdout.write(done)
