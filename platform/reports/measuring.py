"""From a study to the sections of its report. Pure: no database, no files."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import percentile_interval
from analysis.columns import column_means
from analysis.ranking.comparing import Friedman, McNemar, friedman, mcnemar, sign_flip_test, wald_test
from analysis.scoring.drawing import Spread, draw, draw_with_spread, observe, resampled
from analysis.scoring.grid import Grid, verdict_grid
from analysis.scoring.people import Known, People, mean_known, means_of, pairs_of, people_of
from analysis.scoring.weighting import DEFAULT_WEIGHTING, DIFFICULTIES, weighted_accuracy
from analysis.study import TOPK_GUESS, Study


@dataclass(frozen=True)
class Settings:
    seed: int
    replicates: int


@dataclass(frozen=True)
class Scores:
    """What people's judgments say of each method on each text.

    by_text: (texts, methods), NaN where unjudged: share of ks recognised, or mean rating.
    people: the same judgments, to be drawn again.
    """

    texts: list[str]
    methods: list[str]
    by_text: FloatArray
    grid: Grid | None
    people: People

    @property
    def known(self) -> Known:
        """The cells' scores with every worker once, in double precision."""
        cells = self.by_text[..., None] if self.grid is None else self.grid.verdicts
        return Known(self.people.cells, cells, self.people.weighting)


def score_people(study: Study) -> Scores:
    """The scores of a study; texts and methods sorted by name."""
    people = people_of(study)
    if study.protocol != TOPK_GUESS:
        assert study.judgments is not None
        scored = study.judgments[study.judgments["score"].notna()]
        means = scored.groupby(["text", "method"], sort=True)["score"].mean().unstack()
        texts, methods = ([str(name) for name in names] for names in (means.index, means.columns))
        return Scores(texts, methods, means.to_numpy(dtype=float), None, people)
    grid = verdict_grid(study.cells)
    return Scores(grid.texts, grid.methods, mean_known(grid.verdicts), grid, people)


@dataclass(frozen=True)
class Resampled:
    """Scores of methods and differences of their pairs, and both over resamples of texts and workers.

    means: of each method at each k, (methods, ks), of one k where the protocol has none. weighted: (methods,) by how
    ks are weighted, empty without ks. Drawn: the same behind an axis of replicates. `over` says what was resampled.
    """

    means: FloatArray
    means_drawn: FloatArray
    weighted: dict[str, FloatArray]
    weighted_drawn: dict[str, FloatArray]
    over: str

    @property
    def scores(self) -> tuple[FloatArray, FloatArray]:
        """What methods are ranked by, and its resamples (replicates, methods)."""
        if not self.weighted:
            return self.means[:, 0], self.means_drawn[..., 0]
        return self.weighted[DEFAULT_WEIGHTING], self.weighted_drawn[DEFAULT_WEIGHTING]


def resample(scores: Scores, settings: Settings) -> Resampled:
    """Everything that is said of single methods, from one drawing."""
    weightings = list(DIFFICULTIES) if scores.grid is not None else []

    def everything(people: People, texts: FloatArray, workers: FloatArray) -> FloatArray:
        means = people.means(texts, workers)
        return np.concatenate([means, *(weighted_accuracy(means, name)[..., None] for name in weightings)], axis=-1)

    drawn = draw(scores.people, everything, replicates=settings.replicates, seed=settings.seed)
    # Resamples are moved about their score, and no mean lies beyond what it is the mean of.
    drawn = np.clip(drawn, np.nanmin(scores.known.known), np.nanmax(scores.known.known))
    observed = observe(scores.known, everything)
    ks = observed.shape[-1] - len(weightings)
    weighted, weighted_drawn = (
        {name: values[..., ks + at] for at, name in enumerate(weightings)} for values in (observed, drawn)
    )
    return Resampled(observed[:, :ks], drawn[..., :ks], weighted, weighted_drawn, resampled(scores.people))


@dataclass(frozen=True)
class Differences:
    """Of every pair of methods, first minus second, over the texts that both were judged on.

    by_text: (texts, pairs); observed: (pairs,), its mean; drawn: (replicates, pairs); spread: of the mean,
    over texts and workers. summed: as by_text, but verdicts are summed over k, so that tests are exact.
    """

    first: IntArray
    second: IntArray
    by_text: FloatArray
    summed: FloatArray
    observed: FloatArray
    drawn: FloatArray
    spread: Spread

    def between(self, first: int, second: int) -> "Difference":
        """Of any two methods by number, in either order."""
        [at] = np.flatnonzero((self.first == min(first, second)) & (self.second == max(first, second)))
        sign = 1.0 if first < second else -1.0
        values = sign * self.by_text[:, at], sign * self.summed[:, at], float(sign * self.observed[at])
        spread = float(self.spread.variance[at]), float(self.spread.df[at])
        return Difference(*values, sign * self.drawn[:, at], *spread)


@dataclass(frozen=True)
class Difference:
    """One pair of methods: by text (texts,), mean, and resamples of the mean (replicates,)."""

    by_text: FloatArray
    summed: FloatArray
    observed: float
    drawn: FloatArray
    variance: float
    df: float

    @property
    def interval(self) -> FloatArray:
        return percentile_interval(self.drawn)

    @property
    def n(self) -> int:
        return int(np.isfinite(self.by_text).sum())

    def p_by_text(self, seed: int) -> float:
        """Signs of whole texts flipped."""
        return sign_flip_test(self.summed, seed=seed)

    def p_by_text_and_worker(self) -> float | None:
        return wald_test(self.observed, self.variance, self.df)


def differ(scores: Scores, settings: Settings) -> Differences:
    """All pairs, drawn with the texts and workers of `resample`."""

    def apart(people: People, texts: FloatArray, workers: FloatArray) -> FloatArray:
        return people.differences(texts, workers)

    first, second = pairs_of(scores.methods)
    drawn, spread = draw_with_spread(scores.people, apart, replicates=settings.replicates, seed=settings.seed)
    by_text = scores.known.differences_by_text()
    cells = scores.known.known
    summed = by_text if scores.grid is None else np.nansum(cells[:, first] - cells[:, second], axis=-1)
    return Differences(first, second, by_text, summed, observe(scores.known, apart), drawn, spread)


@dataclass(frozen=True)
class Comparison:
    """One method against a reference arm. `mcnemar` only where there are verdicts."""

    difference: float
    ci: FloatArray
    mcnemar: McNemar | None
    p_clustered: float
    p_crossed: float | None


def compare_with(reference: str, scores: Scores, differences: Differences, settings: Settings) -> dict[str, Comparison]:
    """Every other method against the reference, over the texts both were judged on; empty where it is no arm."""
    if reference not in scores.methods:
        return {}
    arm = scores.methods.index(reference)
    comparisons = {}
    for column, method in enumerate(scores.methods):
        if method == reference:
            continue
        found = differences.between(column, arm)
        if np.isfinite(found.observed):
            test = compare_verdicts(scores, column, arm)
            p = found.p_by_text(settings.seed), found.p_by_text_and_worker()
            comparisons[method] = Comparison(found.observed, found.interval, test, *p)
    return comparisons


def compare_verdicts(scores: Scores, first: int, second: int) -> McNemar | None:
    """McNemar's test over all texts and ks; None where there are no verdicts."""
    if scores.grid is None:
        return None
    verdicts = scores.grid.verdicts
    return mcnemar(verdicts[:, first], verdicts[:, second])


def compare_all(scores: Scores) -> Friedman:
    """Friedman test over per-text scores; verdicts counted over k, texts with every cell judged."""
    if scores.grid is not None:
        return friedman(scores.grid.verdicts.sum(axis=-1))
    return friedman(scores.by_text)


def human_by_explanation(study: Study, scores: Scores) -> FloatArray:
    """People's score of each explanation (texts, methods): share of right judgments or mean rating.

    Where only verdicts are known: the share of ks recognised.
    """
    if study.judgments is None:
        return scores.by_text
    means = study.judgments.groupby(["text", "method"], sort=True)["score"].mean().unstack()
    aligned = means.reindex(index=scores.texts, columns=scores.methods)
    return aligned.to_numpy(dtype=float)


def metric_by_explanation(study: Study, scores: Scores) -> dict[str, FloatArray]:
    """Each metric's values (texts, methods), NaN where it is undefined or was not computed."""
    if study.metrics is None:
        return {}
    tables = {}
    for name, rows in study.metrics.groupby("metric", sort=True):
        table = rows.pivot(index="text", columns="method", values="value")
        aligned = table.reindex(index=scores.texts, columns=scores.methods)
        tables[str(name)] = aligned.to_numpy(dtype=float)
    return tables


def summarise_columns(values: FloatArray, settings: Settings) -> tuple[FloatArray, FloatArray]:
    """Mean of each column of (texts, columns), NaN left out, and its interval over texts, (2, columns)."""
    return column_means(values, replicates=settings.replicates, seed=settings.seed)


def mean_by_method(rows: pd.DataFrame, column: str, scores: Scores, settings: Settings) -> list[dict[str, Any]]:
    """Mean over texts of each text's mean, by method in the order of `scores`; interval over texts and workers."""
    means = rows.groupby(["text", "method"], sort=True)[column].mean().unstack()
    by_text = means.reindex(columns=scores.methods).to_numpy(dtype=float)
    counts = np.isfinite(by_text).sum(axis=0)
    nothing = {"value": None, "ci": None, "n": 0}
    if not counts.any():
        return [nothing for _ in scores.methods]
    people = means_of(rows.assign(score=rows[column].astype(float)))
    drawn = percentile_interval(draw(people, replicates=settings.replicates, seed=settings.seed))
    intervals = dict(zip(people.methods, drawn.T, strict=True))
    found = []
    for place, method in enumerate(scores.methods):
        ci = intervals.get(method, np.full(2, np.nan))
        value = float(np.nanmean(by_text[:, place])) if counts[place] else None
        whole = [float(bound) for bound in ci] if np.isfinite(ci).all() else None
        found.append({"value": value, "ci": whole, "n": int(counts[place])})
    return found
