import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tqdm import tqdm

from catalogue.costs import passes
from catalogue.documenting import allowed, shown_default, signed_in_words
from catalogue.methods import METHODS, methods_for
from config.file_command import BAD_USAGE, FileCommand
from config.publishing import MOST_IN_ONE_FILE, place_problem, publish
from materials.checking import ColumnError, Columns, check, choose_columns
from materials.counting import counted
from materials.eraser import with_documents
from materials.errors import FileError
from materials.reading import Table, open_table
from workers.records import Failed, SourceText


class Command(FileCommand):
    help = (
        "Explain a classifier's predictions of the texts in a file: one row a text and method, as Parquet. "
        "Texts that cannot be explained are named with the reason, and the others are done."
    )
    kind, known = "method", METHODS
    source, source_help = "FILE", "CSV, TSV, JSON lines or Parquet with a column text"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--text-column", default="", metavar="COLUMN", help="default: text")
        parser.add_argument("--id-column", default="", metavar="COLUMN", help="default: id, or the line number")
        parser.add_argument(
            "--html",
            type=Path,
            metavar="FILE.html|FOLDER",
            help=f"also write the heat maps as pages that need nothing else: all texts in one FILE.html (at most "
            f"{MOST_IN_ONE_FILE}), or in FOLDER an index.html and a page a text",
        )

    def listed(self) -> Iterator[str]:
        for method in METHODS.values():
            yield f"{method.name}: {method.description} ({method.citation})"
            complete = "complete" if method.complete else "not complete"
            kinds = ", ".join(method.classifier_kinds)
            params = {one.name: one.default for one in method.parameters}
            work = [f"{passes(method.name, params, words):,.0f}" for words in (20, 200)]
            yield f"    signed: {signed_in_words(method)}; {complete}; for {kinds}; family: {method.family}"
            yield f"    takes about {work[0]} passes for a text of 20 words, {work[1]} for one of 200"
            for one in method.parameters:
                values = allowed(one)
                yield f"    {one.name} = {shown_default(one)}{values and f' ({values})'}: {one.description}"

    def compute(self, chosen: dict[str, dict[str, Any]], options: dict[str, Any]) -> None:
        from workers.classifiers.errors import ClassifierError
        from workers.filing import explain_file

        out, html = options["out"], options["html"]
        try:
            table = with_documents(open_table(options["file"]))
            if html and (problem := place_problem(html, table.count_rows())):
                self.end(f"--html: {problem}", BAD_USAGE)
            columns = choose_columns(table.columns, _wanted(options), labelled=False)
            with tqdm(total=table.count_rows() * len(chosen), unit=" maps", desc=table.path.name, disable=None) as bar:
                reading = _Reading(table, columns, bar)
                made = explain_file(
                    reading.texts(),
                    options["classifier"],
                    options["revision"],
                    lambda kind: reading.announce(_fitting(chosen, options["methods"], kind)),
                    out,
                    reading.on_failed,
                    reading.watch,
                    **self.loading(options),
                )
            if html:
                self.stdout.write(f"Open {publish(out, html, table.path.name)} in a browser.")
        except (FileError, ColumnError, ClassifierError, OSError) as error:
            self.end(str(error), 1)
        self.stdout.write(f"{counted(made, 'explanation')} in {out}; {counted(reading.failed, 'failure')}.")
        if not made:
            sys.exit(1)


def _fitting(chosen: dict[str, dict[str, Any]], named: str, kind: str) -> dict[str, dict[str, Any]]:
    """All stands for those that serve the classifier; what was named is refused if it does not."""
    if named.strip() != "all":
        return chosen
    return {name: chosen[name] for name in methods_for(kind)}


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
            marked = tuple(tuple(span) for span in json.loads(checked.rationale or "[]"))
            yield SourceText(key, checked.content, checked.language, rationale=marked)

    def announce(self, methods: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """The bar's end, once it is known which methods serve."""
        self.bar.total = self.table.count_rows() * len(methods)
        return methods

    def watch(self, method: str, texts: int) -> None:
        self.bar.set_postfix_str(method, refresh=texts == 0)
        # A text that failed among others was computed twice.
        self.bar.update(min(texts, max(0, (self.bar.total or 0) - self.bar.n)))

    def on_failed(self, failed: Failed) -> None:
        self._complain(f"text {failed.text_id}{failed.method and ', ' + failed.method}: {failed.reason}")

    def _complain(self, line: str) -> None:
        self.failed += 1
        self.bar.write(f"{self.table.path.name}, {line}", file=sys.stderr)


def _wanted(options: dict[str, Any]) -> Columns:
    return Columns(options["text_column"], id=options["id_column"])
