"""Attention rollout. Abnar & Zuidema 2020, https://arxiv.org/abs/2005.00928

A'_l = (mean over heads of A_l + I) / 2         half of a layer's output is the residual
score = w A'_L ... A'_2 A'_1,                   w = the share of each position in what the head reads
"""

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import attentions_of, real


def attention_rollout(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Scores (texts, pieces), never negative, that sum to one; the target plays no part."""
    layers = attentions_of(classifier, batch)
    score = classifier.readout(batch.attention_mask).to(layers[0])
    # Only the row that is read is carried, from the last layer to the first.
    for layer in reversed(layers):
        weights = layer.detach().mean(1)
        passed = score[:, None] @ (weights / weights.sum(-1, keepdim=True))
        score = (score + passed[:, 0]) / 2
    return real(batch, score)
