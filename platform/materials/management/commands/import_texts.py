import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from tqdm import tqdm

from accounts.joining import TeamError, choose_team
from materials.checking import LANGUAGE, ColumnError
from materials.counting import counted
from materials.eraser import with_documents
from materials.importing import (
    Columns,
    FileError,
    Outcome,
    Rejection,
    Row,
    Table,
    choose_columns,
    find_or_create_dataset,
    import_texts,
    open_table,
)
from materials.models import Dataset
from materials.rejecting import rejection_writer

SHOWN = 20


class Command(BaseCommand):
    help = "Import texts from CSV, TSV, JSON lines or Parquet: all rows or none, unless --accept-rest is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--dataset", required=True, type=_name, metavar="NAME", help="made if it is not there yet")
        for field in Columns._fields:
            option = f"--{field.replace('_', '-')}-column"
            parser.add_argument(option, default="", metavar="COLUMN", help=f"default: {field}")
        parser.add_argument("--no-labels", action="store_true", help="take the texts without labels")
        parser.add_argument("--labels", default="", help="the labels that are allowed, by commas; default: any")
        parser.add_argument("--language", default="", type=_language, help="of the dataset, such as en")
        parser.add_argument("--encoding", default="", help="of the file, such as cp1252; default: detected")
        parser.add_argument("--no-quoting", action="store_true", help="take quotes as plain characters")
        parser.add_argument("--accept-rest", action="store_true", help="import the good rows where others are rejected")
        parser.add_argument(
            "--rejected", type=Path, metavar="OUT.csv", help="write the rejected rows with reasons here"
        )
        parser.add_argument("--team", default="", metavar="NAME", help="that owns the dataset; default: the only one")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outcome = _import(options)
        except (FileError, ColumnError, TeamError) as error:
            self.stderr.write(str(error))
            sys.exit(1)
        except OSError as error:
            self.stderr.write(f"{error.filename} cannot be written ({error.strerror}): name a file that can.")
            sys.exit(1)
        for rejection in outcome.first[:SHOWN]:
            self.stderr.write(f"{options['file'].name}, {rejection}")
        self.stdout.write(_summary(outcome))
        if not outcome.written:
            others = ", or say --accept-rest to import the others" if outcome.taken else ""
            self.stderr.write(f"Nothing was imported: mend the rows{others}.")
            sys.exit(1)


def _name(text: str) -> str:
    name, most = " ".join(text.split()), Dataset._meta.get_field("name").max_length
    if not 0 < len(name) <= (most or 0) or not name.isprintable():
        raise ArgumentTypeError(f"expected a name of 1 to {most} printable characters")
    return name


def _language(text: str) -> str:
    if text and (len(text) > 35 or not LANGUAGE.fullmatch(text)):
        raise ArgumentTypeError(f"{text[:40]!r} is no language tag such as en or pt-BR")
    return text


def _import(options: dict[str, Any]) -> Outcome:
    table = with_documents(open_table(options["file"], options["encoding"], not options["no_quoting"]))
    wanted = Columns(*(options[f"{field}_column"] for field in Columns._fields))
    columns = choose_columns(table.columns, wanted, labelled=not options["no_labels"])
    labels = [label.strip() for label in options["labels"].split(",") if label.strip()]
    with ExitStack() as stack:
        on_rejected = _writer(stack, options["rejected"])
        stack.enter_context(transaction.atomic())
        dataset = find_or_create_dataset(choose_team(options["team"]), options["dataset"], options["language"])
        outcome = import_texts(dataset, _shown(table), columns, labels, options["accept_rest"], on_rejected)
        # Nor is a dataset left behind that was made for nothing.
        transaction.set_rollback(not outcome.written)
    return outcome


def _writer(stack: ExitStack, path: Path | None) -> Callable[[Rejection], None]:
    if path is None:
        return lambda rejection: None
    return rejection_writer(stack.enter_context(path.open("w", encoding="utf-8", newline="")))


def _shown(table: Table) -> Iterator[Row]:
    with tqdm(table.rows(), total=table.count_rows(), unit=" rows", desc=table.path.name, disable=None) as rows:
        yield from rows


def _summary(outcome: Outcome) -> str:
    taken = "taken" if outcome.written else "could be taken"
    return f"{counted(outcome.taken, 'row')} {taken}, {outcome.rejected:,} rejected."
