from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.bootstrap import REPLICATES
from analysis.plausibility.cues import CueStudy
from analysis.presets.reading import ChoiceError, InputError
from analysis.presets.registry import PRESETS
from analysis.study import Study
from reports.progress import make_report, positive_integer, whole_number

BAD_USAGE = 2
# What only some presets take: the option, by the keyword of their reader.
OPTIONS = {"set_name": "--set"}


class Command(BaseCommand):
    help = "Make the report of judgments, verdicts or saliency that a file or folder holds. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file or folder to analyse")
        parser.add_argument("--preset", required=True, choices=sorted(PRESETS), help="what kind of file it is")
        parser.add_argument("--out", required=True, type=Path, help="folder for the report's files")
        parser.add_argument("--set", dest="set_name", metavar="NAME", help="of several in the folder (ding2021)")
        parser.add_argument("--seed", type=whole_number, default=0, help="of every random draw (default 0)")
        parser.add_argument(
            "--replicates",
            type=positive_integer,
            default=REPLICATES,
            help="resamples of a bootstrap interval (default %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        preset = PRESETS[options["preset"]]
        given = {name: options[name] for name in OPTIONS if options[name] is not None}
        for name in given.keys() - set(preset.options):
            raise CommandError(f"The preset {options['preset']} takes no {OPTIONS[name]}.", returncode=BAD_USAGE)

        def read() -> Study | CueStudy:
            return preset.read(options["path"], **given)

        quiet = options["verbosity"] == 0
        try:
            done = make_report(
                read, options["out"], seed=options["seed"], replicates=options["replicates"], quiet=quiet
            )
        except InputError as error:
            raise CommandError(str(error), returncode=BAD_USAGE if isinstance(error, ChoiceError) else 1) from None
        if not quiet:
            self.stdout.write(done)
