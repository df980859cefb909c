"""Integrated gradients. Sundararajan et al. 2017, https://arxiv.org/abs/1703.01365

    score_i = sum over d of e_id * integral from 0 to 1 of (df / de_id at a * e) da

The baseline is the zero embedding; the integral is a Gauss-Legendre sum over `nodes` points. A text whose
relative completeness error stays above `tolerance` is done again with `most_nodes`.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import claim, forward, output_at, pick, real, relative_errors


def integrated_gradients(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    nodes: int = 20,
    most_nodes: int = 50,
    tolerance: float = 0.1,
) -> Tensor:
    """Signed scores (texts, pieces) that sum to f(x) - f(0) within the completeness error."""
    scores = _integrate(classifier, batch, target, range(len(batch)), nodes)
    start = output_at(classifier, batch, target, torch.zeros_like(forward(classifier, batch).embeddings))
    moved = pick(forward(classifier, batch).logits.detach(), target) - start
    claim(batch, moved)
    errors = relative_errors(scores, moved)
    rough = [index for index, error in enumerate(errors) if error is not None and error > tolerance]
    if rough and most_nodes > nodes:
        scores[rough] = _integrate(classifier, batch, target, rough, most_nodes)
    return scores


def _integrate(classifier: TextClassifier, batch: Batch, target: Tensor, rows: Sequence[int], nodes: int) -> Tensor:
    """Scores (rows, pieces): all points of all rows, streamed through the token budget."""
    embeddings = forward(classifier, batch).embeddings.detach()
    points, weights = np.polynomial.legendre.leggauss(nodes)
    steps = [(row, (point + 1) / 2, weight / 2) for row in rows for point, weight in zip(points, weights, strict=True)]
    total = torch.zeros_like(embeddings)
    at_once = batch.at_once
    for start in range(0, len(steps), at_once):
        chosen, alphas, shares = zip(*steps[start : start + at_once], strict=True)
        index = torch.tensor(chosen, device=embeddings.device)
        gradient = _gradient_at(classifier, batch, target, index, embeddings.new_tensor(alphas))
        total.index_add_(0, index, gradient * embeddings.new_tensor(shares)[:, None, None])
    return real(batch, (total * embeddings).sum(-1))[list(rows)]


def _gradient_at(classifier: TextClassifier, batch: Batch, target: Tensor, index: Tensor, alphas: Tensor) -> Tensor:
    embeddings = forward(classifier, batch).embeddings.detach()[index] * alphas[:, None, None]
    with torch.enable_grad():
        embeddings.requires_grad_()
        logits = classifier.logits(batch.input_ids[index], batch.attention_mask[index], embeddings)
        (gradient,) = torch.autograd.grad(pick(logits, target[index]).sum(), embeddings)
    return gradient
