"""A design: texts, judgments, arms and loads, who meets what, and what that costs."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import IntArray

LEAST_FILLED, LATIN_SQUARE, BETWEEN = "least_filled", "latin_square", "between"
ALLOCATIONS = (LEAST_FILLED, LATIN_SQUARE, BETWEEN)
# Consent, instructions and the exit, and items that do not count, as in the estimate of a campaign.
READING_SECONDS = 60.0
PRACTICE_ITEMS = 2


@dataclass(frozen=True)
class Design:
    """`steps`: numbers of words shown (ks), 1 where the protocol has none. `pairs`: methods are shown two by two.

    judgments: different workers who judge each text under each condition; load: items a worker judges at most.
    """

    texts: int
    judgments: int
    methods: int = 2
    steps: int = 1
    pairs: bool = False
    load: int = 40
    allocation: str = LEAST_FILLED

    @property
    def arms(self) -> int:
        """Methods, or pairs of them."""
        return math.comb(self.methods, 2) if self.pairs else self.methods

    @property
    def conditions(self) -> int:
        return self.arms * self.steps

    @property
    def total(self) -> int:
        """Judgments in all."""
        return self.texts * self.conditions * self.judgments

    @property
    def items(self) -> int:
        """Of a worker: never more than there are texts, as nobody meets a text twice."""
        return max(1, min(self.load, self.texts))

    @property
    def groups(self) -> list[int]:
        """Conditions of each group that needs workers of its own: all, each list of the square, or each arm."""
        if self.allocation == LATIN_SQUARE:
            return [1] * self.conditions
        return [self.steps] * self.arms if self.allocation == BETWEEN else [self.conditions]

    @property
    def workers(self) -> int:
        """The least number that can give all judgments, each with a full load and no text twice.

        A group judges texts x its conditions x judgments. As a load is at most the number of texts, these workers
        are never fewer than the judgments of one text, all of which need different people.
        """
        each = self.texts * self.judgments
        return sum(math.ceil(size * each / self.items) for size in self.groups)


class Cost(NamedTuple):
    """Minutes of a worker, workers, and the pay of all before fees, with what that is an hour."""

    workers: int
    minutes: float
    pay: float
    hourly: float


@dataclass(frozen=True)
class Pay:
    """By the hour, or `per_worker` where that is given. `minutes`: of a worker, instead of counting items."""

    hourly: float
    per_worker: float | None = None
    minutes: float | None = None
    aside: int = PRACTICE_ITEMS

    def of(self, design: Design, seconds_per_item: float) -> Cost:
        minutes = self.minutes or ((design.items + self.aside) * seconds_per_item + READING_SECONDS) / 60
        each = self.hourly * minutes / 60 if self.per_worker is None else self.per_worker
        return Cost(design.workers, minutes, design.workers * each, each * 60 / minutes)


def place_workers(design: Design, rng: np.random.Generator) -> IntArray:
    """Who gives each judgment: worker numbers of shape (texts, conditions, judgments), no worker twice on a text.

    Workers take turns, in each text in another order of conditions, or on their list of the Latin square, or in their
    arm, as the design says. Conditions are ordered arm by arm.
    """
    if design.allocation == LATIN_SQUARE:
        return _by_lists(design, rng)
    blocks, first = [], 0
    for size in design.groups:
        workers = math.ceil(size * design.texts * design.judgments / design.items)
        blocks.append(first + _in_turns(design.texts, size, design.judgments, workers, rng))
        first += workers
    return np.concatenate(blocks, axis=1)


def _in_turns(texts: int, conditions: int, judgments: int, workers: int, rng: np.random.Generator) -> IntArray:
    slots = conditions * judgments
    order = rng.permuted(np.tile(np.arange(slots), (texts, 1)), axis=1)
    turns = np.arange(texts)[:, None] * slots + order
    return np.asarray(turns % workers).reshape(texts, conditions, judgments)


def _by_lists(design: Design, rng: np.random.Generator) -> IntArray:
    """On list l a text in line i stands under condition l - i, around the square."""
    lists = design.conditions
    line = rng.permutation(np.arange(design.texts) % lists)
    list_of = (line[:, None] + np.arange(lists)[None, :]) % lists
    each = math.ceil(design.texts * design.judgments / design.items)
    turns = (np.arange(design.texts)[:, None] * design.judgments + np.arange(design.judgments)) % each
    return np.asarray(list_of[:, :, None] * each + turns[:, None, :])
