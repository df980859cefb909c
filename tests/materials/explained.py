"""Explanations with metric values, written straight into the database: what a passport is made of."""

from collections.abc import Mapping, Sequence
from typing import Any

from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from materials.models import Classifier, Explanation, MetricScore, Text
from materials.resolving import params_of


def stored_params(method: str, **given: Any) -> dict[str, Any]:
    return params_of(METHODS[method]) | given


def metric_params(metric: str, **given: Any) -> dict[str, Any]:
    params = {one.name: one.default for one in METRICS[metric].parameters} | given
    return {name: list(value) if isinstance(value, tuple) else value for name, value in params.items()}


def explain(
    classifier: Classifier,
    text: Text,
    method: str,
    scores: Sequence[float | None] = (3.0, 1.0, 2.0, 0.0),
    values: Mapping[str, float | str] | None = None,
    *,
    target: int = 1,
    seconds: float = 0.1,
    error: float | None = None,
    params: Mapping[str, Any] | None = None,
) -> Explanation:
    """`values` by metric: a number, or the reason why there is none."""
    row = Explanation.objects.create(
        text=text,
        classifier=classifier,
        method=method,
        params=stored_params(method, **(params or {})) if method in METHODS else dict(params or {}),
        target=target,
        starts=list(range(len(scores))),
        ends=list(range(1, len(scores) + 1)),
        scores=list(scores),
        completeness_error=error,
        seconds=seconds,
    )
    for metric, found in (values or {}).items():
        score(row, metric, found)
    return row


def score(row: Explanation, metric: str, found: float | str, **params: Any) -> None:
    given = {"reason": found} if isinstance(found, str) else {"value": found}
    MetricScore.objects.create(explanation=row, metric=metric, params=metric_params(metric, **params), **given)
