"""Gradient. Simonyan et al. 2014, https://arxiv.org/abs/1312.6034

    g_i = df / de_i,  one value for each dimension d of the embedding of piece i

    l1           sum over d of |g_id|      Lu et al. 2024, https://arxiv.org/abs/2405.10767
    l2           sqrt(sum over d of g_id^2)
    squared_l2   sum over d of g_id^2      Arras et al. 2019, https://arxiv.org/abs/1904.11829
    signed       sum over d of g_id
    mean         mean over d of |g_id|

Where a layer norm reads the embeddings, as in BERT, the signed sum is zero: moving all dimensions by the same
amount changes nothing. What rounding leaves of it is no score, and is set to zero.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import gradient_of, real

ROUNDING = 1e-5
REDUCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "l1": lambda g: g.abs().sum(-1),
    "l2": lambda g: g.norm(dim=-1),
    "squared_l2": lambda g: g.square().sum(-1),
    "signed": lambda g: torch.where(g.sum(-1).abs() > ROUNDING * g.abs().sum(-1), g.sum(-1), 0.0),
    "mean": lambda g: g.abs().mean(-1),
}


def gradient(classifier: TextClassifier, batch: Batch, target: Tensor, reduction: str = "l1") -> Tensor:
    """Scores (texts, pieces), never negative but for `signed`; f is the target's logit, e the word embedding."""
    return real(batch, REDUCTIONS[reduction](gradient_of(classifier, batch, target)))
