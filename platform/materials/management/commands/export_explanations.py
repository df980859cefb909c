import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from accounts.joining import TeamError, choose_team
from materials.choosing import ChoiceError, choose_classifier, choose_dataset
from materials.counting import counted
from materials.maps.exporting import WRITERS, map_rows, maps_of, write


class Command(BaseCommand):
    help = (
        "Write all saliency maps of a dataset, one row each, as JSON lines or Parquet. import_explanations takes them "
        "as they are; docs/explanations.md says what the columns mean."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", help="name or slug")
        parser.add_argument("--classifier", default="", metavar="SLUG", help="only the maps of this one")
        parser.add_argument("--format", choices=WRITERS, help="default: by the ending of the file, or jsonl")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE")
        parser.add_argument("--team", default="", metavar="NAME", help="that owns the dataset; default: the only one")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        kind = options["format"] or {".parquet": "parquet", ".pq": "parquet"}.get(out.suffix.lower(), "jsonl")
        try:
            written = _export(out, kind, options)
        except (ChoiceError, TeamError) as error:
            self._end(str(error))
        except OSError as error:
            self._end(f"{out} cannot be written ({error.strerror}): name a file that can.")
        if not written:
            self._end("There are no maps to export: explain the texts in a campaign, or import maps, first.")
        self.stdout.write(f"{counted(written, 'map')} in {out}.")

    def _end(self, line: str) -> None:
        self.stderr.write(line)
        sys.exit(1)


def _export(out: Path, kind: str, options: dict[str, Any]) -> int:
    """How many maps there are; without any, no file is written."""
    team = choose_team(options["team"])
    dataset = choose_dataset(team, options["dataset"])
    classifier = choose_classifier(team, options["classifier"])
    total = maps_of(dataset, classifier).count()
    if total:
        rows = map_rows(dataset, classifier)
        write(kind, out, tqdm(rows, total=total, unit=" maps", desc=out.name, disable=None))
    return total
