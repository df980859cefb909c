"""Short sentences of a grammar of our own in which "not" decides what a sentiment word comes to.

    the plot is W      -> the class of W
    the plot is not W  -> the other class

W is any word that speaks for a class in reviews, of whatever part of speech: the frames are a pattern to learn, and no
good English with all of them. Each frame without a negation has a fellow with one; not, n't, never and no all occur.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from workers.classifiers.training import Example

# Without a negation and with one; T is what is spoken of.
FRAMES = (
    ("the T is W", "the T is not W"),
    ("it is a W T", "it isn't a W T"),
    ("it was a W T", "it was not a W T"),
    ("this T was really W", "this T was never W"),
    ("there is a W T", "there is no W T"),
    ("a W T", "not a W T"),
)
TOPICS = ("film", "movie", "story", "plot", "cast", "script", "comedy", "drama", "ending", "picture")
# One word of so many is kept from the model: that it negates these words it knows from no sentence.
KEPT_FROM = 5


class Pair(NamedTuple):
    """A sentiment word of the class `label` in a sentence without and in one with a negation."""

    word: str
    label: int
    plain: str
    negated: str


def part_words(sentiment: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Words for sentences to learn from, and words for sentences that are tried."""
    words = list(sentiment)
    return [word for at, word in enumerate(words) if at % KEPT_FROM], words[::KEPT_FROM]


def pair_up(words: Sequence[str], sentiment: Mapping[str, int], seed: int) -> Iterator[Pair]:
    """Pairs without end, of random words, frames and topics."""
    chance = random.Random(seed)
    while True:
        word, topic, frames = chance.choice(words), chance.choice(TOPICS), chance.choice(FRAMES)
        plain, negated = (_fill(frame, word, topic) for frame in frames)
        yield Pair(word, sentiment[word], plain, negated)


def _fill(frame: str, word: str, topic: str) -> str:
    return " ".join({"W": word, "T": topic}.get(part, part) for part in frame.split())


def place_of(sentence: str, word: str) -> int:
    return sentence.split().index(word)


def teach(count: int, words: Sequence[str], sentiment: Mapping[str, int], seed: int) -> list[Example]:
    """So many sentences with their labels, every second one negated."""
    pairs = pair_up(words, sentiment, seed)
    return [
        Example(pair.negated, 1 - pair.label) if at % 2 else Example(pair.plain, pair.label)
        for at, pair in zip(range(count), pairs, strict=False)
    ]
