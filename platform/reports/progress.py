"""The progress that commands show while they make a report."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from django.core.management.base import CommandError
from tqdm import tqdm

from analysis.plausibility.cues import CueStudy
from analysis.study import Study
from reports.cueing import build_cue_report
from reports.filing import write_report
from reports.reporting import build_report


def make_report(read: Callable[[], Study | CueStudy], out: Path, *, seed: int, replicates: int, quiet: bool) -> str:
    """Read, analyse, write; a bar on a terminal. CommandError where the folder cannot be written."""
    with tqdm(total=3, desc="reading", unit="step", disable=True if quiet else None) as steps:
        study = read()
        steps.update()
        steps.set_description("analysing")
        report = (
            build_cue_report(study, seed, replicates)
            if isinstance(study, CueStudy)
            else build_report(study, seed, replicates)
        )
        steps.update()
        steps.set_description("writing")
        try:
            paths = write_report(report, out, None if isinstance(study, CueStudy) else study)
        except OSError as error:
            raise CommandError(f"{error.filename}: cannot write here: {error.strerror}.") from None
        steps.update()
    return f"{len(paths)} files in {out}, begin with report.html."


def whole_number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return int(text)


def positive_integer(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
