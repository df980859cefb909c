"""Scores of methods over resamples of texts and workers, with the place and the spread that such resamples should have.

Two things are mended in what `analysis.bootstrap.crossed_bootstrap` gives.

- *Place.* Workers drawn with replacement tie more often than people do, so a majority of drawn votes recognises less
  than the majority itself. Resamples are moved so that their mean is the score: the bias is estimated and taken out
  (Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 10).
- *Spread.* The crossed bootstrap counts what belongs to neither text nor worker up to three times (Owen 2007, Annals
  of Applied Statistics 1:386-411). Resamples are scaled about their mean to the two-way variance V = V_texts +
  max(0, V_workers - V_judgments), each V from resampling its own units alone; a judgment here is what one worker said
  of one text (Cameron, Gelbach and Miller 2011, Journal of Business and Economic Statistics 29:238-249).
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES, bootstrap, crossed_bootstrap
from analysis.scoring.people import People

# Resamples that V_workers and V_judgments are taken from: each is then known to 7 per cent.
FOR_SPREAD = 400

# Of what is drawn and the weights of texts and workers, (replicates, ...).
Summary = Callable[[Any, FloatArray, FloatArray], FloatArray]


class Drawable(Protocol):
    """Judgments of texts by workers, such as `People`. `size`: numbers that a summary holds for one replicate.

    as_they_are: the same with every worker once, whatever the weights; apart: as if every worker had one text only.
    """

    @property
    def texts(self) -> list[str]: ...

    @property
    def workers(self) -> list[str]: ...

    @property
    def size(self) -> int: ...

    def as_they_are(self) -> "Drawable": ...

    def apart(self) -> "Drawable": ...


def scores_of(people: People, texts: FloatArray, workers: FloatArray) -> FloatArray:
    """The score of each method, (replicates, methods): what is drawn unless another summary is asked for."""
    return people.scores(texts, workers)


def observe(people: Drawable, summary: Summary = scores_of) -> FloatArray:
    """The summary of the sample itself: every text and every worker once."""
    value: FloatArray = summary(people.as_they_are(), np.ones((1, len(people.texts))), _everybody(people, 1))[0]
    return value


def draw(people: Drawable, summary: Summary = scores_of, *, replicates: int = REPLICATES, seed: int = 0) -> FloatArray:
    """The summary over resamples of texts and workers, (replicates, ...), placed and spread as the module says.

    Where it is not known who judged, or one worker did, texts alone are drawn: `resampled` says which. Texts are drawn
    as `bootstrap` draws them under the same seed, so that what depends on texts alone, such as the means of automatic
    metrics, can be set beside the replicates one by one.
    """
    by_texts = _over_texts(people, summary, replicates, seed)
    if len(people.workers) < 2:
        return by_texts

    def drawn(texts: FloatArray, workers: FloatArray) -> FloatArray:
        return summary(people, texts, workers)

    counts = len(people.texts), len(people.workers)
    crossed = crossed_bootstrap(drawn, *counts, size=people.size, replicates=replicates, seed=seed)
    shared = _from_sharing_workers(people, summary, min(replicates, FOR_SPREAD), seed)
    return placed(crossed, observe(people, summary), _variance(by_texts) + shared)


def resampled(people: Drawable) -> str:
    """What intervals of these judgments resample: "texts" or "texts_and_workers"."""
    return "texts_and_workers" if len(people.workers) > 1 else "texts"


def placed(drawn: FloatArray, observed: FloatArray, variance: FloatArray) -> FloatArray:
    """Resamples (replicates, ...) moved and scaled, so that their mean is `observed` and their variance `variance`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(variance / _variance(drawn))
        moved = observed + (drawn - _mean(drawn)) * np.where(np.isfinite(scale), scale, 0.0)
    return np.asarray(moved)


def _over_texts(people: Drawable, summary: Summary, replicates: int, seed: int) -> FloatArray:
    known = people.as_they_are()

    def drawn(texts: FloatArray) -> FloatArray:
        return summary(known, texts, _everybody(people, len(texts)))

    return bootstrap(drawn, len(people.texts), size=known.size, replicates=replicates, seed=seed)


def _from_sharing_workers(people: Drawable, summary: Summary, replicates: int, seed: int) -> FloatArray:
    """max(0, V_workers - V_judgments): the variance that comes of workers judging more than one text."""

    def variance(found: Drawable) -> FloatArray:
        def drawn(workers: FloatArray) -> FloatArray:
            return summary(found, np.ones((len(workers), len(found.texts))), workers)

        options = {"size": found.size, "replicates": replicates, "seed": seed}
        return _variance(bootstrap(drawn, len(found.workers), **options))

    return np.maximum(0.0, variance(people) - variance(people.apart()))


def _variance(drawn: FloatArray) -> FloatArray:
    """Over the replicates that are defined."""
    return _mean((drawn - _mean(drawn)) ** 2)


def _mean(drawn: FloatArray) -> FloatArray:
    known = np.isfinite(drawn)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known, drawn, 0.0).sum(axis=0) / known.sum(axis=0))


def _everybody(people: Drawable, replicates: int) -> FloatArray:
    return np.ones((replicates, len(people.workers)))
