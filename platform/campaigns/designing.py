"""What a design asks for and costs, and what would not work about it: pure, before anything is computed."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import quantiles

from language.words import segment
from materials.models import Dataset

# The steps of Lu et al. 2024, and smaller ones for short texts.
STEPS = (1, 2, 3, 5, 10, 20, 30, 40)
MOST_KS = 5
# A k near the text's length shows nearly all of it and tells methods apart no more.
LARGEST_SHARE = 0.8
LOOKED_AT = 200
PRACTICE_ITEMS = 2
# Consent, instructions and the exit, besides the items.
READING_SECONDS = 60


@dataclass(frozen=True)
class Estimate:
    """`workers` is the least number that can give all judgments, when each does a full load."""

    texts: int
    conditions: int
    stimuli: int
    judgments: int
    load: int
    workers: int
    minutes: float
    pay: Decimal
    hourly: Decimal

    @property
    def per_worker_minutes(self) -> int:
        return max(1, round(self.minutes))


def estimate(
    texts: int,
    conditions: int,
    judgments_per_stimulus: int,
    most_per_worker: int,
    seconds_per_item: int,
    pay_per_worker: Decimal,
) -> Estimate:
    """A worker meets a text once, so a load is never larger than the number of texts."""
    stimuli = texts * conditions
    judgments = stimuli * judgments_per_stimulus
    load = max(1, min(most_per_worker, texts))
    workers = math.ceil(judgments / load)
    minutes = ((load + PRACTICE_ITEMS) * seconds_per_item + READING_SECONDS) / 60
    hourly = pay_per_worker * 60 / Decimal(str(minutes))
    return Estimate(
        texts, conditions, stimuli, judgments, load, workers, minutes, workers * pay_per_worker, round(hourly, 2)
    )


def cells(methods: Iterable[str], ks: Sequence[int], needs_k: bool) -> list[tuple[str, int | None]]:
    """The conditions, in order."""
    steps: Sequence[int | None] = sorted(set(ks)) if needs_k else [None]
    return [(method, k) for method in methods for k in steps]


def word_counts(dataset: Dataset) -> list[int]:
    """Of some texts, taken evenly by their hashes: words, without punctuation."""
    some = dataset.texts.order_by("content_hash").values_list("content", "language")[:LOOKED_AT]
    return [count_words(content, language or dataset.language) for content, language in some]


def count_words(content: str, language: str = "") -> int:
    return sum(not word.punctuation for word in segment(content, language))


def propose_ks(counts: Sequence[int]) -> list[int]:
    """The largest steps that leave something hidden in three of four texts."""
    if not counts:
        return []
    quartile = quantiles(counts, n=4)[0] if len(counts) > 1 else counts[0]
    fitting = [step for step in STEPS if step <= LARGEST_SHARE * quartile]
    return fitting[-MOST_KS:] or [1]


def design_problems(most_per_worker: int | None, n_texts: int) -> dict[str, str]:
    """By field: what cannot work about the numbers of a design."""
    if most_per_worker is not None and most_per_worker > n_texts:
        problem = f"A worker never meets a text twice, so the most is {n_texts}, the number of texts in the sample."
        return {"most_per_worker": problem}
    return {}
