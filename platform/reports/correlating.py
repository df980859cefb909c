"""The rows of report.json that set people against metrics."""

from typing import Any

import numpy as np
from scipy.stats import false_discovery_control

from analysis.arrays import FloatArray
from analysis.correlation.coefficients import COEFFICIENTS, PEARSON, SPEARMAN
from analysis.correlation.partial import Partial
from analysis.correlation.picking import Pick
from analysis.correlation.relating import LOWER, NEARER_ZERO, Level
from analysis.correlation.reliability import EXPLANATIONS, WITHIN, Reliability
from analysis.ranking.comparing import holm
from analysis.scoring.drawing import resampled
from reports.relating import LEVELS, SPLIT_BY, Related

Row = dict[str, Any]


def correlation_rows(related: Related) -> list[Row]:
    """One for each metric, level and coefficient; Kendall's first.

    value, ci: of the metric as it is. oriented, oriented_ci: of the metric turned so that higher is better. p, with
    p_adjusted (Holm) and p_adjusted_bh (Benjamini-Hochberg) over the metrics, and p_labels, belong to the turned one.
    """
    corrections = {over: _correct(related, over) for over in LEVELS}
    adjusted = {over: _adjust(related.levels[over].p[: len(related.metrics)]) for over in LEVELS}
    return [
        _row(related, metric, over, coefficient, adjusted[over]) | {"corrected": corrections[over](metric, coefficient)}
        for metric in range(len(related.metrics))
        for over in LEVELS
        for coefficient in range(len(COEFFICIENTS))
    ]


def _row(related: Related, metric: int, over: str, coefficient: int, adjusted: tuple[FloatArray, FloatArray]) -> Row:
    name, level = related.metrics[metric], related.levels[over]
    better = related.series[metric][1]
    status = level.statuses[metric]
    turned, turned_ci = _number(level.values[metric, coefficient]), _pair(level.ci[:, metric, coefficient])
    value, ci = _as_it_is(related, level, metric, coefficient)
    row: Row = {
        "metric": name, "over": over, "coefficient": COEFFICIENTS[coefficient],
        "value": value, "ci": ci, "p": _number(level.p[metric, coefficient]), "n": int(level.n[metric, coefficient]),
        "status": status, "better": better, "oriented": turned, "oriented_ci": turned_ci,
        "ci_over": resampled(related.explained), "resamples": related.resamples(over),
        "p_adjusted": _number(adjusted[0][metric, coefficient]),
        "p_adjusted_bh": _number(adjusted[1][metric, coefficient]),
    }  # fmt: skip
    if ci is None and status == "ok":
        row["ci_status"] = level.ci_status if level.ci_status != "ok" else "too_few_defined"
    if over in (EXPLANATIONS, WITHIN):
        row["p_labels"] = _number(level.p_labels[metric, coefficient])
    if over == EXPLANATIONS and COEFFICIENTS[coefficient] in (SPEARMAN, PEARSON):
        partial = related.partial(name, ranked=COEFFICIENTS[coefficient] == SPEARMAN)
        row |= {} if partial is None else {"partial": _partial(partial)}
    return row


def _as_it_is(related: Related, level: Level, metric: int, coefficient: int) -> tuple[float | None, list[float] | None]:
    """Value and interval of the metric as it is: turned back, or of its own series where turning is no reversal."""
    name, better = related.series[metric]
    at = related.series.index((name, "higher")) if better == NEARER_ZERO else metric
    sign = -1.0 if better == LOWER else 1.0
    ci = _pair(level.ci[:, at, coefficient])
    value = _number(level.values[at, coefficient])
    return (None if value is None else sign * value), (None if ci is None else sorted(sign * end for end in ci))


def _adjust(p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Holm's and Benjamini and Hochberg's, over the metrics that have a p, of each coefficient apart."""
    found = np.full((2, *p.shape), np.nan)
    for coefficient in range(p.shape[1]):
        known = np.isfinite(p[:, coefficient])
        if known.any():
            own = p[known, coefficient]
            found[:, known, coefficient] = holm(own), false_discovery_control(own)
    return found[0], found[1]


def _correct(related: Related, over: str) -> Any:
    """A function of metric and coefficient to what stands under `corrected`; turned, so that higher is better."""
    halved, level = related.halves[over], related.levels[over]
    if halved.status != "ok":
        return lambda _metric, _coefficient: {"value": None, "ci": None, "status": halved.status}
    values, intervals = level.corrected(halved.by_coefficient)

    def corrected(metric: int, coefficient: int) -> Row:
        status = halved.by_coefficient[coefficient].status
        if level.statuses[metric] != "ok":
            status = level.statuses[metric]
        value = _number(values[metric, coefficient])
        return {"value": value, "ci": _pair(intervals[:, metric, coefficient]), "status": status}

    return corrected


def _partial(found: Partial) -> Row:
    return {
        "given": list(found.given), "value": found.value, "ci": None if found.ci is None else list(found.ci),
        "n": found.n, "status": found.status,
    }  # fmt: skip


def reliability_rows(related: Related) -> list[Row]:
    """One for each level and coefficient: how well halves agree, and the noise ceiling that this sets."""
    rows = []
    for over in LEVELS:
        halved = related.halves[over]
        for at, coefficient in enumerate(COEFFICIENTS):
            found = halved.by_coefficient[at] if halved.status == "ok" else None
            row: Row = {"over": over, "coefficient": coefficient, "split": SPLIT_BY[over], "n_splits": related.n_splits}
            rows.append(row | _reliability(found, halved.status))
    return rows


def _reliability(found: Reliability | None, status: str) -> Row:
    if found is None:
        return dict.fromkeys(("halves", "value", "ci", "ceiling", "ceiling_ci")) | {"status": status}
    ci, ceiling_ci = (None if pair is None else list(pair) for pair in (found.ci, found.ceiling_ci))
    return {
        "halves": found.halves, "value": found.value, "ci": ci, "ceiling": found.ceiling, "ceiling_ci": ceiling_ci,
        "status": found.status,
    }  # fmt: skip


def winner_rows(related: Related) -> list[Row]:
    """One for each metric: whom it would have picked, and how its order of the methods differs from people's."""
    methods = related.scores.methods
    return [
        _winner(metric, found, methods) | {"closest": _number(related.closest[at])}
        for at, (metric, found) in enumerate(zip(related.metrics, related.picks, strict=True))
    ]


def _winner(metric: str, found: Pick, methods: list[str]) -> Row:
    return {
        "metric": metric,
        "best": None if found.best is None else methods[found.best],
        "pick": None if found.pick is None else methods[found.pick],
        "same": found.same, "probability": found.probability, "swapped": found.swapped,
        "swapped_ci": None if found.swapped_ci is None else list(found.swapped_ci), "pairs": found.pairs,
        "loss": found.loss, "loss_ci": None if found.loss_ci is None else list(found.loss_ci),
        "n": found.n, "status": found.status,
    }  # fmt: skip


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _pair(interval: FloatArray) -> list[float] | None:
    return [float(bound) for bound in interval] if np.isfinite(interval).all() else None
