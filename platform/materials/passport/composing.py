"""A passport: what each method is worth for a classifier on a dataset. Plain data, ready for JSON.

Fractions are in 0..1; what is undefined is None with a status that says why. Means, intervals and ranks are over the
texts that methods share; a method with too few of these stands by itself, over its own, without ranks.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import CONFIDENCE, REPLICATES, bootstrap
from analysis.columns import column_means, weighted_means
from analysis.consistency.saliency import Consistency
from analysis.consistency.stability import Stability
from analysis.passport.ranking import (
    HIGHER,
    LOWER,
    NEARER_ZERO,
    agreements,
    goodness,
    mean_rank_intervals,
    mean_ranks,
    metric_ranks,
    rank_intervals,
    resampled_ranks,
)
from analysis.passport.sharing import ENOUGH_TEXTS, Shared, shared_items
from catalogue import metrics as catalogue
from catalogue.answering import answers
from catalogue.costs import passes
from catalogue.imported import is_imported
from catalogue.metrics import METRICS
from materials.passport.likening import Likenesses
from materials.passport.loading import Arm, Evidence, Measure
from materials.picturing import LARGE_ERROR, settings_of

Section = dict[str, Any]


@dataclass(frozen=True)
class Figures:
    """Of each measure and arm, (measures, arms): mean and interval over texts, ranks, and theirs (2, measures, arms).

    `mean_rank_ends` (2, arms) are those of the mean rank.
    """

    measures: Sequence[Measure]
    shared: Shared
    means: FloatArray
    lows: FloatArray
    highs: FloatArray
    good: FloatArray
    ranks: FloatArray
    rank_ends: FloatArray
    mean_rank_ends: FloatArray


def shared_by(evidence: Evidence) -> Shared:
    return shared_items([arm.maps.keys() for arm in evidence.arms], ENOUGH_TEXTS)


def measure(evidence: Evidence, shared: Shared, replicates: int = REPLICATES, seed: int = 0) -> Figures:
    """Means, intervals and ranks; with no replicates there are no intervals."""
    measures = sorted(evidence.scores, key=_place)
    shape = len(measures), len(evidence.arms)
    means, lows, highs = (np.full(shape, np.nan) for _ in range(3))
    for members, texts in _groups(evidence, shared) if measures else ():
        values = _values(evidence, measures, members, texts)
        found, (low, high) = _summary(values, replicates, seed)
        for table, row in ((means, found), (lows, low), (highs, high)):
            table[:, members] = row.reshape(len(measures), len(members))
    good = _comparable(evidence, measures, shared, means)
    ranks = metric_ranks(good)
    ends = _rank_ends(evidence, measures, shared, ranks, replicates, seed)
    return Figures(measures, shared, means, lows, highs, good, ranks, *ends)


def compose(
    evidence: Evidence,
    likenesses: Likenesses,
    known: Mapping[str, Any],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Section:
    """The whole passport. `known`: what `catalogue.answering.known_answers` gives."""
    figures = measure(evidence, shared_by(evidence), replicates, seed)
    overall, n_ranked = mean_ranks(figures.ranks)
    families = {one: _family_ranks(figures, one) for one in dict.fromkeys(map(_family, figures.measures))}
    methods = [
        _method(evidence, figures, at, known)
        | {
            "stability": _stability(arm, likenesses.stability.get(at)),
            "model_consistency": _consistency(likenesses.consistency.get(at, {})),
            "input_consistency": _input_consistency(likenesses, at),
            "mean_rank": _number(overall[at]),
            "mean_rank_ci": _pair(*figures.mean_rank_ends[:, at]),
            "mean_rank_by_family": {name: _number(found[at]) for name, found in families.items()},
        }
        for at, arm in enumerate(evidence.arms)
    ]
    return {
        "meta": _meta(evidence, figures, replicates, seed) | {"n_metrics_of_mean_rank": n_ranked},
        "metrics": [_measure(figures, at) for at in range(len(figures.measures))],
        "methods": methods,
        "agreement": _agreement(figures),
    }


def key_of(one: Measure) -> str:
    """The metric's name, with the parameters that are not the default: unique, and read by people."""
    settings = settings_of_measure(one)
    return (
        f"{one.metric} ({', '.join(f'{name} = {value}' for name, value in settings.items())})"
        if settings
        else (one.metric)
    )


def settings_of_measure(one: Measure) -> dict[str, Any]:
    known = METRICS.get(one.metric)
    params: dict[str, Any] = json.loads(one.params)
    usual = {each.name: _plain(each.default) for each in known.parameters} if known else {}
    return {name: value for name, value in params.items() if usual.get(name, ()) != value}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _place(one: Measure) -> tuple[int, str, str]:
    """The catalogue's order."""
    return (list(METRICS).index(one.metric) if one.metric in METRICS else len(METRICS), one.metric, one.params)


def _groups(evidence: Evidence, shared: Shared) -> list[tuple[list[int], list[int]]]:
    """Arms with the texts that they are measured on: the members together, every other arm on its own texts."""
    together = [(sorted(shared.members), sorted(shared.items))] if shared.members else []
    alone = [at for at in range(len(evidence.arms)) if at not in shared.members]
    return together + [([at], sorted(evidence.arms[at].maps)) for at in alone]


def texts_of(evidence: Evidence, shared: Shared, at: int) -> list[int]:
    return sorted(shared.items if at in shared.members else evidence.arms[at].maps)


def _values(
    evidence: Evidence, measures: Sequence[Measure], members: Sequence[int], texts: Sequence[int]
) -> FloatArray:
    """(texts, measures x members), NaN where undefined or not computed."""
    values = np.full((len(texts), len(measures), len(members)), np.nan)
    for row, text in enumerate(texts):
        for column, arm in enumerate(members):
            pk = evidence.arms[arm].maps[text].pk
            for at, one in enumerate(measures):
                found = evidence.scores[one].get(pk)
                if found is not None and found.value is not None:
                    values[row, at, column] = found.value
    return values.reshape(len(texts), -1)


def _summary(values: FloatArray, replicates: int, seed: int) -> tuple[FloatArray, FloatArray]:
    if replicates and len(values) > 1:
        return column_means(values, replicates=replicates, seed=seed)
    means, _ = column_means(values, replicates=1)
    return means, np.full((2, len(means)), np.nan)


def _comparable(evidence: Evidence, measures: Sequence[Measure], shared: Shared, means: FloatArray) -> FloatArray:
    """Goodness (measures, arms), of those that share texts and have the metric computed on half of them or more."""
    good = np.full(means.shape, np.nan)
    for at, one in enumerate(measures):
        turned = goodness(means[at], _better(one))
        for arm in shared.members:
            scored = sum(evidence.arms[arm].maps[text].pk in evidence.scores[one] for text in shared.items)
            if 2 * scored >= len(shared.items):
                good[at, arm] = turned[arm]
    return good


def _rank_ends(
    evidence: Evidence, measures: Sequence[Measure], shared: Shared, ranks: FloatArray, replicates: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Intervals of ranks (2, measures, arms) and of mean ranks (2, arms), over the texts that the members share."""
    members, texts = sorted(shared.members), sorted(shared.items)
    shape = len(measures), len(evidence.arms)
    if not measures or not replicates or len(texts) < 2:
        return np.full((2, *shape), np.nan), np.full((2, shape[1]), np.nan)
    values = _values(evidence, measures, members, texts)
    means = bootstrap(lambda weights: weighted_means(values, weights), len(texts), replicates=replicates, seed=seed)
    drawn = np.full((replicates, *shape), np.nan)
    drawn[:, :, members] = means.reshape(replicates, len(measures), len(members))
    for at, one in enumerate(measures):
        drawn[:, at] = goodness(drawn[:, at], _better(one))
    resampled = resampled_ranks(drawn, ranks)
    return rank_intervals(resampled), mean_rank_intervals(resampled, ranks)


def _better(one: Measure) -> str:
    if one.metric in catalogue.NEARER_ZERO:
        return NEARER_ZERO
    known = METRICS.get(one.metric)
    return HIGHER if known is None or known.higher_is_better else LOWER


def _family(one: Measure) -> str:
    return METRICS[one.metric].family if one.metric in METRICS else ""


def _family_ranks(figures: Figures, family: str) -> FloatArray:
    return mean_ranks(figures.ranks[[_family(one) == family for one in figures.measures]])[0]


def _meta(evidence: Evidence, figures: Figures, replicates: int, seed: int) -> Section:
    return {
        "classifier": evidence.classifier.slug,
        "dataset": evidence.dataset.slug,
        "kind": evidence.classifier.kind,
        "weights_hash": evidence.classifier.weights_hash,
        "n_texts": len(figures.shared.items),
        "n_explained_texts": len({text for arm in evidence.arms for text in arm.maps}),
        "n_methods": len(evidence.arms),
        "n_compared": len(figures.shared.members),
        "seed": seed,
        "replicates": replicates,
        "confidence": CONFIDENCE,
    }


def _measure(figures: Figures, at: int) -> Section:
    one = figures.measures[at]
    return {
        "key": key_of(one),
        "metric": one.metric,
        "params": json.loads(one.params),
        "family": _family(one),
        "better": _better(one),
        "n_ranked": int(np.isfinite(figures.ranks[at]).sum()),
    }


def _method(evidence: Evidence, figures: Figures, at: int, known: Mapping[str, Any]) -> Section:
    arm, texts = evidence.arms[at], texts_of(evidence, figures.shared, at)
    return {
        "method": arm.method.name,
        "params": dict(arm.params),
        "settings": settings_of(arm.method, arm.params),
        "family": arm.method.family,
        "n_texts": len(texts),
        "status": "ok" if at in figures.shared.members else "other_texts",
        "metrics": {
            key_of(one): _value(evidence, figures, place, at, texts) for place, one in enumerate(figures.measures)
        },
        "completeness": _completeness(arm, texts),
        "cost": _cost(arm, texts),
        "known_answers": [asdict(one) for one in answers(arm.method.name, arm.params, known)],
    }


def _value(evidence: Evidence, figures: Figures, place: int, at: int, texts: Sequence[int]) -> Section:
    scores, maps = evidence.scores[figures.measures[place]], evidence.arms[at].maps
    found = [scores[maps[text].pk] for text in texts if maps[text].pk in scores]
    n = sum(one.value is not None for one in found)
    rank = figures.ranks[place, at]
    return {
        "value": _number(figures.means[place, at]),
        "ci": _pair(figures.lows[place, at], figures.highs[place, at]),
        "n": n,
        "undefined": dict(Counter(one.reason for one in found if one.value is None)),
        "rank": None if np.isnan(rank) else int(rank),
        "rank_ci": _whole(_pair(*figures.rank_ends[:, place, at])),
        "status": "ok" if n else "undefined" if found else "not_computed",
    }


def _completeness(arm: Arm, texts: Sequence[int]) -> Section:
    """Of methods that say that their scores add up."""
    errors = [abs(error) for error in (arm.maps[text].error for text in texts) if error is not None]
    if not errors:
        status = "not_computed" if arm.method.complete else "claims_none"
        return {"median": None, "share_large": None, "n": 0, "status": status}
    large = sum(error > LARGE_ERROR for error in errors) / len(errors)
    return {"median": float(np.median(errors)), "share_large": large, "n": len(errors), "status": "ok"}


def _cost(arm: Arm, texts: Sequence[int]) -> Section:
    if is_imported(arm.method.name):
        return {"seconds": None, "passes": None, "status": "imported"}
    words = float(np.median([arm.maps[text].words for text in texts]))
    seconds = float(np.median([arm.maps[text].seconds for text in texts]))
    return {"seconds": seconds, "passes": passes(arm.method.name, arm.params, words), "status": "ok"}


def _stability(arm: Arm, found: Stability | None) -> Section:
    if found is None:
        return {"value": None, "ci": None, "n": 0, "undefined": 0, "seeds": [], "status": "not_by_chance"}
    return asdict(found) | {"ci": _ci(found.ci), "seeds": sorted({seed for _, seed, _ in arm.redrawn})}


def _consistency(found: Mapping[str, Consistency]) -> list[Section]:
    return [{"classifier": slug, **asdict(one), "ci": _ci(one.ci)} for slug, one in found.items()]


def _input_consistency(likenesses: Likenesses, at: int) -> Section:
    found = likenesses.templates.get(at)
    if found is None:
        none = {"value": None, "ci": None, "n": 0, "skipped": 0, "undefined": 0, "status": "no_templates"}
        return none | {"other_label": 0}
    return asdict(found) | {"ci": _ci(found.ci), "other_label": likenesses.other_label[at]}


def _agreement(figures: Figures) -> Section:
    found = agreements(figures.good)
    return {
        "coefficient": "kendall_tau_b",
        "keys": [key_of(one) for one in figures.measures],
        "cells": [[one._asdict() for one in row] for row in found],
    }


def _ci(found: tuple[float, float] | None) -> list[float] | None:
    return None if found is None else list(found)


def _pair(low: float, high: float) -> list[float] | None:
    return [float(low), float(high)] if np.isfinite(low) and np.isfinite(high) else None


def _whole(ends: list[float] | None) -> list[int] | None:
    return None if ends is None else [int(end) for end in ends]


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
