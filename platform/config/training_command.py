"""What commands that train classifiers have in common: labelled texts of a dataset or a file in, a folder out."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, _MutuallyExclusiveGroup
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from django.core.management.base import BaseCommand
from tqdm import tqdm

from accounts.joining import TeamError, choose_team
from config.file_command import BAD_USAGE
from materials.checking import ColumnError, Columns, check, choose_columns
from materials.errors import FileError
from materials.models import Dataset
from materials.reading import open_table

if TYPE_CHECKING:
    from workers.classifiers.training import Trained

Progress = Callable[[int, int], None]


class Labelled(NamedTuple):
    content: str
    label: str
    language: str


MOST_SEED = 2**32 - 1


def seed(text: str) -> int:
    """What torch takes for one."""
    if not text.isdecimal() or int(text) > MOST_SEED:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 0 to {MOST_SEED}")
    return int(text)


class LabelledCommand(BaseCommand):
    """Labelled texts from where the options say."""

    requires_system_checks = ()

    def add_source(self, parser: ArgumentParser) -> _MutuallyExclusiveGroup:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--dataset", metavar="NAME", help="whose labelled texts to learn")
        source.add_argument("--file", type=Path, help="CSV, TSV, JSON lines or Parquet instead, without a database")
        parser.add_argument("--team", default="", metavar="NAME", help="that owns the dataset; default: the only one")
        parser.add_argument("--text-column", default="", metavar="COLUMN", help="of the file; default: text")
        parser.add_argument("--label-column", default="", metavar="COLUMN", help="of the file; default: label")
        return source

    def labelled(self, options: dict[str, Any]) -> list[Labelled]:
        return list(self._of_file(options) if options["file"] else _of_dataset(options))

    def end(self, line: str, code: int) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)

    def _of_file(self, options: dict[str, Any]) -> Iterator[Labelled]:
        """The rows that can be texts; the others are named."""
        table = open_table(options["file"])
        columns = choose_columns(table.columns, Columns(options["text_column"], options["label_column"]))
        for row in table.rows():
            checked = check(row, columns)
            if checked.problem:
                self.stderr.write(f"{table.path.name}, line {checked.line}: {checked.column} {checked.problem}.")
            elif checked.label:
                yield Labelled(checked.content, checked.label, checked.language)


class TrainingCommand(LabelledCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_source(parser)
        parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="made here; not there yet")
        parser.add_argument("--seed", type=seed, default=0, help="another seed holds out other texts")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["out"].exists():
            self.end(f"{options['out']} is there already: name a folder that is not.", BAD_USAGE)
        try:
            from workers.classifiers import set_up_process
            from workers.classifiers.errors import ClassifierError
        except ModuleNotFoundError as error:
            self.end(f"{error.name} is not installed: pip install 'peekaword[workers]'.", 1)
        set_up_process()
        try:
            texts = self.labelled(options)
            with tqdm(desc="Training", unit=" texts", disable=None) as bar:
                made = self.train(texts, sorted({text.label for text in texts}), options, _follower(bar))
        except (FileError, ColumnError, TeamError, ClassifierError, OSError) as error:
            self.end(str(error), 1)
        except Dataset.DoesNotExist:
            self.end(f"There is no dataset {options['dataset']!r}: import it first, or look at its name.", 1)
        self.stdout.write(f"{options['out']}: {_said(made, len(texts))}")

    def train(
        self, texts: Sequence[Labelled], names: Sequence[str], options: dict[str, Any], progress: Progress
    ) -> "Trained":
        """Make the folder and judge it; `names` are those of the labels, in order."""
        raise NotImplementedError


def _said(made: "Trained", texts: int) -> str:
    return (
        f"right on {made.accuracy:.1%} of {made.held_out:,} held-out texts; always saying their commonest label would "
        f"be on {made.most_frequent:.1%}. It learnt from the other {texts - made.held_out:,}: evaluated on those, it "
        "looks better than it is."
    )


def _of_dataset(options: dict[str, Any]) -> Iterator[Labelled]:
    dataset = Dataset.objects.get(team=choose_team(options["team"]), name=options["dataset"])
    rows = dataset.texts.exclude(label="").values_list("content", "label", "language")
    for content, label, language in rows.iterator():
        yield Labelled(content, label, language or dataset.language)


def _follower(bar: "tqdm[Any]") -> Progress:
    def follow(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)

    return follow
