"""What all training of classifiers has in common: labelled texts, of which some are held out to judge it by."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workers.classifiers.errors import ClassifierError
from workers.classifiers.labels import check_labels

HELD_OUT = 0.1
FEWEST_TEXTS = 50


class Example(NamedTuple):
    """`label` counts in the order of the label names."""

    content: str
    label: int
    language: str = ""


@dataclass(frozen=True)
class Trained:
    """`accuracy` on `held_out` texts that took no part; `most_frequent` is the share of their commonest label."""

    accuracy: float
    held_out: int
    most_frequent: float


def check_examples(examples: Sequence[Example], label_names: Sequence[str]) -> None:
    """ClassifierError where there is nothing to learn."""
    check_labels(label_names, "the labels given: name each once")
    if len(examples) < FEWEST_TEXTS:
        raise ClassifierError(f"Training takes {FEWEST_TEXTS} labelled texts or more, and here are {len(examples)}.")
    if len({example.label for example in examples}) < 2:
        raise ClassifierError("All texts have the same label: there is nothing to learn.")


def hold_out(count: int, seed: int) -> tuple[list[int], list[int]]:
    """Which of `count` texts are held out, and which are learnt from, by chance of the seed."""
    order = list(range(count))
    random.Random(seed).shuffle(order)
    held_out = max(1, round(count * HELD_OUT))
    return order[:held_out], order[held_out:]


def judge(predicted: Sequence[int], labels: Sequence[int]) -> Trained:
    right = sum(one == other for one, other in zip(predicted, labels, strict=True))
    commonest = Counter(labels).most_common(1)[0][1]
    return Trained(right / len(labels), len(labels), commonest / len(labels))
