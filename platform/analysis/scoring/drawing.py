"""Scores of methods over resamples of texts and workers, with the place and the spread that such resamples should have.

Two things are mended in what `analysis.bootstrap.crossed_bootstrap` gives.

- *Place.* Workers drawn with replacement tie more often than people do, so a majority of drawn votes recognises less
  than the majority itself. Resamples are moved so that their mean is the score: the bias is estimated and taken out
  (Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 10).
- *Spread.* The crossed bootstrap counts what belongs to neither text nor worker up to three times (Owen 2007, Annals
  of Applied Statistics 1:386-411). Resamples are scaled about their mean to the two-way variance V = V_texts +
  max(0, V_workers - V_judgments), each V from resampling its own units alone; a judgment here is what one worker said
  of one text (Cameron, Gelbach and Miller 2011, Journal of Business and Economic Statistics 29:238-249). Each is times
  n / (n - 1) for its n units, and an interval is as much wider as Student's t is than the normal one (Hesterberg 2015,
  The American Statistician 69:371-386), with Satterthwaite's degrees of freedom.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.stats import norm, t

from analysis.arrays import FloatArray
from analysis.bootstrap import CONFIDENCE, REPLICATES, bootstrap, crossed_bootstrap
from analysis.scoring.people import People

# Resamples that V_workers and V_judgments are taken from: each is then known to 7 per cent, and where judgments are few
# enough for more resamples, to 4.
FOR_SPREAD = 400
MOST_FOR_SPREAD, WORK = 1000, 100_000_000

# Of what is drawn and the weights of texts and workers, (replicates, ...).
Summary = Callable[[Any, FloatArray, FloatArray], FloatArray]


class Drawable(Protocol):
    """Judgments of texts by workers, such as `People`. `size`: numbers that a summary holds for one replicate.

    as_they_are: the same with every worker once, whatever the weights; apart: as if every worker had one text only;
    linear: the same, but that a summary moves in proportion to how often workers are drawn.
    """

    @property
    def texts(self) -> list[str]: ...

    @property
    def workers(self) -> list[str]: ...

    @property
    def size(self) -> int: ...

    def as_they_are(self) -> "Drawable": ...

    def apart(self) -> "Drawable": ...

    def linear(self) -> "Drawable": ...


class Spread(NamedTuple):
    """Variance of a summary, and the degrees of freedom that it is known with."""

    variance: FloatArray
    df: FloatArray


def scores_of(people: People, texts: FloatArray, workers: FloatArray) -> FloatArray:
    """The score of each method, (replicates, methods): what is drawn unless another summary is asked for."""
    return people.scores(texts, workers)


def observe(people: Drawable, summary: Summary = scores_of) -> FloatArray:
    """The summary of the sample itself: every text and every worker once."""
    value: FloatArray = summary(people.as_they_are(), np.ones((1, len(people.texts))), _everybody(people, 1))[0]
    return value


def draw(people: Drawable, summary: Summary = scores_of, *, replicates: int = REPLICATES, seed: int = 0) -> FloatArray:
    """The summary over resamples of texts and workers, (replicates, ...), placed and spread as the module says.

    Where it is not known who judged, or one worker did, texts alone are drawn, as `bootstrap` does: `resampled` says
    which. All undefined (NaN) where there is one text. Texts are drawn as `bootstrap` draws them under the same seed,
    so that what depends on texts alone, such as the means of automatic metrics, can be set beside the replicates one
    by one.
    """
    return draw_with_spread(people, summary, replicates=replicates, seed=seed)[0]


def draw_with_spread(
    people: Drawable, summary: Summary = scores_of, *, replicates: int = REPLICATES, seed: int = 0
) -> tuple[FloatArray, Spread]:
    """As `draw`, and the two-way variance itself, for tests."""
    by_texts = _over_texts(people, summary, replicates, seed)
    n_texts, n_workers = len(people.texts), len(people.workers)
    if n_texts < 2:  # Of how much texts differ, one says nothing: better no interval than one of no width.
        nothing = np.full(by_texts.shape[1:], np.nan)
        return np.full(by_texts.shape, np.nan), Spread(nothing, nothing)
    of_texts = _variance(by_texts) * _unbiased(n_texts)
    if n_workers < 2:
        return by_texts, Spread(of_texts, np.full(of_texts.shape, n_texts - 1.0))

    def drawn(texts: FloatArray, workers: FloatArray) -> FloatArray:
        return summary(people, texts, workers)

    crossed = crossed_bootstrap(drawn, n_texts, n_workers, size=people.size, replicates=replicates, seed=seed)
    shared = _from_sharing_workers(people.linear(), summary, replicates, seed)
    spread = Spread(of_texts + shared, _degrees(of_texts, n_texts, shared, n_workers))
    return placed(crossed, observe(people, summary), spread.variance * _widening(spread.df)), spread


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

        options = {"size": found.size, "replicates": draws, "seed": seed}
        return _variance(bootstrap(drawn, len(found.workers), **options)) * _unbiased(len(found.workers))

    apart = people.apart()
    affordable = WORK // (len(apart.workers) + apart.size)
    draws = min(replicates, max(FOR_SPREAD, min(MOST_FOR_SPREAD, affordable)))
    return np.maximum(0.0, variance(people) - variance(apart))


def _unbiased(n: int) -> float:
    return n / (n - 1) if n > 1 else 1.0


def _degrees(of_texts: FloatArray, n_texts: int, shared: FloatArray, n_workers: int) -> FloatArray:
    """Satterthwaite 1946, Biometrics Bulletin 2:110-114: of a sum of two variances; never under 1."""
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = of_texts**2 / max(1, n_texts - 1) + shared**2 / (n_workers - 1)
        df = (of_texts + shared) ** 2 / parts
    return np.maximum(1.0, np.where(np.isfinite(df), df, max(1, n_texts - 1)))


def _widening(df: FloatArray) -> FloatArray:
    """Square of how much wider Student's interval is than the normal one."""
    tail = (1 + CONFIDENCE) / 2
    return np.asarray((t.ppf(tail, df) / norm.ppf(tail)) ** 2)


def _variance(drawn: FloatArray) -> FloatArray:
    """Over the replicates that are defined."""
    return _mean((drawn - _mean(drawn)) ** 2)


def _mean(drawn: FloatArray) -> FloatArray:
    known = np.isfinite(drawn)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known, drawn, 0.0).sum(axis=0) / known.sum(axis=0))


def _everybody(people: Drawable, replicates: int) -> FloatArray:
    return np.ones((replicates, len(people.workers)))
