import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from tqdm import tqdm

from catalogue.choosing import parse_choice
from catalogue.methods import METHODS
from config.outputs import output_problem
from materials.checking import ColumnError, Columns, check, choose_columns
from materials.errors import FileError
from materials.reading import Table, open_table
from workers.records import Failed, SourceText

BAD_USAGE = 2


class Command(BaseCommand):
    help = (
        "Explain a classifier's predictions of the texts in a file: one row a text and method, as Parquet. "
        "Texts that cannot be explained are named with the reason, and the others are done."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="CSV, TSV, JSON lines or Parquet with a column text")
        parser.add_argument("--classifier", metavar="ID_OR_FOLDER", help="hub id, or a folder with safetensors")
        parser.add_argument("--revision", default="", help="of the hub id; default: the newest")
        parser.add_argument("--methods", metavar="A,B", help="by commas, or all; see --list")
        parser.add_argument("--params", default="", metavar="JSON", help='such as {"lime": {"samples": 500}}')
        parser.add_argument("--out", type=Path, metavar="OUT.parquet")
        parser.add_argument("--text-column", default="", metavar="COLUMN", help="default: text")
        parser.add_argument("--id-column", default="", metavar="COLUMN", help="default: id, or the line number")
        parser.add_argument("--list", action="store_true", help="list the methods and their parameters, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self.stdout.write("\n".join(_listed()))
            return
        for name in ("file", "classifier", "methods", "out"):
            if not options[name]:
                self._end(f"Say {'FILE' if name == 'file' else '--' + name} too; see --help.", BAD_USAGE)
        try:
            methods = parse_choice("method", METHODS, options["methods"], options["params"])
        except ValueError as error:
            self._end(str(error), BAD_USAGE)
        problem = output_problem(options["out"], options["file"])
        if problem:
            self._end(problem, BAD_USAGE)
        try:
            # Not at the top: --help and --list serve where the extra is not installed.
            from workers.classifiers.errors import ClassifierError
            from workers.filing import explain_file
        except ImportError as error:
            self._end(f"{error.name} is not installed: pip install 'peekaword[workers]'.", 1)
        try:
            table = open_table(options["file"])
            columns = choose_columns(table.columns, _wanted(options), labelled=False)
            with tqdm(total=table.count_lines() * len(methods), unit=" maps", desc=table.path.name) as bar:
                reading = _Reading(table, columns, bar)
                made = explain_file(
                    reading.texts(),
                    options["classifier"],
                    options["revision"],
                    methods,
                    options["out"],
                    reading.on_done,
                )
        except (FileError, ColumnError, ClassifierError, OSError) as error:
            self._end(str(error), 1)
        self.stdout.write(f"{made:,} explanations in {options['out']}; {reading.failed:,} failures.")
        if not made:
            sys.exit(1)

    def _end(self, line: str, code: int) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)


class _Reading:
    """Texts out of a table, with the bar moved and every failure told."""

    def __init__(self, table: Table, columns: Columns, bar: "tqdm[Any]") -> None:
        self.table, self.columns, self.bar = table, columns, bar
        self.failed = 0

    def texts(self) -> Iterator[SourceText]:
        first: dict[str, int] = {}
        for row in self.table.rows():
            checked = check(row, self.columns)
            key = checked.key or str(checked.line)
            problem = checked.problem and f"{checked.column or 'row'} {checked.problem}"
            if not problem and key in first:
                problem = f"{self.columns.id} is the same as in line {first[key]}"
            if problem:
                self._complain(f"line {checked.line}: {problem}.")
                continue
            first[key] = checked.line
            yield SourceText(key, checked.content, checked.language)

    def on_done(self, failed: Failed | None) -> None:
        self.bar.update()
        if failed:
            self._complain(f"text {failed.text_id}{failed.method and ', ' + failed.method}: {failed.reason}")

    def _complain(self, line: str) -> None:
        self.failed += 1
        self.bar.write(f"{self.table.path.name}, {line}", file=sys.stderr)


def _wanted(options: dict[str, Any]) -> Columns:
    return Columns(options["text_column"], id=options["id_column"])


def _listed() -> Iterator[str]:
    for method in METHODS.values():
        yield f"{method.name}: {method.description} ({method.citation})"
        for parameter in method.parameters:
            yield f"    {parameter.name} = {parameter.default}: {parameter.description}"
