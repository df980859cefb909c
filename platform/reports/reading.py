"""The options by which commands say what an outside file is, and the reader that they choose."""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from analysis.plausibility.cues import CueStudy
from analysis.presets.assembling import LEVELS
from analysis.presets.reading import ChoiceError, InputError
from analysis.presets.registry import PRESETS
from analysis.study import Study

BAD_USAGE = 2
MAPPING = "mapping"
# What only some presets take: the option, by the keyword of their reader.
OPTIONS = {
    "set_name": "--set",
    "level": "--level",
    "truth": "--truth",
    MAPPING: "--mapping",
    "display": "--display-column",
    "answer": "--answer",
    "text": "--text",
    "method": "--method",
    "k": "--k",
    "expected": "--expected",
}


def add_preset_options(parser: ArgumentParser) -> None:
    parser.add_argument("--preset", choices=sorted(PRESETS), help="what kind of file it is")
    parser.add_argument("--mapping", type=Path, metavar="FILE", help="says what the columns are (docs/analysing.md)")
    parser.add_argument("--level", choices=LEVELS, help="of measurement of the labels (crowdkit, mturk, mapping)")
    parser.add_argument("--truth", type=Path, metavar="FILE", help="task and truth, beside the labels (crowdkit)")
    parser.add_argument("--set", dest="set_name", metavar="NAME", help="of several in the folder (ding2021)")
    parser.add_argument("--display-column", dest="display", metavar="COLUMN", help="how maps were shown (schuff2022)")
    parser.add_argument("--answer", metavar="COLUMN", help="of the Answer columns, the label (mturk)")
    for name, what in (("text", "the text"), ("method", "the method"), ("expected", "the right label")):
        parser.add_argument(f"--{name}", metavar="COLUMN", help=f"of the Input columns, {what} (mturk)")
    parser.add_argument("--k", metavar="COLUMN", help="of the Input columns, the number of words shown (mturk)")


def read_by(path: Path, options: dict[str, Any], *, by_id: bool = False) -> Callable[[], Study | CueStudy]:
    """The reader that the options choose. CommandError where they do not fit, there or in reading.

    by_id: workers as their file names them, for hashing, also where reports would number them.
    """
    name = options["preset"] or (MAPPING if options[MAPPING] else None)
    if name is None:
        raise CommandError("Say what kind of file it is: --preset NAME, or --mapping FILE.", returncode=BAD_USAGE)
    preset = PRESETS[name]
    given = {keyword: options[keyword] for keyword in OPTIONS if options[keyword] is not None}
    for keyword in given.keys() - set(preset.options):
        raise CommandError(f"The preset {name} takes no {OPTIONS[keyword]}.", returncode=BAD_USAGE)

    if by_id and preset.numbers:
        given["by_id"] = True

    def read() -> Study | CueStudy:
        try:
            return preset.read(path, **given)
        except InputError as error:
            raise CommandError(str(error), returncode=BAD_USAGE if isinstance(error, ChoiceError) else 1) from None

    return read
