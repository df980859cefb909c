"""What a design asks for and costs, and what would not work about it: pure, before anything is computed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from statistics import quantiles
from typing import NamedTuple

from campaigns.models import Campaign
from language.words import segment
from materials.models import Dataset
from protocols import Protocol

# The steps of Lu et al. 2024, and smaller ones for short texts.
STEPS = (1, 2, 3, 5, 10, 20, 30, 40)
MOST_KS = 5
# A k near the text's length shows nearly all of it and tells methods apart no more.
LARGEST_SHARE = 0.8
# So few texts may be shown whole by a k that is proposed, lest one odd text decides it.
SHORTER = 0.02
LOOKED_AT = 200
PRACTICE_ITEMS = 2
# Consent, instructions and the exit, besides the items.
READING_SECONDS = 60


@dataclass(frozen=True)
class Estimate:
    """`workers` is the least number that can give all judgments, when each does a full load. `examples`: solved ones
    that every worker learns from; `aside`: practice and known answers, which every worker meets too. `groups`: the arms
    or lists that workers are put on, 1 where everybody meets everything."""

    texts: int
    conditions: int
    stimuli: int
    judgments: int
    load: int
    workers: int
    minutes: float
    pay: Decimal
    hourly: Decimal
    examples: int = 0
    aside: int = PRACTICE_ITEMS
    groups: int = 1

    @property
    def explained(self) -> int:
        """Texts that are shown with maps: where workers learn from examples, these alone."""
        return self.examples or self.texts + self.aside

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
    examples: int = 0,
    aside: int = PRACTICE_ITEMS,
    groups: Sequence[int] = (),
) -> Estimate:
    """A worker meets a text once, so a load is never larger than the number of texts. An example takes as long as an
    item. `groups`: how many conditions' worth of judgments each arm or list wants, as `groups_of` says; each needs
    workers of its own."""
    stimuli = texts * conditions
    judgments = stimuli * judgments_per_stimulus
    load = max(1, min(most_per_worker, texts))
    each = texts * judgments_per_stimulus
    workers = sum(math.ceil(size * each / load) for size in groups or [conditions])
    minutes = ((load + aside + examples) * seconds_per_item + READING_SECONDS) / 60
    hourly = pay_per_worker * 60 / Decimal(str(minutes))
    return Estimate(
        texts,
        conditions,
        stimuli,
        judgments,
        load,
        workers,
        minutes,
        workers * pay_per_worker,
        round(hourly, 2),
        examples,
        aside,
        max(1, len(groups)),
    )


class Cell(NamedTuple):
    """A condition to be: as the fields of `Condition`."""

    method: str
    other: str = ""
    k: int | None = None
    display: str = ""


def cells(
    protocol: Protocol,
    methods: Sequence[str],
    ks: Sequence[int] = (),
    baselines: Sequence[str] = (),
    displays: Sequence[str] = ("colour",),
) -> list[Cell]:
    """The conditions, in order. A baseline shows no map, so that k and display do not multiply it."""
    steps: Sequence[int | None] = sorted(set(ks)) if protocol.needs_k else [None]
    shown = [one for one in displays if one in protocol.displays] or [""]
    if protocol.maps == 0:
        return [Cell("full_text")]
    pairs = combinations(methods, 2) if protocol.maps == 2 else [(method, "") for method in methods]
    alone = [Cell(name) for name in baselines if name in protocol.baselines]
    return alone + [Cell(first, second, k, one) for first, second in pairs for k in steps for one in shown]


def groups_of(allocation: str, found: Sequence[Cell]) -> list[int]:
    """The arms of a between-worker design, by their numbers of conditions, or the lists of a Latin square, on each of
    which every text stands under one condition; otherwise one group of all."""
    if allocation == Campaign.Allocation.LATIN_SQUARE:
        return [1] * len(found)
    if allocation == Campaign.Allocation.BETWEEN:
        return list(Counter((cell.method, cell.other, cell.display) for cell in found).values())
    return [len(found)]


def word_counts(dataset: Dataset) -> list[int]:
    """Of some texts, taken evenly by their hashes: words, without punctuation."""
    some = dataset.texts.order_by("content_hash").values_list("content", "language")[:LOOKED_AT]
    return [count_words(content, language or dataset.language) for content, language in some]


def count_words(content: str, language: str = "") -> int:
    return sum(not word.punctuation for word in segment(content, language))


def propose_ks(counts: Sequence[int]) -> list[int]:
    """The largest steps that leave something hidden in all but the oddest texts, and a good part in three of four."""
    if not counts:
        return []
    quartile = quantiles(counts, n=4)[0] if len(counts) > 1 else counts[0]
    fitting = [step for step in STEPS if step <= LARGEST_SHARE * quartile and step < short_text(counts)]
    return fitting[-MOST_KS:] or [1]


def short_text(counts: Sequence[int]) -> int:
    """The words that all texts have but the few of `SHORTER`."""
    return sorted(counts)[int(SHORTER * len(counts))]


def reason_of_ks(counts: Sequence[int]) -> str:
    """Why these were proposed, in one sentence; empty where there are no texts."""
    if not counts:
        return ""
    short, shortest = short_text(counts), min(counts)
    if short == shortest:
        return f"Proposed so that no text is shown whole: the shortest that was looked at has {short:,} words."
    return (
        f"Proposed so that hardly a text is shown whole: nearly all that were looked at have {short:,} words or more, "
        f"the shortest {shortest:,}."
    )


def design_problems(most_per_worker: int | None, n_texts: int) -> dict[str, str]:
    """By field: what cannot work about the numbers of a design."""
    if most_per_worker is not None and most_per_worker > n_texts:
        problem = f"A worker never meets a text twice, so the most is {n_texts}, the number of texts in the sample."
        return {"most_per_worker": problem}
    return {}
