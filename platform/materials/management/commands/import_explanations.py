import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from accounts.joining import TeamError, choose_team
from materials.checking import Rejection
from materials.choosing import ChoiceError, choose_classifier, choose_dataset
from materials.errors import FileError
from materials.maps.checking import LONGEST_SOURCE, LONGEST_TITLE, Asked
from materials.maps.importing import MapsError, MapsOutcome, UnnamedClassifier, import_maps
from materials.maps.reading import MapFile, Row, open_maps
from materials.rejecting import rejection_writer

SHOWN = 20
BAD_USAGE = 2


class Command(BaseCommand):
    help = (
        "Import saliency maps made elsewhere from JSON lines or Parquet, such as `explain` writes: all rows or none, "
        "unless --accept-rest is given. docs/explanations.md says what columns are taken."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--dataset", required=True, metavar="NAME", help="whose texts are explained")
        parser.add_argument("--classifier", default="", metavar="SLUG", help="that is explained; default: the only one")
        parser.add_argument(
            "--method", default="", type=_short(LONGEST_TITLE), metavar="NAME", help="call the maps so; default: method"
        )
        parser.add_argument(
            "--source", default="", type=_short(LONGEST_SOURCE), help="where rows without a source come from"
        )
        parser.add_argument("--unsigned", action="store_true", help="the scores say how much, not for or against")
        parser.add_argument(
            "--rest-zero", action="store_true", help="words that a row does not mention have the score 0"
        )
        parser.add_argument("--accept-rest", action="store_true", help="import the good rows where others are rejected")
        parser.add_argument(
            "--rejected", type=Path, metavar="OUT.csv", help="write the rejected rows with reasons here"
        )
        parser.add_argument("--team", default="", metavar="NAME", help="that owns the dataset; default: the only one")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outcome = _import(options)
        except UnnamedClassifier as error:
            self.stderr.write(str(error))
            sys.exit(BAD_USAGE)
        except (FileError, MapsError, ChoiceError, TeamError) as error:
            self.stderr.write(str(error))
            sys.exit(1)
        except OSError as error:
            self.stderr.write(f"{error.filename} cannot be written ({error.strerror}): name a file that can.")
            sys.exit(1)
        for rejection in outcome.first[:SHOWN]:
            self.stderr.write(f"{options['file'].name}, {rejection}")
        self.stdout.write(str(outcome))
        if not outcome.written:
            others = ", or say --accept-rest to import the others" if outcome.taken else ""
            self.stderr.write(f"Nothing was imported: mend the rows{others}.")
            sys.exit(1)


def _short(most: int) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if len(text) > most or not text.isprintable():
            raise ArgumentTypeError(f"expected at most {most} printable characters")
        return text

    return parse


def _import(options: dict[str, Any]) -> MapsOutcome:
    team = choose_team(options["team"])
    dataset = choose_dataset(team, options["dataset"])
    classifier = choose_classifier(team, options["classifier"])
    file = open_maps(options["file"], options["method"])
    asked = Asked(options["method"], options["source"], options["unsigned"], options["rest_zero"])
    with ExitStack() as stack:
        on_rejected = _writer(stack, options["rejected"])
        return import_maps(dataset, _shown(file), classifier, asked, options["accept_rest"], on_rejected)


def _writer(stack: ExitStack, path: Path | None) -> Callable[[Rejection], None]:
    if path is None:
        return lambda rejection: None
    return rejection_writer(stack.enter_context(path.open("w", encoding="utf-8", newline="")))


def _shown(file: MapFile) -> Iterator[Row]:
    with tqdm(file.rows(), total=file.about, unit=" maps", desc=file.path.name, disable=None) as rows:
        yield from rows
