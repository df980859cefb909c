"""Sentiment words after "not". Arras et al. 2019, section 4, https://arxiv.org/abs/1904.11829

    sentiment words: the 200 words of each class that speak for it most clearly in the training reviews
    sentences: negated in "the plot is not W",   plain in "the plot is W" (`negating`)
    reviews:   negated within four words after not, n't, never or no;   plain in a review that has none of these
    fall = mean relevance for its own class of plain sentiment words - that of negated ones

What the answer is depends on the model, so the model must negate, and is asked first. An LSTM of some thousand short
reviews does not: one negation in ten reviews, which may well be of something else, is too little to learn from. So
that it learns it also reads `sentences` of a grammar in which negation is all that matters. The sentences that are
tried are of words that it saw in reviews alone, so that what it negates is not a sentence known by heart, and only
those count in which it predicts the word's class without the negation and the other one with it. In reviews its
`model_fall` is what the class's lead gains if the negation is taken out: only where that is above zero by more than
chance has relevance a fall to show. It is taken of the negation, not of the word, so that no method is asked by itself.

A method passes in either setting if the 95 % bootstrap interval of its fall, over occurrences, is above zero. In
sentences all else fails: the model's lead turned in each of them. In reviews, where the model negates a little and
perhaps not in each, a fall fails that is below zero by more than chance, and an interval that holds zero means that
the occurrences are too few to tell. Relevance is divided by its mean absolute size over all words of the text, so that
long and short ones count alike. Maps without a sign do not say what a word speaks for: they are undefined.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import log
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval
from catalogue.methods import METHODS
from language.words import segment
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.demo_data import Review
from workers.classifiers.encoding import Encoded
from workers.records import SourceText
from workers.sanity.mapping import maps_of, reason_of
from workers.sanity.negating import Pair, pair_up, part_words, place_of, teach
from workers.sanity.outcome import NO_SIGN, Arm, Outcome, Progress, Row, Value, bootstrapped, judge
from workers.sanity.reviews import Reviews, read, split, train

NEGATIONS = frozenset(("not", "never", "no"))
REACH, WORDS_A_CLASS, LEAST_COUNT, FEWEST = 4, 200, 8, 10
NOT_LEARNT = "the model has not learnt that negation weakens a word"
SENTENCES, REVIEWS = "sentences", "reviews"
TOO_FEW = "the interval of the fall holds zero"
FEW = "the model negates fewer than 10 sentiment words"


class Occurrence(NamedTuple):
    """A sentiment word of a class: where it stands, and whether a negation stands before it."""

    text: int
    word: int
    label: int
    negated: bool


class Tried(NamedTuple):
    """The occurrences of one setting, and how far the model negates in them."""

    setting: str
    reviews: Reviews
    chosen: list[Occurrence]
    model: Value

    @property
    def about(self) -> dict[str, Any]:
        negated = sum(one.negated for one in self.chosen)
        return {"setting": self.setting, "negated": negated, "plain": len(self.chosen) - negated,
                "model_fall": self.model.value, "model_fall_ci": [self.model.low, self.model.high]}  # fmt: skip


def run(
    arms: Sequence[Arm],
    progress: Progress,
    texts: int = 120,
    training: int = 4000,
    sentences: int = 3000,
    seed: int = 0,
) -> Outcome:
    """At most so many sentences and reviews with a negated sentiment word, and as many without negation."""
    sentiment = sentiment_words(split(training, seed)[0])
    learnt, kept = part_words(sentiment)
    classifier, unseen = train(training, seed, progress, teach(sentences, learnt, sentiment, seed))
    rows, about = [], []
    for tried in (
        _in_sentences(classifier, list(islice(pair_up(kept, sentiment, seed + 1), texts))),
        _in_reviews(read(classifier, unseen, fewest_words=2), sentiment, texts),
    ):
        about.append(tried.about)
        for done, arm in enumerate(arms):
            progress(f"explaining {tried.setting}", done, len(arms))
            rows.append(_row(tried, arm))
        progress(f"explaining {tried.setting}", len(arms), len(arms))
    return Outcome(rows, about)


def _in_sentences(classifier: TextClassifier, pairs: Sequence[Pair]) -> Tried:
    """Pairs that the model tells apart; `model`: what the negation takes from the lead of the word's class."""
    texts = [classifier.encode("", content) for pair in pairs for content in (pair.plain, pair.negated)]
    leads = _leads(classifier, [text.input_ids for text in texts], [pair.label for pair in pairs for _ in range(2)])
    plain, negated = leads.reshape(-1, 2).T
    flipped = np.flatnonzero((plain > 0) & (negated < 0)).tolist()
    chosen = [
        Occurrence(2 * at + side, place_of(content, pairs[at].word), pairs[at].label, bool(side))
        for at in flipped
        for side, content in enumerate((pairs[at].plain, pairs[at].negated))
    ]
    labels = [pair.label for pair in pairs for _ in range(2)]
    return Tried(SENTENCES, Reviews(classifier, texts, labels, labels), chosen, _mean((plain - negated)[flipped]))


def _in_reviews(reviews: Reviews, sentiment: dict[str, int], texts: int) -> Tried:
    found = [list(occurrences(at, text, sentiment)) for at, text in enumerate(reviews.texts)]
    negated = [at for at, ones in enumerate(found) if any(one.negated for one in ones)][:texts]
    plain = [at for at, ones in enumerate(found) if ones and not _negates(reviews.texts[at])][:texts]
    chosen = [one for at in (*negated, *plain) for one in found[at] if one.negated == (at in set(negated))]
    return Tried(REVIEWS, reviews, chosen, _mean(_gains(reviews, [one for one in chosen if one.negated])))


def _gains(reviews: Reviews, negated: Sequence[Occurrence]) -> FloatArray:
    """What the lead of each word's class gains without the negations before it (occurrences,)."""
    variants = []
    for one in negated:
        text = reviews.texts[one.text]
        before = range(max(0, one.word - REACH), one.word)
        words = _lowered(text.content)
        variants += [text.input_ids, text.without({at for at in before if _is_negation(words[at])})]
    leads = _leads(reviews.classifier, variants, [one.label for one in negated for _ in range(2)]).reshape(-1, 2)
    gains: FloatArray = leads[:, 1] - leads[:, 0]
    return gains


def _leads(classifier: TextClassifier, variants: Sequence[tuple[int, ...]], labels: Sequence[int]) -> FloatArray:
    """How far the logit of each variant's label is above the other (variants,)."""
    if not variants:
        return np.zeros(0)
    logits = classifier.logits_of(variants).double().numpy()
    leads: FloatArray = np.array([row[label] - row[1 - label] for row, label in zip(logits, labels, strict=True)])
    return leads


def _mean(values: FloatArray) -> Value:
    return bootstrapped(values) if len(values) else Value(None, None, None, 0)


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


def _row(tried: Tried, arm: Arm) -> Row:
    setting, model = tried.setting, tried.model
    sides = {side: [one for one in tried.chosen if one.negated == side] for side in (True, False)}
    if min(map(len, sides.values())) < FEWEST:
        return judge(arm, setting, {}, [], FEW)
    relevance = {negated: _relevances(tried.reviews, ones, arm) for negated, ones in sides.items()}
    if reason := next((one for one in relevance.values() if isinstance(one, str)), ""):
        return judge(arm, setting, {}, [], reason)
    plain, negated = (np.asarray(relevance[side], dtype=np.float64) for side in (False, True))
    fall = _difference(plain, negated)
    values = {"plain": Value(float(plain.mean()), None, None, len(plain)),
              "negated": Value(float(negated.mean()), None, None, len(negated)), "fall": fall}  # fmt: skip
    if not arm.signed and METHODS[arm.method].family != "baseline":
        return judge(arm, setting, values, [], NO_SIGN)
    if model.low is None or model.low <= 0:
        return judge(arm, setting, values, [], NOT_LEARNT)
    return judge(arm, setting, values, *_judged(fall, setting))


def _judged(fall: Value, setting: str) -> tuple[list[str], str]:
    """What is wrong with a fall, and why nothing can be said of it."""
    if fall.low is None or fall.high is None or fall.low > 0:
        return [], ""
    if setting == SENTENCES or fall.high <= 0:
        return ["no fall beyond chance"], ""
    return [], TOO_FEW


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
