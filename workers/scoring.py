"""Explanations in, metric values out; the explanations of one text share their perturbed inputs."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import torch

from catalogue.choosing import complete
from catalogue.metrics import METRICS as CATALOGUE
from workers.classifiers.batching import TOKEN_BUDGET
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness import METRICS
from workers.records import Scored, ToScore

WINDOW = 64


def score(
    classifier: TextClassifier,
    explanations: Iterable[ToScore],
    metrics: Mapping[str, Mapping[str, Any]],
    budget: int = TOKEN_BUDGET,
) -> Iterator[Scored]:
    """One record for each explanation and metric; keep the explanations of one text together."""
    params = complete("metric", CATALOGUE, metrics)
    source = iter(explanations)
    while window := list(islice(source, WINDOW)):
        encoded = {
            text: classifier.encode(text.text_id, text.content, text.language)
            for text in dict.fromkeys(item.text for item in window)
        }
        batch = classifier.batch([encoded[item.text] for item in window], budget)
        target = torch.tensor([item.target for item in window])
        rows = [item.scores for item in window]
        columns = {name: METRICS[name](classifier, batch, rows, target, **chosen) for name, chosen in params.items()}
        for index, item in enumerate(window):
            for name, values in columns.items():
                yield Scored(item.key, name, params[name], values[index].value, values[index].status)
