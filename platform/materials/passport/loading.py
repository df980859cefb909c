"""The explanations that a passport is made of: the predicted label's, by method. A constant number of queries."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, F, Func, IntegerField, TextField
from django.db.models.functions import Cast

from catalogue.methods import METHODS, Method
from materials.models import Classifier, Dataset, Explanation, MetricScore, Prediction
from materials.picturing import label_of
from materials.resolving import resolve_made

# The texts that most methods explain: more would change no decision, and a page has to come soon.
MOST_TEXTS = 200
SEED = "seed"
WORDS = Func(F("starts"), function="cardinality", output_field=IntegerField())


class Map(NamedTuple):
    """An explanation without its scores; `error` is that of completeness."""

    pk: int
    words: int
    seconds: float
    error: float | None


class Scored(NamedTuple):
    value: float | None
    reason: str


@dataclass(frozen=True)
class Arm:
    """A method with its parameters. `maps` by text, of `params`; `redrawn`: of the same but for the seed."""

    method: Method
    params: Mapping[str, Any]
    maps: Mapping[int, Map]
    redrawn: Sequence[tuple[int, int, int]]  # (text, seed, pk)

    @property
    def is_of_chance(self) -> bool:
        return SEED in self.params


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters, as JSON of them."""

    metric: str
    params: str


@dataclass(frozen=True)
class Evidence:
    """All that is known of a classifier's methods on a dataset. `scores`: by measure, then by explanation.

    `templates`: of the texts that have one.
    """

    classifier: Classifier
    dataset: Dataset
    arms: Sequence[Arm]
    predicted: Mapping[int, str]
    scores: Mapping[Measure, Mapping[int, Scored]]
    templates: Mapping[int, str]


def load(classifier: Classifier, dataset: Dataset, metrics: Collection[str] | None = None) -> Evidence:
    """`metrics`: those whose values are wanted, where not all are."""
    texts = _texts(classifier, dataset)
    predictions = Prediction.objects.filter(classifier=classifier, text__in=texts).order_by("text")
    rows = list(predictions.values_list("text", "label", "text__template"))
    predicted = {text: label for text, label, _ in rows}
    arms = _arms(classifier, dataset, texts, predicted)
    chosen = [one.pk for arm in arms for one in arm.maps.values()]
    return Evidence(
        classifier, dataset, arms, predicted, _scores(chosen, metrics), {text: one for text, _, one in rows if one}
    )


def _texts(classifier: Classifier, dataset: Dataset) -> list[int]:
    maps = Explanation.objects.filter(classifier=classifier, text__dataset=dataset)
    counted = maps.values_list("text").annotate(n=Count("pk")).order_by("-n", "text")
    return [text for text, _ in counted[:MOST_TEXTS]]


def _arms(classifier: Classifier, dataset: Dataset, texts: Sequence[int], predicted: Mapping[int, str]) -> list[Arm]:
    """In the catalogue's order, imported ones last."""
    maps = Explanation.objects.filter(classifier=classifier, text__in=texts).annotate(words=WORDS).order_by("pk")
    columns = "text", "method", "params", "target", "pk", "words", "seconds", "completeness_error"
    groups: dict[tuple[str, str], dict[int, dict[int, Map]]] = {}
    for text, method, params, target, *facts in maps.values_list(*columns):
        if label_of(classifier.label_names, target) == predicted.get(text):
            unseeded = json.dumps({name: value for name, value in params.items() if name != SEED}, sort_keys=True)
            seeds = groups.setdefault((method, unseeded), defaultdict(dict))
            seeds[params.get(SEED, -1)][text] = Map(*facts)
    known = resolve_made(sorted({method for method, _ in groups}), dataset.team)
    order = {name: place for place, name in enumerate(METHODS)}
    keys = sorted(groups, key=lambda key: (order.get(key[0], len(order)), *key))
    return [_arm(known[method], json.loads(params), groups[method, params]) for method, params in keys]


def _arm(method: Method, params: dict[str, Any], seeds: Mapping[int, Mapping[int, Map]]) -> Arm:
    """The usual seed, 0, is the method; the others are other draws of it."""
    first = 0 if 0 in seeds else min(seeds)
    redrawn = [(text, seed, one.pk) for seed, maps in seeds.items() if seed != first for text, one in maps.items()]
    return Arm(method, params if first < 0 else params | {SEED: first}, seeds[first], sorted(redrawn))


def _scores(chosen: Sequence[int], metrics: Collection[str] | None) -> dict[Measure, dict[int, Scored]]:
    rows = MetricScore.objects.filter(explanation__in=chosen).annotate(raw=Cast("params", TextField()))
    rows = rows if metrics is None else rows.filter(metric__in=metrics)
    found: dict[Measure, dict[int, Scored]] = {}
    columns = "metric", "raw", "explanation", "value", "reason"
    for metric, raw, pk, value, reason in rows.values_list(*columns).order_by():
        found.setdefault(Measure(metric, raw), {})[pk] = Scored(value, reason)
    return found
