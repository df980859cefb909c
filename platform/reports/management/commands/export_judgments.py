from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from reports.exporting import WRITERS, Row, export
from reports.finding import find_campaign


class Command(BaseCommand):
    help = "Write every judgment of a campaign, one row each. docs/export.md says what the columns mean."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("--format", type=formats, default=["csv"], help=f"one or more of {', '.join(WRITERS)}")
        parser.add_argument("--out", type=Path, default=Path(), help="a file, or a folder (default: this one)")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        _check_target(options["out"], options["format"])
        if campaign.imported and campaign.imported["verdicts"]:
            raise CommandError(f"{campaign.slug} has the majority's verdicts, and no judgments that could be exported.")
        for kind in options["format"]:
            path = _target(options["out"], campaign.slug, kind)

            def progress(rows: Iterable[Row], kind: str = kind) -> Iterable[Row]:
                return tqdm(rows, desc=kind, unit=" judgments", disable=None if options["verbosity"] else True)

            try:
                export(campaign, kind, path, progress)
            except OSError as error:
                raise CommandError(f"{error.filename}: cannot write here: {error.strerror}.") from None
            self.stdout.write(str(path))


def _check_target(out: Path, kinds: list[str]) -> None:
    endings = {Path(WRITERS[kind][0]).suffix for kind in kinds}
    if len(kinds) > 1 and out.suffix in endings and not out.is_dir():
        raise CommandError(f"{out} is one file, and there are several formats: give a folder.", returncode=2)


def _target(out: Path, slug: str, kind: str) -> Path:
    ending, _ = WRITERS[kind]
    if out.suffix == Path(ending).suffix and not out.is_dir():
        return out
    return out / f"{slug}{ending}"


def formats(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in WRITERS:
            raise ArgumentTypeError(f"{name!r} is no format; there are {', '.join(WRITERS)}")
    return names
