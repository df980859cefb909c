from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from analysis.bootstrap import REPLICATES
from analysis.presets.reading import InputError
from analysis.presets.registry import PRESETS
from reports.reporting import build_report
from reports.writing import write_report


class Command(BaseCommand):
    help = "Make the report of a file of judgments or verdicts. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file to analyse")
        parser.add_argument("--preset", required=True, choices=sorted(PRESETS), help="what kind of file it is")
        parser.add_argument("--out", required=True, type=Path, help="folder for the report's files")
        parser.add_argument("--seed", type=int, default=0, help="of every random draw (default 0)")
        parser.add_argument("--replicates", type=positive_integer, default=REPLICATES, help="resamples of an interval")

    def handle(self, *args: Any, **options: Any) -> None:
        steps = tqdm(total=3, desc="reading", unit="step", disable=None if options["verbosity"] else True)
        with steps:
            try:
                study = PRESETS[options["preset"]](options["path"])
            except InputError as error:
                raise CommandError(str(error)) from None
            steps.update()
            steps.set_description("analysing")
            report = build_report(study, options["seed"], options["replicates"])
            steps.update()
            steps.set_description("writing")
            try:
                paths = write_report(report, options["out"])
            except OSError as error:
                raise CommandError(f"{error.filename}: cannot write here: {error.strerror}.") from None
            steps.update()
        if options["verbosity"]:
            self.stdout.write(f"{len(paths)} files in {options['out']}, begin with report.html.")


def positive_integer(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
