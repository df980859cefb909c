"""Explanations in, metric values out; the explanations of one text share their perturbed inputs."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from analysis.plausibility.metrics import score_plausibility
from catalogue.choosing import complete
from catalogue.methods import METHODS
from catalogue.metrics import METHOD, MODEL, RATIONALE
from catalogue.metrics import METRICS as CATALOGUE
from catalogue.parameters import complete_params
from catalogue.reasons import NOT_FINITE
from workers.classifiers.batching import TOKEN_BUDGET, Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.faithfulness import METRICS
from workers.faithfulness.erasing import Value
from workers.faithfulness.repeating import Maker
from workers.records import Scored, ToScore
from workers.saliency import function_of

WINDOW = 64


@dataclass(frozen=True, eq=False)
class Window:
    """Explanations that are scored together: row i of `batch` and `target` is `items[i]`.

    What only compares with people's marks asks for neither, and needs no classifier.
    """

    classifier: TextClassifier | None
    items: Sequence[ToScore]
    budget: int
    makers: dict[str, Maker | None] = field(default_factory=dict)

    @cached_property
    def batch(self) -> Batch:
        assert self.classifier is not None
        encoded = {
            text: self.classifier.encode(text.text_id, text.content, text.language)
            for text in dict.fromkeys(item.text for item in self.items)
        }
        return self.classifier.batch([encoded[item.text] for item in self.items], self.budget)

    @cached_property
    def target(self) -> Tensor:
        return torch.tensor([item.target for item in self.items])


def score(
    classifier: TextClassifier | None,
    explanations: Iterable[ToScore],
    metrics: Mapping[str, Mapping[str, Any]],
    budget: int = TOKEN_BUDGET,
) -> Iterator[Scored]:
    """One record for each explanation and metric; keep the explanations of one text together.

    Without a classifier there are only the metrics that compare with people's marks.
    """
    params = complete("metric", CATALOGUE, metrics)
    if classifier is None:
        if running := [name for name in params if CATALOGUE[name].needs != RATIONALE]:
            raise ClassifierError(f"{running[0]} runs the classifier: give it, or leave the metric out.")
    elif unfit := [name for name in params if classifier.kind not in CATALOGUE[name].classifier_kinds]:
        raise ClassifierError(f"{unfit[0]} does not serve a {classifier.kind}, as {classifier.name} is: leave it out.")
    source = iter(explanations)
    while items := list(islice(source, WINDOW)):
        window = Window(classifier, items, budget)
        columns = {name: _FAMILIES[CATALOGUE[name].needs](window, name, chosen) for name, chosen in params.items()}
        for index, item in enumerate(items):
            for name, values in columns.items():
                value, status = _finite(values[index])
                yield Scored(item.key, name, params[name], value, status)


def _by_model(window: Window, name: str, params: Mapping[str, Any]) -> list[Value]:
    rows = [item.scores for item in window.items]
    return METRICS[name](window.classifier, window.batch, rows, window.target, **params)


def _by_method(window: Window, name: str, params: Mapping[str, Any]) -> list[Value]:
    rows = [item.scores for item in window.items]
    makers = [_maker(window, item) for item in window.items]
    return METRICS[name](window.classifier, window.batch, rows, window.target, makers, **params)


def _by_rationale(window: Window, name: str, params: Mapping[str, Any]) -> list[Value]:
    found = [score_plausibility(name, item.offsets, item.scores, item.text.rationale, params) for item in window.items]
    return [Value(one.value, "" if one.status == "ok" else one.status.replace("_", " ")) for one in found]


# By what a metric needs, as the catalogue says.
_FAMILIES: dict[str, Callable[[Window, str, Mapping[str, Any]], list[Value]]] = {
    MODEL: _by_model,
    METHOD: _by_method,
    RATIONALE: _by_rationale,
}


def _maker(window: Window, item: ToScore) -> Maker | None:
    """The method of an explanation, one object for equal parameters; None where it is not one of ours."""
    key = json.dumps([item.method, item.params], sort_keys=True)
    if key not in window.makers:
        window.makers[key] = _find_maker(item)
    return window.makers[key]


def _find_maker(item: ToScore) -> Maker | None:
    if item.method not in METHODS:
        return None
    try:
        params = complete_params(item.method, METHODS[item.method].parameters, item.params)
        function = function_of(METHODS[item.method])
    except (ValueError, ClassifierError):
        # Made by other parameters than today's, or by a method from outside that is gone.
        return None
    pieces = params.pop("pieces", "sum")
    return Maker(item.method, lambda classifier, batch, target: function(classifier, batch, target, **params), pieces)


def _finite(value: Value) -> Value:
    return Value(None, NOT_FINITE) if value.value is not None and not math.isfinite(value.value) else value
