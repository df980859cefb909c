from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas
from tqdm import tqdm

from catalogue.documenting import allowed, shown_default
from catalogue.metrics import METRICS, RATIONALE
from config.file_command import FileCommand
from materials.errors import FileError
from materials.rationales import Rationales


class Command(FileCommand):
    help = "Score explanations that `explain` wrote: one row an explanation and metric, as Parquet."
    kind, known = "metric", METRICS
    source, source_help = "OUT.parquet", "what `explain` wrote"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--rationales",
            type=Path,
            metavar="FILE",
            help="what people marked, with the columns id and rationale; default: what the explained file held",
        )

    def listed(self) -> Iterator[str]:
        for metric in METRICS.values():
            better = "higher" if metric.higher_is_better else "lower"
            yield f"{metric.name}: {metric.description} {better.capitalize()} is better. ({metric.citation})"
            for parameter in metric.parameters:
                values = allowed(parameter)
                default = shown_default(parameter)
                yield f"    {parameter.name} = {default}{values and f' ({values})'}: {parameter.description}"

    def needs_classifier(self, chosen: Mapping[str, Mapping[str, Any]]) -> str:
        running = [name for name in chosen if METRICS[name].needs != RATIONALE]
        return f"{running[0]} runs it; only metrics that compare with what people marked do without" if running else ""

    def compute(self, chosen: dict[str, dict[str, Any]], options: dict[str, Any]) -> None:
        from workers.classifiers.errors import ClassifierError
        from workers.filing import score_file
        from workers.storing import StoredError, count_rows, read_hash

        path, out = options["file"], options["out"]
        try:
            read_hash(path)
            marked = Rationales(options["rationales"]) if options["rationales"] else None
            total = count_rows(path) * len(chosen)
            with tqdm(total=total, unit=" scores", desc=path.name, disable=None) as bar:
                made = score_file(
                    path,
                    options["classifier"] or "",
                    options["revision"],
                    chosen,
                    out,
                    bar.update,
                    marked,
                    **self.loading(options),
                )
        except (StoredError, ClassifierError, FileError, OSError) as error:
            self.end(str(error), 1)
        self.stdout.write(f"Means of what is defined:\n\n{means_of(out)}\n")
        self.stdout.write(f"{made:,} scores in {out}; {total - made:,} undefined, each with its reason.")


def means_of(scores: Path) -> str:
    """A table of the methods by the metrics; a dash where nothing is defined."""
    table = pandas.read_parquet(scores, columns=["method", "metric", "value"])
    means = table.groupby(["method", "metric"], sort=False)["value"].mean().unstack(sort=False)
    return str(means.rename_axis(index=None, columns=None).to_string(float_format="{:.3f}".format, na_rep="-"))
