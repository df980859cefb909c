"""A text whose attention weights are given, so that a case can be computed by hand."""

from collections.abc import Sequence

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import Forward


def attending(classifier: TextClassifier, content: str, layers: Sequence[Tensor]) -> Batch:
    """A batch of one text; `layers` are (heads, queries, keys), one for each layer."""
    batch = classifier.batch([classifier.encode("1", content)])
    assert all(layer.shape[-1] == batch.input_ids.shape[1] for layer in layers)
    weights = tuple(layer[None] for layer in layers)
    batch.memo["forward"] = Forward(classifier.embed(batch.input_ids), torch.zeros(1, 2), weights)
    return batch
