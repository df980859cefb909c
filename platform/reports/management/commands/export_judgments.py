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
        for kind in options["format"]:
            path = _target(options["out"], campaign.slug, kind)

            def progress(rows: Iterable[Row], kind: str = kind) -> Iterable[Row]:
                return tqdm(rows, desc=kind, unit=" judgments", disable=None if options["verbosity"] else True)

            try:
                export(campaign, kind, path, progress)
            except OSError as error:
                raise CommandError(f"{error.filename}: cannot write here: {error.strerror}.") from None
            self.stdout.write(str(path))


def _target(out: Path, slug: str, kind: str) -> Path:
    if out.suffix == f".{kind}" and not out.is_dir():
        return out
    return out / f"{slug}-judgments.{kind}"


def formats(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in WRITERS:
            raise ArgumentTypeError(f"{name!r} is no format; there are {', '.join(WRITERS)}")
    return names
