"""What simulated workers know and answer.

An honest worker knows words only: a naive Bayes lexicon learnt from the dataset's labelled texts. It reads what its
page shows, and nothing else, so that a simulated score depends on the words shown, as a person's would.
"""

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lxml.html import HtmlElement

from language.words import segment
from protocols.protocol import CANNOT_TELL

Kind = Literal["honest", "careless", "malicious"]
KINDS: tuple[Kind, ...] = ("honest", "careless", "malicious")
# Milliseconds an answer takes: median and spread (log scale) of an honest and of a careless worker.
HONEST_MS, CARELESS_MS, SPREAD = 8000, 700, 0.5
# Evidence in nats under which an honest worker rather says that it cannot tell, and the noise on its reading.
DOUBT, NOISE = 0.15, 0.4


@dataclass
class Lexicon:
    """Word counts by label; log-probabilities with add-one smoothing (multinomial naive Bayes)."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def learn(self, texts: Iterable[tuple[str, str]]) -> "Lexicon":
        for content, label in texts:
            self.counts[label].update(words_of(content))
        self.size = len({word for counts in self.counts.values() for word in counts})
        return self

    def evidence(self, words: Sequence[str], labels: Sequence[str]) -> dict[str, float]:
        """For each label the log-likelihood of the words that are known, less the labels' mean; nats."""
        known = [word for word in words if any(word in self.counts[label] for label in labels)]
        totals = {label: sum(self._log_probability(word, label) for word in known) for label in labels}
        mean = sum(totals.values()) / max(len(totals), 1)
        return {label: total - mean for label, total in totals.items()}

    def _log_probability(self, word: str, label: str) -> float:
        counts = self.counts[label]
        return math.log((counts[word] + 1) / (counts.total() + self.size))


def words_of(content: str) -> list[str]:
    return [content[word.start : word.end].casefold() for word in segment(content) if not word.punctuation]


@dataclass(frozen=True)
class Mind:
    kind: Kind
    lexicon: Lexicon
    rng: random.Random

    def answer(self, page: HtmlElement, protocol: str) -> tuple[str, int]:
        """The answer to the item on the page, and the milliseconds it takes."""
        offered = [button.get("value") for button in page.cssselect("button[name=answer]")]
        if self.kind == "careless":
            return self.rng.choice(offered), self._milliseconds(CARELESS_MS)
        honest = READINGS[protocol](self, page, offered)
        chosen = honest if self.kind == "honest" else self.rng.choice([one for one in offered if one != honest])
        return chosen, self._milliseconds(HONEST_MS)

    def _milliseconds(self, median: int) -> int:
        return round(self.rng.lognormvariate(math.log(median), SPREAD))


def guess_label(mind: Mind, page: HtmlElement, offered: list[str]) -> str:
    """The label that the words shown speak for."""
    labels = [one for one in offered if one != CANNOT_TELL]
    words = [word for shown in page.cssselect(".text-words .shown") for word in words_of(shown.text_content())]
    evidence = mind.lexicon.evidence(words, labels)
    noisy = {label: value + mind.rng.gauss(0, NOISE) for label, value in evidence.items()}
    best = max(labels, key=noisy.__getitem__)
    return CANNOT_TELL if CANNOT_TELL in offered and noisy[best] < DOUBT else best


def rate_marks(mind: Mind, page: HtmlElement, offered: list[str]) -> str:
    """High where the marked words speak for the prediction in the mind's own lexicon."""
    predicted = page.cssselect(".prediction strong")[0].text_content()
    weights = [(mark.text_content(), _strength(mark.get("class", ""))) for mark in page.cssselect(".text-body .mark")]
    labels = list(mind.lexicon.counts) or [predicted]
    agreed = sum(w * math.tanh(mind.lexicon.evidence(words_of(t), labels).get(predicted, 0.0)) for t, w in weights)
    share = agreed / (sum(abs(weight) for _, weight in weights) or 1)
    middle = (len(offered) - 1) / 2
    wanted = middle * (1 + 2 * share) + mind.rng.gauss(0, NOISE)
    return offered[max(0, min(len(offered) - 1, round(wanted)))]


def _strength(classes: str) -> int:
    """Steps of a mark: negative where it speaks against the prediction."""
    found = re.search(r"(level|for|against)-(\d)", classes)
    return (-1 if found[1] == "against" else 1) * int(found[2]) if found else 0


READINGS: dict[str, Callable[[Mind, HtmlElement, list[str]], str]] = {
    "topk_guess": guess_label,
    "rating": rate_marks,
}
