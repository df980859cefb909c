"""Integrated gradients as Ding & Koehn 2021 released them, https://arxiv.org/abs/2104.05824

score_i = mean over k = 1..steps of  sum over d of (k / steps) e_id * d log p / de_id at (k / steps) e

The factor k / steps inside the mean is theirs: scores fall short of log p(x) - log p(0), and the late part of
the path counts more. `integrated_gradients` is the method of Sundararajan et al.
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import forward, log_gradient_of, real


def ding2021_integrated_gradients(classifier: TextClassifier, batch: Batch, target: Tensor, steps: int = 50) -> Tensor:
    """Signed scores (texts, pieces); p is the target's probability (regression: the output itself).

    They took 50 steps for transformers, 100 for LSTMs.
    """
    own = forward(classifier, batch).embeddings.detach()
    total = torch.zeros(batch.input_ids.shape, dtype=torch.double)
    rows = [row for row in range(len(batch)) for _ in range(steps)]
    shares = (torch.arange(1, steps + 1) / steps).repeat(len(batch)).to(own)
    for part, width in batch.parts(rows):
        index = torch.tensor(rows[part], device=own.device)
        point = shares[part, None, None] * own[index, :width]
        scores = (point * log_gradient_of(classifier, batch.at(index, point), target[index])).sum(-1)
        total[:, :width].index_add_(0, index.cpu(), scores.double().cpu())
    return real(batch, (total / steps).float().to(own.device))
