"""Attention received, over all layers. Lu et al. 2024, https://arxiv.org/abs/2405.10767

score_k = sum over layers l, heads h and query positions q of A[l, h, q, k]
"""

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import received


def attention_all(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Scores (texts, pieces), never negative; the target plays no part."""
    return received(classifier, batch).sum(0)
