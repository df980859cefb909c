"""From a study to the sections of its report. Pure: no database, no files."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, point
from analysis.columns import column_means, weighted_means
from analysis.correlation.kendall import Correlation, correlate_explanations, correlate_methods
from analysis.ranking.comparing import Friedman, McNemar, friedman, mcnemar, sign_flip_test
from analysis.scoring.accuracy import accuracy
from analysis.scoring.grid import Grid, verdict_grid
from analysis.scoring.weighting import weighted_accuracy
from analysis.study import TOPK_GUESS, Study


@dataclass(frozen=True)
class Settings:
    seed: int
    replicates: int


@dataclass(frozen=True)
class Scores:
    """What people's judgments say of each method on each text, and how a sample of texts is summed up.

    by_text: (texts, methods), NaN where unjudged: share of ks recognised, or mean rating.
    summary: (replicates, methods) of drawn texts: weighted accuracy, or mean rating.
    """

    texts: list[str]
    methods: list[str]
    by_text: FloatArray
    grid: Grid | None

    def summary(self, weights: FloatArray) -> FloatArray:
        if self.grid is not None:
            return weighted_accuracy(accuracy(self.grid.verdicts, weights))
        return weighted_means(self.by_text, weights)

    def paired_differences(self, reference: str) -> FloatArray:
        """(texts, methods): score minus the reference's on the same text, at the ks both were judged at."""
        if self.grid is None:
            return self.by_text - self.by_text[:, [self.methods.index(reference)]]
        return _nanmean(self._verdict_differences(reference))

    def summed_differences(self, reference: str) -> FloatArray:
        """As `paired_differences`, but verdicts are summed over k: whole numbers, so that tests are exact."""
        if self.grid is None:
            return self.paired_differences(reference)
        sums: FloatArray = np.nansum(self._verdict_differences(reference), axis=-1)
        return sums

    def _verdict_differences(self, reference: str) -> FloatArray:
        assert self.grid is not None
        verdicts = self.grid.verdicts
        return verdicts - verdicts[:, [self.methods.index(reference)], :]


def score_people(study: Study) -> Scores:
    """The scores of a study; texts and methods sorted by name."""
    if study.protocol != TOPK_GUESS:
        assert study.judgments is not None
        scored = study.judgments[study.judgments["score"].notna()]
        means = scored.groupby(["text", "method"], sort=True)["score"].mean().unstack()
        texts, methods = ([str(name) for name in names] for names in (means.index, means.columns))
        return Scores(texts, methods, means.to_numpy(dtype=float), None)
    grid = verdict_grid(study.cells)
    return Scores(grid.texts, grid.methods, _nanmean(grid.verdicts), grid)


def resample(scores: Scores, settings: Settings) -> tuple[FloatArray, FloatArray]:
    """The scores of the methods, (methods,), and over resampled texts, (replicates, methods)."""
    n_texts = len(scores.texts)
    drawn = bootstrap(scores.summary, n_texts, replicates=settings.replicates, seed=settings.seed)
    return point(scores.summary, n_texts), drawn


@dataclass(frozen=True)
class Comparison:
    """One method against a reference arm. `mcnemar` only where there are verdicts."""

    difference: float
    ci: FloatArray
    mcnemar: McNemar | None
    p_clustered: float


def compare_with(reference: str, scores: Scores, settings: Settings) -> dict[str, Comparison]:
    """Every other method against the reference, over the texts both were judged on; empty where it is no arm."""
    if reference not in scores.methods:
        return {}
    paired, summed = scores.paired_differences(reference), scores.summed_differences(reference)
    observed, intervals = column_means(paired, replicates=settings.replicates, seed=settings.seed)
    comparisons = {}
    for column, method in enumerate(scores.methods):
        if method != reference and np.isfinite(observed[column]):
            p = sign_flip_test(summed[:, column], seed=settings.seed)
            test = _mcnemar(scores, column, reference)
            comparisons[method] = Comparison(float(observed[column]), intervals[:, column], test, p)
    return comparisons


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
    """Mean over texts of each text's mean, by method in the order of `scores`; interval over texts."""
    means = rows.groupby(["text", "method"], sort=True)[column].mean().unstack()
    by_text: FloatArray = means.reindex(index=scores.texts, columns=scores.methods).to_numpy(dtype=float)
    values, intervals = summarise_columns(by_text, settings)
    return [
        {
            "value": float(value) if np.isfinite(value) else None,
            "ci": [float(low), float(high)] if np.isfinite([low, high]).all() else None,
            "n": int(np.isfinite(by_text[:, place]).sum()),
        }
        for place, (value, low, high) in enumerate(zip(values, *intervals, strict=True))
    ]


def correlate(
    study: Study, scores: Scores, resampled: tuple[FloatArray, FloatArray], settings: Settings
) -> list[tuple[str, str, Correlation]]:
    """(metric, over, correlation) for each metric, over methods and over explanations."""
    human = human_by_explanation(study, scores)
    options = {"replicates": settings.replicates, "seed": settings.seed}
    found = []
    for name, values in metric_by_explanation(study, scores).items():

        def means(weights: FloatArray, values: FloatArray = values) -> FloatArray:
            return weighted_means(values, weights)

        of_methods = (resampled[1], bootstrap(means, len(scores.texts), **options))
        over_methods = correlate_methods(resampled[0], point(means, len(scores.texts)), of_methods)
        found.append((name, "methods", over_methods))
        found.append((name, "explanations", correlate_explanations(human, values, **options)))
    return found


def _mcnemar(scores: Scores, column: int, reference: str) -> McNemar | None:
    if scores.grid is None:
        return None
    verdicts = scores.grid.verdicts
    return mcnemar(verdicts[:, column], verdicts[:, scores.methods.index(reference)])


def _nanmean(values: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nansum(values, axis=-1) / np.isfinite(values).sum(axis=-1))
