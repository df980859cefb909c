"""Word deletion. Arras et al. 2019, section 4, https://arxiv.org/abs/1904.11829

    of texts of 10 words or more: the 1..5 words of the highest relevance go, or of the lowest (embeddings of zero)
    correct: of texts that are classified correctly, relevance for that class, the highest first: accuracy should fall
    wrong:   of texts that are classified wrongly, relevance for the right class, the lowest first: accuracy should rise

`accuracy_k` is the share of texts classified correctly with k words gone, `effect` the mean over k of its change from
k = 0, in the direction that is right. Random deletion is the mean of ten runs.

A method passes in either part if its effect is more than twice that of random deletion, and above it by more than
chance: the 95 % bootstrap interval of the difference, over texts, is above zero. Then more of the change is due to
where relevance points than to deletion as such. How much could be reached nobody knows. In `wrong`, scores without a
sign say only how much a word mattered, not what for, so they are undefined there.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from catalogue.methods import METHODS
from workers.records import SourceText
from workers.sanity.mapping import maps_of, reason_of
from workers.sanity.outcome import NO_SIGN, Arm, Outcome, Progress, Row, Value, bootstrapped, judge
from workers.sanity.reviews import Reviews, read, train

FEWEST_WORDS, MOST_DELETED, RANDOM_RUNS = 10, 5, 10
CORRECT, WRONG = "correct", "wrong"
FEW = "fewer than 10 texts are classified so"


def run(arms: Sequence[Arm], progress: Progress, texts: int = 150, training: int = 4000, seed: int = 0) -> Outcome:
    """So many texts, at most, of those that are classified correctly and of those that are not."""
    classifier, unseen = train(training, seed, progress)
    reviews = read(classifier, unseen, FEWEST_WORDS)
    right = [label == predicted for label, predicted in zip(reviews.labels, reviews.predicted, strict=True)]
    about: list[dict[str, Any]] = [{"texts": len(right), "accuracy": sum(right) / len(right)}]
    rows = []
    for part in (CORRECT, WRONG):
        chosen = reviews.at([at for at, one in enumerate(right) if one == (part == CORRECT)][:texts])
        by_chance = random_deletion(chosen, seed)
        about.append({"setting": part, "texts": len(chosen.texts), "random": by_chance.mean(0).tolist()})
        for done, arm in enumerate(arms):
            progress(f"explaining {part}", done, len(arms))
            rows.append(_row(chosen, arm, part, by_chance))
        progress(f"explaining {part}", len(arms), len(arms))
    return Outcome(rows, about)


def random_deletion(reviews: Reviews, seed: int) -> FloatArray:
    """Share of ten runs (texts, 0..5 deleted) in which a text is classified correctly."""
    chance = random.Random(seed)
    runs = [[chance.sample(text.seen, len(text.seen)) for text in reviews.texts] for _ in range(RANDOM_RUNS)]
    shares: FloatArray = np.mean([delete(reviews, orders) for orders in runs], axis=0)
    return shares


def delete(reviews: Reviews, orders: Sequence[Sequence[int]]) -> FloatArray:
    """Whether each text is classified correctly, 1 or 0 (texts, 0..5 deleted), as words go in these orders."""
    classifier, counts = reviews.classifier, range(MOST_DELETED + 1)
    variants = [
        classifier.erase(text, set(order[:count]), "zero")
        for text, order in zip(reviews.texts, orders, strict=True)
        for count in counts
    ]
    predicted = classifier.logits_of(variants).argmax(-1).numpy().reshape(len(orders), len(counts))
    right: FloatArray = (predicted == np.array(reviews.labels)[:, None]).astype(np.float64)
    return right


def _row(reviews: Reviews, arm: Arm, part: str, by_chance: FloatArray) -> Row:
    if len(reviews.texts) < 10:
        return judge(arm, part, {}, [], FEW)
    sources = [
        SourceText(text.text_id, text.content, target=label)
        for text, label in zip(reviews.texts, reviews.labels, strict=True)
    ]
    maps = maps_of(reviews.classifier, sources, arm)
    if reason := reason_of(maps):
        return judge(arm, part, {}, [], reason)
    done = [at for at, one in enumerate(maps) if not isinstance(one, str)]
    orders = [_order(maps[at], highest_first=part == CORRECT) for at in done]
    accuracy = delete(reviews.at(done), orders)
    effect, above = _effect(accuracy, part), _effect(accuracy, part) - _effect(by_chance[done], part)
    values = {f"accuracy_{count}": bootstrapped(accuracy[:, count]) for count in range(MOST_DELETED + 1)}
    values |= {"effect": bootstrapped(effect), "above_random": bootstrapped(above)}
    if part == WRONG and not arm.signed and METHODS[arm.method].family != "baseline":
        return judge(arm, part, values, [], NO_SIGN)
    return judge(arm, part, values, _faults(values))


def _faults(values: dict[str, Value]) -> list[str]:
    effect, above, low = values["effect"].value or 0.0, values["above_random"].value or 0.0, values["above_random"].low
    if low is None or low <= 0:
        return ["no better than random deletion"]
    return [] if above > effect / 2 else [f"{effect:.2f} is less than twice the effect of random deletion"]


def _order(scores: FloatArray | str, highest_first: bool) -> list[int]:
    """Words by their scores; among equals the first comes first, and what was never seen not at all."""
    found = np.asarray(scores, dtype=np.float64)
    seen = np.flatnonzero(~np.isnan(found))
    keys = -found[seen] if highest_first else found[seen]
    order: list[int] = seen[np.argsort(keys, kind="stable")].tolist()
    return order


def _effect(accuracy: FloatArray, part: str) -> FloatArray:
    """Mean change (texts,) over 1..5 deleted words: a fall of what was correct, a rise of what was wrong."""
    change: FloatArray = accuracy[:, 1:].mean(1) - accuracy[:, 0]
    return -change if part == CORRECT else change
