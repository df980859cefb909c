"""Have computed what a passport lacks: all cheap methods on a few texts, and those of chance under a second seed."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, zip_longest
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet

from accounts.models import User
from catalogue.costs import passes
from catalogue.methods import METHODS, methods_for
from catalogue.metrics import METHOD, METRICS, RATIONALE
from catalogue.parameters import complete_params
from materials import explaining
from materials.estimating import Computing, estimate_computing, usual_words
from materials.explaining import Asked
from materials.models import Classifier, Dataset, Explanation, Prediction, Run, Text
from materials.passport.loading import SEED

DEFAULT_TEXTS = 30
# Forward passes over a text. Dearer methods are computed where somebody asks for them.
CHEAP_PASSES = 300
SECOND_SEED = 1


def method_passes(classifier: Classifier, dataset: Dataset) -> dict[str, float]:
    """Of the methods that serve the classifier, with their usual parameters: passes over a text of usual length."""
    words = usual_words(dataset.texts.all())
    return {
        name: passes(name, complete_params(name, METHODS[name].parameters, {}), words)
        for name in methods_for(classifier.kind)
    }


def metrics_for(classifier: Classifier, dataset: Dataset) -> list[str]:
    """Those that serve the classifier, and that compare with people's marks where texts have some."""
    marked = dataset.texts.filter(rationale__isnull=False, rationale__0__isnull=False).exists()
    return [
        name
        for name, metric in METRICS.items()
        if classifier.kind in metric.classifier_kinds and (marked or metric.needs != RATIONALE)
    ]


def is_cheap(metric: str) -> bool:
    """Without running the method of each map again and again."""
    return METRICS[metric].needs != METHOD


def estimate(
    dataset: Dataset, classifier: Classifier, methods: Iterable[str], metrics: Iterable[str], count: int
) -> Computing | None:
    """Of both runs, if nothing were there yet."""
    usual, again = _asked(methods)
    texts = dataset.texts.all()
    found = estimate_computing(texts, count, classifier, usual, {name: {} for name in metrics})
    other = estimate_computing(texts, count, classifier, again, {}) if again else None
    return Computing(found.seconds + (other.seconds if other else 0.0)) if found else None


def start(
    dataset: Dataset,
    classifier: Classifier,
    methods: Iterable[str],
    metrics: Iterable[str],
    count: int,
    user: User | None,
) -> list[Run]:
    """The run of all methods and metrics, and that of another seed; those under way are given back, not doubled."""
    usual, again = _asked(methods)
    with transaction.atomic():
        Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
        texts = sample(dataset, classifier, count)
        runs = [_start(dataset, classifier, texts, usual, {name: {} for name in metrics}, user)]
        return runs + ([_start(dataset, classifier, texts, again, {}, user)] if again else [])


def running(dataset: Dataset, classifier: Classifier) -> QuerySet[Run]:
    runs = Run.objects.filter(dataset=dataset, classifier=classifier, kind=Run.Kind.EXPLAIN)
    return runs.filter(state=Run.State.RUNNING).order_by("pk")


def sample(dataset: Dataset, classifier: Classifier, count: int, seed: int = 0) -> list[int]:
    """Texts of all labels in turn; in each label those with most maps first, as there is least left to compute.

    Texts of one template stay together, or few would meet.
    """
    made = dict(
        Explanation.objects.filter(classifier=classifier, text__dataset=dataset)
        .values_list("text")
        .annotate(n=Count("pk"))
        .order_by()
    )
    groups: dict[str, list[int]] = defaultdict(list)
    templates: dict[int, str] = {}
    for pk, label, template in _labelled(dataset, classifier):
        groups[label].append(pk)
        templates[pk] = template or f"{pk} alone"
    for label, ids in groups.items():
        random.Random(f"{seed}/{label}").shuffle(ids)
        order = list(dict.fromkeys(templates[pk] for pk in ids))
        places = {template: place for place, template in enumerate(order)}
        ranked = {pk: (-made.get(pk, 0), places[templates[pk]]) for pk in ids}
        ids.sort(key=ranked.__getitem__)
    in_turn = chain.from_iterable(zip_longest(*(groups[label] for label in sorted(groups))))
    return [pk for pk in in_turn if pk is not None][:count]


def _labelled(dataset: Dataset, classifier: Classifier) -> Iterator[tuple[int, str, str]]:
    """With the gold label, or the predicted one where there is none, and the template."""
    predicted = dict(
        Prediction.objects.filter(classifier=classifier, text__dataset=dataset).values_list("text", "label").order_by()
    )
    for pk, label, template in dataset.texts.order_by("pk").values_list("pk", "label", "template").iterator():
        yield pk, label or predicted.get(pk, ""), template


def _asked(methods: Iterable[str]) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """The methods as they are, and those of chance with another seed."""
    names = list(methods)
    by_chance = [name for name in names if any(one.name == SEED for one in METHODS[name].parameters)]
    return {name: {} for name in names}, {name: {SEED: SECOND_SEED} for name in by_chance}


def _start(
    dataset: Dataset, classifier: Classifier, texts: list[int], methods: Asked, metrics: Asked, user: User | None
) -> Run:
    same = running(dataset, classifier).filter(methods=_stored("method", methods), metrics=_stored("metric", metrics))
    for run in same:
        if {pk for ids in run.chunks.values_list("text_ids", flat=True) for pk in ids} == set(texts):
            return run
    chosen = Text.objects.filter(pk__in=texts)
    return explaining.explain(chosen, dataset, classifier, methods, metrics, user)


def _stored(kind: str, asked: Asked) -> Any:
    """As a run holds it."""
    rows: list[Mapping[str, Any]] = [
        {kind: name, "params": explaining.full_params(name, params) if kind == "method" else dict(params)}
        for name, params in asked.items()
    ]
    return json.loads(json.dumps(rows))
