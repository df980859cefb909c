"""What a job found, as plain data: curves over shares, their spread over seeds, and areas between them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import fmean
from typing import Any

import numpy as np
import torch

from analysis.arrays import FloatArray
from analysis.retraining.areas import Area, area_between
from analysis.study import RANDOM
from workers.classifiers.training import hold_out
from workers.roar.keeping import Cell
from workers.roar.performing import EMPTY, WHOLE, Job

Record = dict[str, Any]


def record(job: Job, accuracies: Mapping[Cell, float]) -> Record:
    """Methods by the area between their curve and Random's, greatest first.

    `most_frequent` is the share of the commonest label: how often a model is right that learns nothing.
    """
    labels = Counter(one.label for one in job.examples)
    shares = [0.0, *job.shares, 1.0]
    curves = {method: _curves(job, accuracies, method) for method in job.methods}
    methods = [_method(job, method, shares, curves) for method in job.methods]
    return {
        "meta": {
            "n_texts": len(job.examples),
            "n_held_out": len(hold_out(len(job.examples), 0)[0]),
            "label_names": list(job.label_names),
            "most_frequent": labels.most_common(1)[0][1] / len(job.examples),
            "recursive": job.recursive,
            "shares": shares,
            "seeds": list(job.seeds),
            "trainings": job.trainings,
            "date": datetime.now(UTC).date().isoformat(),
            "versions": {"peekaword": version("peekaword"), "torch": torch.__version__},
        },
        "methods": sorted(methods, key=lambda row: (row["method"] == RANDOM, -row["area"]["value"])),
    }


def _curves(job: Job, accuracies: Mapping[Cell, float], method: str) -> FloatArray:
    """Accuracies (seeds, shares) of a method, from no word gone to all."""
    return np.array(
        [
            [
                accuracies[WHOLE._replace(seed=seed)],
                *(accuracies[Cell(method, share, seed)] for share in job.shares),
                accuracies[EMPTY._replace(seed=seed)],
            ]
            for seed in job.seeds
        ]
    )


def _method(job: Job, method: str, shares: Sequence[float], curves: Mapping[str, FloatArray]) -> Record:
    places = np.array(shares)
    areas = [area_between(places, own, random) for own, random in zip(curves[method], curves[RANDOM], strict=True)]
    return {
        "method": method,
        "params": dict(job.methods[method]),
        "curve": [
            {"share": share, **_spread(column.tolist())} for share, column in zip(shares, curves[method].T, strict=True)
        ],
        "area": _spread([one.area for one in areas]),
        "relative_area": _relative(areas),
    }


def _spread(values: Sequence[float]) -> Record:
    """The mean over seeds, the lowest and the highest, and all of them."""
    return {"value": fmean(values), "low": min(values), "high": max(values), "by_seed": list(values)}


def _relative(areas: Sequence[Area]) -> Record:
    """Of the seeds where there was something to lose."""
    found = [one.relative for one in areas if one.relative is not None]
    if not found:
        return {"value": None, "low": None, "high": None, "by_seed": [None] * len(areas), "status": "nothing_learnt"}
    return {**_spread(found), "by_seed": [one.relative for one in areas], "status": "ok"}
