"""People's scores against automatic metrics, over methods and over explanations: values, intervals, p values, statuses.

Three questions. *methods*: does the metric order the methods as people do? *explanations_within_text*: of the
explanations of one text, are those better that the metric says are? *explanations*: the same of all explanations
together, where what makes a text easy counts too.

All metrics come turned, the higher the better (`orient`), so 1 is always what a good metric has.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import norm, t

from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import CONFIDENCE, REPLICATES, bootstrap, percentile_interval, point
from analysis.columns import weighted_means
from analysis.correlation.coefficients import COEFFICIENTS, FEWEST, correlate_rows
from analysis.correlation.permuting import PERMUTATIONS, permute_labels, permute_methods, permute_within_texts
from analysis.correlation.pooled import pooled, resample_pooled
from analysis.correlation.reliability import EXPLANATIONS, METHODS, WITHIN, Reliability, correct
from analysis.correlation.within import resample_within, within_texts
from analysis.scoring.drawing import FOR_SPREAD, placed
from analysis.scoring.people import People

HIGHER, LOWER, NEARER_ZERO = "higher", "lower", "nearer_zero"
# Correlations nearer to 1 have no Fisher z.
NEAREST = 1 - 1e-6


def orient(values: FloatArray, better: str) -> FloatArray:
    """Values turned so that the higher the better: v, -v or -|v|."""
    return {HIGHER: values, LOWER: -values, NEARER_ZERO: -np.abs(values)}[better]


@dataclass(frozen=True)
class Level:
    """One question, answered for each metric by each coefficient; arrays are (metrics, coefficients).

    values, draws (replicates, metrics, coefficients), ci (2, metrics, coefficients), p: NaN where undefined.
    p: over explanations, methods change places within each text; p_labels: methods change names in all texts alike.
    n: methods, explanations, or texts with a correlation of their own. `statuses` are the metrics', `ci_status` says
    why intervals are missing where values are not.

    status: ok, metric_without_values, too_few, constant_human_score, constant_metric, constant_within_texts, one_text.
    """

    over: str
    values: FloatArray
    draws: FloatArray
    p: FloatArray
    p_labels: FloatArray
    n: IntArray
    statuses: list[str]
    ci_status: str

    @cached_property
    def ci(self) -> FloatArray:
        if self.ci_status != "ok":
            return np.full((2, *self.values.shape), np.nan)
        return np.where(np.isfinite(self.values), percentile_interval(self.draws), np.nan)

    def corrected(self, reliability: list[Reliability]) -> tuple[FloatArray, FloatArray]:
        """Without the noise in people's scores, and its interval; NaN where the reliability does not allow it."""
        allowed = np.array([one.status == "ok" for one in reliability])
        rel = np.array([one.value if one.value is not None else np.nan for one in reliability])
        draws = correct(self.draws, np.stack([one.draws for one in reliability], axis=-1)[:, None, :])
        values = np.where(allowed, correct(self.values, rel), np.nan)
        return values, np.where(np.isfinite(values) & np.isfinite(self.ci), percentile_interval(draws), np.nan)


def over_methods(
    scores: tuple[FloatArray, FloatArray], metrics: FloatArray, better: list[str], *, seed: int = 0
) -> tuple[Level, FloatArray, FloatArray]:
    """Over methods; and the turned means of the metrics, (metrics, methods), and over resamples of texts.

    scores: people's scores of the methods, (methods,), and over resamples, (replicates, methods), whose texts are drawn
    as `bootstrap` draws them under the seed. metrics: (texts, methods, metrics), NaN where unknown; not turned.
    """
    human, drawn = scores
    columns = metrics.reshape(len(metrics), -1)

    def means(weights: FloatArray) -> FloatArray:
        return _turned(weighted_means(columns, weights).reshape(-1, *metrics.shape[1:]), better)

    observed = point(means, len(metrics))
    resampled = bootstrap(means, len(metrics), replicates=len(drawn), seed=seed)
    known = np.isfinite(human) & np.isfinite(observed)
    statuses = [_status(human[own], row[own], row) for own, row in zip(known, observed, strict=True)]
    values = correlate_rows(human, observed)
    level = Level(
        METHODS, values, correlate_rows(drawn[:, None, :], resampled), permute_methods(human, observed, seed),
        np.full_like(values, np.nan), known.sum(axis=1)[:, None].repeat(len(COEFFICIENTS), axis=1),
        statuses, "ok" if len(metrics) > 1 else "one_text",
    )  # fmt: skip
    return level, observed, resampled


def over_explanations(
    people: People, metrics: FloatArray, better: list[str], *, replicates: int = REPLICATES, seed: int = 0
) -> tuple[Level, Level]:
    """Over all explanations, and within texts. metrics: (texts, methods, metrics), NaN where unknown; not turned.

    Intervals are of Fisher's z and resample texts; their variance is the two-way one of `analysis.scoring.drawing`,
    with its allowance for few texts, so that they hold over other workers too. p values are by permutation, at most one
    a replicate.
    """
    turned = np.stack([orient(metrics[..., at], way) for at, way in enumerate(better)], axis=-1)
    human = people.by_text(np.ones((1, len(people.workers))))[0]
    of_all = np.stack([pooled(human, turned[..., at]) for at in range(len(better))])
    of_texts, n_texts = within_texts(human, turned)
    draws = _draw(people, turned, np.stack([of_all, of_texts]), replicates, seed)
    permuted = _permute(human, turned, min(PERMUTATIONS, replicates), seed)
    p, p_labels = (np.where(np.isfinite([of_all, of_texts]), found, np.nan) for found in permuted)
    known = np.isfinite(human)[..., None] & np.isfinite(turned)
    n = known.sum(axis=(0, 1))[:, None].repeat(len(COEFFICIENTS), axis=1)
    ci_status = "ok" if len(people.texts) > 1 else "one_text"
    statuses = [_status(human[own], of[own], of) for own, of in _by_metric(known, turned)]
    within = [_status_within(human, of, own) for own, of in _by_metric(known, turned)]
    return (
        Level(EXPLANATIONS, of_all, draws[:, 0], p[0], p_labels[0], n, statuses, ci_status),
        Level(WITHIN, of_texts, draws[:, 1], p[1], p_labels[1], n_texts, within, ci_status),
    )


def _turned(means: FloatArray, better: list[str]) -> FloatArray:
    """(replicates, methods, metrics) to turned ones, (replicates, metrics, methods)."""
    return np.stack([orient(means[..., at], way) for at, way in enumerate(better)], axis=1)


def _by_metric(known: FloatArray, turned: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    return [(known[..., at], turned[..., at]) for at in range(turned.shape[-1])]


def _both(human: FloatArray, metrics: FloatArray, weights: FloatArray) -> FloatArray:
    """Over all explanations and within texts: (replicates, 2, metrics, coefficients)."""
    resamples = (resample(human, metrics, weights) for resample in (resample_pooled, resample_within))
    return np.stack(list(resamples), axis=1)


def _draw(people: People, turned: FloatArray, observed: FloatArray, replicates: int, seed: int) -> FloatArray:
    """(replicates, 2, metrics, coefficients): texts drawn, placed at `observed`, spread as the two ways ask for."""
    n_texts, size = len(people.texts), people.size + 4 * turned[..., 0].size

    def of_texts(weights: FloatArray) -> FloatArray:
        return _fisher(_both(people.as_they_are().by_text(np.zeros((1, 0))), turned, weights))

    def variance(found: People) -> FloatArray:
        def drawn(workers: FloatArray) -> FloatArray:
            return _fisher(_both(found.by_text(workers), turned, np.ones((len(workers), n_texts))))

        few = min(replicates, FOR_SPREAD)
        return _variance(bootstrap(drawn, len(found.workers), size=size, replicates=few, seed=seed))

    drawn = bootstrap(of_texts, n_texts, size=size, replicates=replicates, seed=seed)
    spread = _variance(drawn)
    if len(people.workers) > 1:
        spread = spread + np.maximum(0.0, variance(people) - variance(people.apart()))
    return np.asarray(np.tanh(placed(drawn, _fisher(observed), spread * _for_few(n_texts))))


def _for_few(n_texts: int) -> float:
    """What a variance is short of for few texts: n / (n - 1), and Student's t against the normal quantile, squared."""
    if n_texts < 2:
        return 1.0
    upper = (1 + CONFIDENCE) / 2
    return float(n_texts / (n_texts - 1) * (t.ppf(upper, n_texts - 1) / norm.ppf(upper)) ** 2)


def _permute(human: FloatArray, turned: FloatArray, draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """(2, metrics, coefficients) each."""

    def correlate(drawn: FloatArray) -> FloatArray:
        return _both(drawn, turned, np.ones((len(drawn), len(human))))

    observed = correlate(human[None])[0]
    return (
        permute_within_texts(human, observed, correlate, draws=draws, seed=seed),
        permute_labels(human, observed, correlate, draws=draws, seed=seed),
    )


def _fisher(values: FloatArray) -> FloatArray:
    return np.asarray(np.arctanh(np.clip(values, -NEAREST, NEAREST)))


def _variance(drawn: FloatArray) -> FloatArray:
    """Over the replicates that are defined; NaN where none is."""
    known = np.isfinite(drawn)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, drawn, 0.0).sum(axis=0) / known.sum(axis=0)
        return np.asarray(np.where(known, (drawn - mean) ** 2, 0.0).sum(axis=0) / known.sum(axis=0))


def _status(x: FloatArray, y: FloatArray, metric: FloatArray) -> str:
    """ok, or why there is none over what is known in both."""
    if not np.isfinite(metric).any():
        return "metric_without_values"
    if len(x) < FEWEST:
        return "too_few"
    if np.ptp(x) == 0:
        return "constant_human_score"
    return "constant_metric" if np.ptp(y) == 0 else "ok"


def _status_within(human: FloatArray, metric: FloatArray, known: FloatArray) -> str:
    """ok where some text has a correlation of its own, else why none has."""
    if not np.isfinite(metric).any():
        return "metric_without_values"
    own = [_status(x[some], y[some], y) for x, y, some in zip(human, metric, known, strict=True)]
    if "ok" in own:
        return "ok"
    found = {status for status in own if status not in ("too_few", "metric_without_values")}
    return found.pop() if len(found) == 1 else "constant_within_texts" if found else "too_few"
