"""Sentiment words after "not". Arras et al. 2019, section 4, https://arxiv.org/abs/1904.11829

    sentiment words: the 200 words of each class that speak for it most clearly in the training reviews
    negated: within four words after not, n't, never or no;   plain: in a review that has none of these
    fall = mean relevance for its own class of plain sentiment words - that of negated ones

What the answer is depends on the model, so the model is asked first: `model_fall` is the same difference in what the
class's score loses without the word in a bare frame, "a W film" against "not a W film". Only where that is above zero
by more than chance has the model learnt that negation weakens a word, and then relevance has to say so.

A method passes if the 95 % bootstrap interval of its fall, over occurrences, is above zero, and fails where there is no
fall; where the interval holds zero, the occurrences are too few to tell. Relevance is divided by its mean absolute size
over all words of the review, so that long and short reviews count alike. Maps without a sign do not say what a word
speaks for: they are undefined.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval
from catalogue.methods import METHODS
from language.words import segment
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.demo_data import LABEL_NAMES, Review, read_reviews
from workers.classifiers.encoding import Encoded
from workers.records import SourceText
from workers.sanity.mapping import maps_of, reason_of
from workers.sanity.outcome import NO_SIGN, Arm, Outcome, Progress, Row, Value, judge
from workers.sanity.reviews import Reviews, read, train

NEGATIONS = frozenset(("not", "never", "no"))
REACH, WORDS_A_CLASS, LEAST_COUNT, FEWEST = 4, 200, 8, 10
NOT_LEARNT = "the model has not learnt that negation weakens a word"
TOO_FEW = "the interval of the fall holds zero"
FEW = "fewer than 10 negated sentiment words"


class Occurrence(NamedTuple):
    """A sentiment word of a class: where it stands, and whether a negation stands before it."""

    text: int
    word: int
    label: int
    negated: bool


def run(arms: Sequence[Arm], progress: Progress, texts: int = 120, training: int = 4000, seed: int = 0) -> Outcome:
    """At most so many reviews with a negated sentiment word, and as many without negation."""
    classifier, unseen = train(training, seed, progress)
    sentiment = sentiment_words(read_reviews(seed=seed)[0][:training])
    reviews = read(classifier, unseen, fewest_words=2)
    found = [list(occurrences(at, text, sentiment)) for at, text in enumerate(reviews.texts)]
    negated = [at for at, ones in enumerate(found) if any(one.negated for one in ones)][:texts]
    plain = [at for at, ones in enumerate(found) if ones and not _negates(reviews.texts[at])][:texts]
    chosen = [one for at in (*negated, *plain) for one in found[at] if one.negated == (at in set(negated))]
    model = _difference(*_bare_effects(classifier, sentiment))
    about = [{"negated": sum(one.negated for one in chosen), "plain": sum(not one.negated for one in chosen),
              "model_fall": model.value, "model_fall_ci": [model.low, model.high]}]  # fmt: skip
    rows = []
    for done, arm in enumerate(arms):
        progress("explaining", done, len(arms))
        rows.append(_row(reviews, chosen, arm, model))
    progress("explaining", len(arms), len(arms))
    return Outcome(rows, about)


def sentiment_words(known: Sequence[Review]) -> dict[str, int]:
    """The words whose share of reviews of a class is highest above that of the other, with their class."""
    counts: list[Counter[str]] = [Counter(), Counter()]
    for review in known:
        counts[review.label].update(set(_lowered(review.content)))
    ratios = {
        word: log((counts[1][word] + 1) / (counts[0][word] + 1))
        for word in counts[0] | counts[1]
        if counts[0][word] + counts[1][word] >= LEAST_COUNT and word.isalpha() and word not in NEGATIONS
    }
    order = sorted(ratios, key=lambda word: (ratios[word], word))
    return dict.fromkeys(order[:WORDS_A_CLASS], 0) | dict.fromkeys(order[-WORDS_A_CLASS:], 1)


def _lowered(content: str) -> list[str]:
    return [content[word.start : word.end].lower() for word in segment(content)]


def _is_negation(word: str) -> bool:
    return word in NEGATIONS or word.endswith(("n't", "n\u2019t"))


def _negates(text: Encoded) -> bool:
    return any(map(_is_negation, _lowered(text.content)))


def occurrences(at: int, text: Encoded, sentiment: dict[str, int]) -> list[Occurrence]:
    """The sentiment words of a text that were seen."""
    words = _lowered(text.content)
    return [
        Occurrence(at, place, sentiment[words[place]], any(map(_is_negation, words[max(0, place - REACH) : place])))
        for place in text.seen
        if words[place] in sentiment
    ]


def _bare_effects(classifier: TextClassifier, sentiment: dict[str, int]) -> tuple[FloatArray, FloatArray]:
    """What the class's lead loses without the word, in "a W film" and in "not a W film" (words,)."""
    sides = []
    for frame in ("a {} film", "not a {} film"):
        texts = [classifier.encode("", frame.format(word)) for word in sentiment]
        place = frame.split().index("{}")
        variants = [ids for text in texts for ids in (text.input_ids, classifier.erase(text, {place}, "remove"))]
        leads = classifier.logits_of(variants).numpy().reshape(len(texts), 2, len(LABEL_NAMES))
        lost = leads[:, 0] - leads[:, 1]
        sides.append(
            np.array([row[label] - row[1 - label] for row, label in zip(lost, sentiment.values(), strict=True)])
        )
    return sides[0], sides[1]


def _row(reviews: Reviews, chosen: Sequence[Occurrence], arm: Arm, model: Value) -> Row:
    sides = {True: [one for one in chosen if one.negated], False: [one for one in chosen if not one.negated]}
    if min(map(len, sides.values())) < FEWEST:
        return judge(arm, "", {}, [], FEW)
    relevance = {negated: _relevances(reviews, ones, arm) for negated, ones in sides.items()}
    if reason := next((one for one in relevance.values() if isinstance(one, str)), ""):
        return judge(arm, "", {}, [], reason)
    plain, negated = (np.asarray(relevance[side], dtype=np.float64) for side in (False, True))
    fall = _difference(plain, negated)
    values = {"plain": Value(float(plain.mean()), None, None, len(plain)),
              "negated": Value(float(negated.mean()), None, None, len(negated)), "fall": fall}  # fmt: skip
    if not arm.signed and METHODS[arm.method].family != "baseline":
        return judge(arm, "", values, [], NO_SIGN)
    if model.low is None or model.low <= 0:
        return judge(arm, "", values, [], NOT_LEARNT)
    no_fall = ["no fall"] if (fall.value or 0.0) <= 0 else []
    holds_zero = not no_fall and (fall.low or 0.0) <= 0
    return judge(arm, "", values, no_fall, TOO_FEW if holds_zero else "")


def _relevances(reviews: Reviews, ones: Sequence[Occurrence], arm: Arm) -> FloatArray | str:
    """Relevance of each word for its own class, by the mean absolute size of its map."""
    texts = [SourceText(str(at), reviews.texts[one.text].content, target=one.label) for at, one in enumerate(ones)]
    maps = maps_of(reviews.classifier, texts, arm)
    if reason := reason_of(maps):
        return reason
    pairs = [(scores, one.word) for scores, one in zip(maps, ones, strict=True) if not isinstance(scores, str)]
    return np.array([scores[word] / (np.nanmean(np.abs(scores)) or 1.0) for scores, word in pairs])


def _difference(plain: FloatArray, negated: FloatArray) -> Value:
    """Difference of the means, with a 95 % bootstrap interval in which the two are drawn apart."""
    one = bootstrap(lambda drawn: drawn @ plain / drawn.sum(1), len(plain))
    other = bootstrap(lambda drawn: drawn @ negated / drawn.sum(1), len(negated), seed=1)
    low, high = percentile_interval(one - other)
    return Value(float(plain.mean() - negated.mean()), float(low), float(high), len(negated))
