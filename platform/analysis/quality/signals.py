"""What one worker's answers say about how they were given. All shares are in 0..1, undefined values are None.

A signal is no proof: a careful worker may know a kind of text well, and a design may have one right answer for many
items in a row. Rules (`rules`) that turn signals into exclusions are written down before the first answer.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

# Silent readers of English read 238 words a minute on average (Brysbaert 2019, doi:10.1016/j.jml.2019.104047); at two
# and a half times that nobody reads.
WORDS_PER_MINUTE = 600.0


@dataclass(frozen=True)
class Work:
    """What one worker did, an entry an item in the order of answering.

    labels: the answers in one word each. words: how many words were on screen. response_ms: from showing to
    answering; active_ms: of these, with the page in front and the worker stirring; away_ms: with another page in
    front; away_count: how often the page was left. None where the browser told nothing.
    checks, gold: whether each attention check and each item with a known answer was answered right.
    """

    labels: Sequence[str] = ()
    words: Sequence[int] = ()
    response_ms: Sequence[float | None] = ()
    active_ms: Sequence[float | None] = ()
    away_ms: Sequence[float | None] = ()
    away_count: Sequence[int] = ()
    checks: Sequence[bool] = field(default=())
    gold: Sequence[bool] = field(default=())


@dataclass(frozen=True)
class Signals:
    """Of one worker. Times in milliseconds, entropy in bits."""

    items: int
    too_fast: float | None
    longest_run: int
    same_answer: float | None
    entropy: float | None
    checks: int
    failed_checks: int
    gold: int
    gold_accuracy: float | None
    active_ms: float | None
    away_ms: float
    away_count: int
    idle_ms: float | None
    away_share: float | None


def read_signals(work: Work, words_per_minute: float = WORDS_PER_MINUTE) -> Signals:
    """All signals of one worker; `words_per_minute` is the speed above which nobody reads."""
    spent = [
        active if active is not None else whole for active, whole in zip(work.active_ms, work.response_ms, strict=True)
    ]
    whole, away = total(work.response_ms), total(work.away_ms) or 0.0
    active = total(work.active_ms)
    return Signals(
        items=len(work.labels),
        too_fast=share_too_fast(spent, work.words, words_per_minute),
        longest_run=longest_run(work.labels),
        same_answer=share_of_commonest(work.labels),
        entropy=entropy(work.labels),
        checks=len(work.checks),
        failed_checks=sum(not right for right in work.checks),
        gold=len(work.gold),
        gold_accuracy=mean(work.gold),
        active_ms=active,
        away_ms=away,
        away_count=sum(work.away_count),
        idle_ms=None if whole is None or active is None else max(0.0, whole - active - away),
        away_share=min(1.0, away / whole) if whole else None,
    )


def share_too_fast(
    spent_ms: Sequence[float | None], words: Sequence[int], words_per_minute: float = WORDS_PER_MINUTE
) -> float | None:
    """#{i: t_i < 60000 w_i / v} / n over the n items whose time is known: t in milliseconds, w in words, v in words a
    minute. None where no time is known; ValueError unless v > 0."""
    if words_per_minute <= 0:
        raise ValueError("words_per_minute must be above 0.")
    timed = [(spent, count) for spent, count in zip(spent_ms, words, strict=True) if spent is not None]
    if not timed:
        return None
    return sum(spent < 60_000 * count / words_per_minute for spent, count in timed) / len(timed)


def longest_run(labels: Sequence[str]) -> int:
    """The most equal answers in a row, 0 without answers: LongString of Johnson 2005, doi:10.1016/j.jrp.2004.09.009."""
    return max((sum(1 for _ in run) for _, run in groupby(labels)), default=0)


def share_of_commonest(labels: Sequence[str]) -> float | None:
    """max_a n_a / n; None without answers."""
    return max(Counter(labels).values()) / len(labels) if labels else None


def entropy(labels: Sequence[str]) -> float | None:
    """H = -sum_a p_a log2 p_a in bits, p_a = n_a / n (Shannon 1948): 0 where all are equal; None without answers."""
    if not labels:
        return None
    shares = [count / len(labels) for count in Counter(labels).values()]
    return max(0.0, -sum(share * math.log2(share) for share in shares))


def mean(right: Sequence[bool]) -> float | None:
    return sum(right) / len(right) if right else None


def total(times: Sequence[float | None]) -> float | None:
    """Of those that are known; None where none is."""
    known = [time for time in times if time is not None]
    return sum(known) if known else None
