"""Gradient. Simonyan et al. 2014, https://arxiv.org/abs/1312.6034

score_i = sum over dimensions d of |df / de_id|          (L1, as in Lu et al. 2024)
"""

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import gradient_of, real


def gradient(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Scores (texts, pieces), never negative; f is the target's logit, e the word embedding."""
    return real(batch, gradient_of(classifier, batch, target).abs().sum(-1))
