import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from tqdm import tqdm

from catalogue.choosing import parse_choice
from catalogue.metrics import METRICS
from config.outputs import output_problem

BAD_USAGE = 2


class Command(BaseCommand):
    help = "Score explanations that `explain` wrote: one row an explanation and metric, as Parquet."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", metavar="OUT.parquet", help="what `explain` wrote")
        parser.add_argument("--classifier", metavar="ID_OR_FOLDER", help="the classifier that was explained")
        parser.add_argument("--revision", default="", help="of the hub id; default: the newest")
        parser.add_argument("--metrics", metavar="A,B", help="by commas, or all; see --list")
        parser.add_argument("--params", default="", metavar="JSON", help='such as {"sufficiency": {"shares": [0.2]}}')
        parser.add_argument("--out", type=Path, metavar="SCORED.parquet")
        parser.add_argument("--list", action="store_true", help="list the metrics and their parameters, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self.stdout.write("\n".join(_listed()))
            return
        for name in ("file", "classifier", "metrics", "out"):
            if not options[name]:
                self._end(f"Say {'OUT.parquet' if name == 'file' else '--' + name} too; see --help.", BAD_USAGE)
        try:
            metrics = parse_choice("metric", METRICS, options["metrics"], options["params"])
        except ValueError as error:
            self._end(str(error), BAD_USAGE)
        problem = output_problem(options["out"], options["file"])
        if problem:
            self._end(problem, BAD_USAGE)
        try:
            # Not at the top: --help and --list serve where the extra is not installed.
            from workers.classifiers.errors import ClassifierError
            from workers.filing import score_file
            from workers.storing import StoredError, count_rows, read_hash
        except ImportError as error:
            self._end(f"{error.name} is not installed: pip install 'peekaword[workers]'.", 1)
        path = options["file"]
        try:
            read_hash(path)
            total = count_rows(path) * len(metrics)
            with tqdm(total=total, unit=" scores", desc=path.name) as bar:
                made = score_file(path, options["classifier"], options["revision"], metrics, options["out"], bar.update)
        except (StoredError, ClassifierError, OSError) as error:
            self._end(str(error), 1)
        self.stdout.write(f"{made:,} scores in {options['out']}; {total - made:,} undefined, each with its reason.")

    def _end(self, line: str, code: int) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)


def _listed() -> Iterator[str]:
    for metric in METRICS.values():
        better = "higher" if metric.higher_is_better else "lower"
        yield f"{metric.name}: {metric.description} {better.capitalize()} is better. ({metric.citation})"
        for parameter in metric.parameters:
            yield f"    {parameter.name} = {parameter.default}: {parameter.description}"
