"""From a study to people's scores against its automatic metrics. Pure: no database, no files."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, IntArray
from analysis.correlation.halving import (
    JUDGMENTS,
    SPLITS,
    WORKERS,
    Judged,
    halves_of_judgments,
    halves_of_workers,
    halving_status,
)
from analysis.correlation.partial import Partial, partial_correlation
from analysis.correlation.picking import Pick, closest, pick
from analysis.correlation.relating import (
    HIGHER,
    LOWER,
    NEARER_ZERO,
    Level,
    orient,
    over_explanations,
    over_methods,
)
from analysis.correlation.reliability import EXPLANATIONS, METHODS, WITHIN, Reliability, measure_reliability
from analysis.scoring.drawing import FOR_SPREAD
from analysis.scoring.people import Means, People, means_of
from analysis.study import PAIRWISE, STIMULUS, Study
from catalogue.metrics import METRICS
from catalogue.metrics import NEARER_ZERO as BEST_AT_ZERO
from language.words import segment
from reports.measuring import Scores, Settings

# By what judgments are halved: methods are judged by the same workers, of a stimulus everybody is another.
SPLIT_BY = {METHODS: WORKERS, EXPLANATIONS: JUDGMENTS, WITHIN: JUDGMENTS}
LEVELS = (METHODS, EXPLANATIONS, WITHIN)
# Explanations in all resamples together: 2,000 resamples of 16,000 explanations.
MOST_DRAWN = 32_000_000
# Explanations in all splits together.
MOST_HALVED = 4_000_000


def direction(metric: str) -> str:
    """Which values are better: higher, lower or nearer_zero; of metrics from elsewhere, higher ones are taken to be."""
    if metric in BEST_AT_ZERO:
        return NEARER_ZERO
    return HIGHER if metric not in METRICS or METRICS[metric].higher_is_better else LOWER


@dataclass(frozen=True)
class Halved:
    """How reliable people's scores are at one level; `status` says why nothing could be measured, or is ok."""

    over: str
    by_coefficient: list[Reliability]
    status: str


@dataclass(frozen=True)
class Related:
    """People against each metric. Series are the metrics, turned so that higher is better; then, as they are, those
    that are best at zero, whose direction turning does not only reverse.
    """

    study: Study
    scores: Scores
    resampled: tuple[FloatArray, FloatArray]
    settings: Settings

    @cached_property
    def metrics(self) -> list[str]:
        return [] if self.study.metrics is None else sorted(str(name) for name in self.study.metrics["metric"].unique())

    @cached_property
    def series(self) -> list[tuple[str, str]]:
        """Metric and how it is turned."""
        as_they_are = [(name, HIGHER) for name in self.metrics if direction(name) == NEARER_ZERO]
        return [*((name, direction(name)) for name in self.metrics), *as_they_are]

    @cached_property
    def explained(self) -> People:
        """Scores of explanations: of each the mean over its judgments, or the share of verdicts."""
        judgments = self.study.judgments
        if judgments is None:
            return self.scores.known
        known = judgments["method"].isin(self.scores.methods) & judgments["text"].isin(self.scores.texts)
        return means_of(judgments[known & judgments["score"].notna()])

    @cached_property
    def levels(self) -> dict[str, Level]:
        better, seed = [way for _, way in self.series], self.settings.seed
        of_methods = self._of_methods[0]
        values = self._values(self.explained.texts, self.explained.methods)
        options = {"replicates": self.resamples(EXPLANATIONS), "seed": seed}
        return {one.over: one for one in (of_methods, *over_explanations(self.explained, values, better, **options))}

    def resamples(self, over: str) -> int:
        """As many as asked for; over very many explanations fewer, whose intervals are narrow and known well enough."""
        if over == METHODS:
            return self.settings.replicates
        return min(self.settings.replicates, max(FOR_SPREAD, MOST_DRAWN // max(1, self._n_explanations)))

    @property
    def _n_explanations(self) -> int:
        return len(self.explained.texts) * len(self.explained.methods)

    @cached_property
    def halves(self) -> dict[str, Halved]:
        judged = self._judged()
        found = {}
        for over in LEVELS:
            status = halving_status(judged, SPLIT_BY[over])
            measured = [] if judged is None or status != "ok" else self._reliability(judged, over)
            found[over] = Halved(over, measured, status)
        return found

    @property
    def n_splits(self) -> int:
        """A hundred; of very many explanations a fifth, which tell as much."""
        return min(SPLITS, self.settings.replicates, max(SPLITS // 5, MOST_HALVED // max(1, self._n_explanations)))

    @cached_property
    def picks(self) -> list[Pick]:
        """One a metric."""
        _, observed, drawn = self._of_methods
        human, resampled = self.resampled
        return [pick(human, observed[at], (resampled, drawn[:, at])) for at in range(len(self.metrics))]

    @cached_property
    def closest(self) -> FloatArray:
        """How often each metric's order of methods is the closest to people's, by tau-b."""
        return closest(self._of_methods[0].draws[:, : len(self.metrics), 0])

    def partial(self, metric: str, *, ranked: bool) -> Partial | None:
        """Over explanations, or these at each k, given the length of texts and k; None where neither is known."""
        cells = self._cells
        covariates = {name: cells[name].to_numpy(dtype=float) for name in ("text_length", "k") if name in cells}
        if not covariates:
            return None
        values = orient(self._values_of_cells(metric), direction(metric))
        human, texts = cells["score"].to_numpy(dtype=float), pd.factorize(cells["text"])[0].astype(np.int64)
        options = {"replicates": self.settings.replicates, "seed": self.settings.seed}
        return partial_correlation(human, values, covariates, texts, ranked=ranked, **options)

    @cached_property
    def _of_methods(self) -> tuple[Level, FloatArray, FloatArray]:
        values = self._values(self.scores.texts, self.scores.methods)
        return over_methods(self.resampled, values, [way for _, way in self.series], seed=self.settings.seed)

    @cached_property
    def _cells(self) -> pd.DataFrame:
        """People's mean score of each explanation, at each k where there are several, and what else is known of it."""
        judgments = self.study.judgments
        if judgments is None:
            rows = self.study.cells.rename(columns={"recognised": "score"})[["text", "method", "k", "score"]]
        else:
            known = judgments["method"].isin(self.scores.methods) & judgments["score"].notna()
            means = judgments[known].groupby(["text", "method", "k"], dropna=False, sort=True)["score"].mean()
            rows = means.reset_index()
        lengths = text_lengths(self.study)
        cells = rows if lengths is None else rows.assign(text_length=rows["text"].map(lengths))
        return cells if cells["k"].nunique() > 1 else cells.drop(columns="k")

    def _values_of_cells(self, metric: str) -> FloatArray:
        texts, methods = pd.Index(self._cells["text"]), pd.Index(self._cells["method"])
        table = self._tables[metric].reindex(index=self.scores.texts, columns=self.scores.methods)
        places = table.index.get_indexer(texts), table.columns.get_indexer(methods)
        known = (places[0] >= 0) & (places[1] >= 0)
        return np.where(known, table.to_numpy(dtype=float)[places], np.nan)

    @cached_property
    def _tables(self) -> dict[str, pd.DataFrame]:
        """Each metric's values, texts by methods."""
        assert self.study.metrics is not None
        rows = self.study.metrics.groupby("metric", sort=True)
        return {str(name): own.pivot(index="text", columns="method", values="value") for name, own in rows}

    def _values(self, texts: list[str], methods: list[str]) -> FloatArray:
        """(texts, methods, series), NaN where a metric is undefined or was not computed; not turned."""
        laid = {name: table.reindex(index=texts, columns=methods) for name, table in self._tables.items()}
        return np.stack([laid[name].to_numpy(dtype=float) for name, _ in self.series], axis=-1)

    def _judged(self) -> Judged | None:
        people = self.explained
        if not isinstance(people, Means):
            return None
        assert self.study.judgments is not None
        judgments = self.study.judgments
        known = judgments["method"].isin(people.methods) & judgments["text"].isin(people.texts)
        rows = judgments[known & judgments["score"].notna()]
        stimulus, answer = _answers(rows, paired=self.study.protocol == PAIRWISE)
        first = np.unique(answer, return_index=True)[1]
        shape = (len(people.texts), len(people.methods))
        return Judged(
            stimulus[first], people.cells.worker[first], answer, people.cells.cell, people.score, shape
        )  # fmt: skip

    def _reliability(self, judged: Judged, over: str) -> list[Reliability]:
        halve = halves_of_workers if SPLIT_BY[over] == WORKERS else halves_of_judgments
        seed = self.settings.seed
        halves = halve(judged, self.n_splits, seed)
        return measure_reliability(halves, over, replicates=self.resamples(over), seed=seed)


def text_lengths(study: Study) -> "pd.Series[float] | None":
    """Words of each text; None where neither they nor the texts are known."""
    if study.judgments is not None and "text_length" in study.covariates:
        return study.judgments.groupby("text")["text_length"].first().astype(float)
    if study.texts is None:
        return None
    written = zip(study.texts["content"].fillna(""), study.texts["language"].fillna(""), strict=True)
    counted = [
        sum(not word.punctuation for word in segment(str(content), str(language))) for content, language in written
    ]
    return pd.Series(counted, index=study.texts["text"].astype(str), dtype=float)


def _answers(rows: pd.DataFrame, *, paired: bool) -> tuple[IntArray, IntArray]:
    """The stimulus and the answer of each row; both sides of a pair are one answer to one stimulus."""
    first, second = rows["method"], rows["other"]
    if paired:
        swapped = (first > second).to_numpy(dtype=bool)
        first, second = first.where(~swapped, rows["other"]), second.where(~swapped, rows["method"])
    shown = rows.assign(method=first, other=second)
    stimulus = shown.groupby(STIMULUS, dropna=False, sort=True).ngroup()
    if not paired:
        return stimulus.to_numpy().astype(np.int64), np.arange(len(rows), dtype=np.int64)
    answer = shown.assign(stimulus=stimulus).groupby(["stimulus", "worker"], sort=True).ngroup()
    return stimulus.to_numpy().astype(np.int64), answer.to_numpy().astype(np.int64)
