"""The gradient norm GN of Ding & Koehn 2021, https://arxiv.org/abs/2104.05824

score_i = m_i / sum over the pieces j of words of m_j,   m_i = mean over dimensions d of |d log p / de_id|
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import log_gradient_of


def ding2021_gradient_norm(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Scores (texts, pieces), never negative, that sum to one over words; special tokens have none.

    p is the target's probability (regression: the output itself).
    """
    norms = log_gradient_of(classifier, batch, target).abs().mean(-1)
    words = torch.zeros_like(norms)
    for row, text in enumerate(batch.texts):
        words[row, list(text.words_of)] = 1
    shares = torch.where(words > 0, norms, 0.0)
    total = shares.sum(-1, keepdim=True)
    return shares / torch.where(total > 0, total, 1.0)
