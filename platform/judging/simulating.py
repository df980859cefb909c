"""What simulated workers know: words, and what solved examples taught them.

An honest worker knows words only: a naive Bayes lexicon learnt from the dataset's labelled texts. It reads what its
page shows, and nothing else, so that a simulated score depends on what is shown, as a person's would. How each
protocol's page is read and answered is in `minds`.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from language.words import segment

Kind = Literal["honest", "careless", "malicious"]
KINDS: tuple[Kind, ...] = ("honest", "careless", "malicious")
# Milliseconds an answer takes: median and spread (log scale) of an honest and of a careless worker.
HONEST_MS, CARELESS_MS, SPREAD = 8000, 700, 0.5
# Of the evidence in nats that an honest worker reads off a page.
NOISE = 0.4
# Width and height in CSS pixels, and device pixels to one of them: two phones and two laptops.
SCREENS = ((390, 664, 3.0), (360, 616, 3.0), (1280, 720, 1.0), (1440, 789, 2.0))


@dataclass
class Lexicon:
    """Word counts by label; log-probabilities with add-one smoothing (multinomial naive Bayes)."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    size: int = 0

    def learn(self, texts: Iterable[tuple[str, str]]) -> "Lexicon":
        return self.take_in((words_of(content), label) for content, label in texts)

    def take_in(self, examples: Iterable[tuple[Sequence[str], str]]) -> "Lexicon":
        for words, label in examples:
            self.counts[label].update(words)
        self.size = len({word for counts in self.counts.values() for word in counts})
        return self

    def evidence(self, words: Sequence[str], labels: Sequence[str]) -> dict[str, float]:
        """For each label the log-likelihood of the words that are known, less the labels' mean; nats."""
        counts = {label: self.counts.get(label, Counter()) for label in labels}
        known = [word for word in words if any(word in one for one in counts.values())]
        totals = {label: sum(self._log_probability(word, one) for word in known) for label, one in counts.items()}
        mean = sum(totals.values()) / max(len(totals), 1)
        return {label: total - mean for label, total in totals.items()}

    def _log_probability(self, word: str, counts: Counter[str]) -> float:
        return math.log((counts[word] + 1) / (counts.total() + self.size))


def words_of(content: str) -> list[str]:
    return [content[word.start : word.end].casefold() for word in segment(content) if not word.punctuation]


@dataclass(frozen=True)
class Mind:
    """`learnt` is what it was taught by solved examples, which weighs as much as what it knew before."""

    kind: Kind
    lexicon: Lexicon
    rng: random.Random
    learnt: Lexicon = field(default_factory=Lexicon)

    def evidence(self, words: Sequence[str], labels: Sequence[str]) -> dict[str, float]:
        known, taught = self.lexicon.evidence(words, labels), self.learnt.evidence(words, labels)
        return {label: known[label] + taught[label] for label in known}

    def support(self, words: Sequence[str], label: str) -> float:
        """From -1 to 1: how much the words speak for the label, among those that the mind knows."""
        labels = sorted({label, *self.lexicon.counts, *self.learnt.counts})
        return math.tanh(self.evidence(words, labels)[label])

    def noise(self) -> float:
        return self.rng.gauss(0, NOISE)

    def milliseconds(self) -> int:
        median = CARELESS_MS if self.kind == "careless" else HONEST_MS
        return round(self.rng.lognormvariate(math.log(median), SPREAD))

    @cached_property
    def screen(self) -> dict[str, str]:
        """As the page's script reports it, the same on every page."""
        width, height, ratio = self.rng.choice(SCREENS)
        scheme = self.rng.choice(["light", "light", "dark"])
        return {"width": str(width), "height": str(height), "ratio": str(ratio), "scheme": scheme}
