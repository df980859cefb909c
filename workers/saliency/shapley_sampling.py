"""Shapley values by sampled orders. Castro et al. 2009, doi:10.1016/j.cor.2008.04.004; Strumbelj & Kononenko 2014

    score_w = mean over orders of  v(words up to w) - v(words before w)

Each order is also taken backwards (antithetic: what is left after w forwards comes before it backwards). Every
order's differences add up to v(all words) - v(none), and so do the scores.
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.coalitions import values_of
from workers.saliency.passes import claim
from workers.saliency.seeding import generator_for


def shapley_sampling(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    pairs: int = 5,
    absent: str = "remove",
    seed: int = 0,
) -> Tensor:
    """Signed scores (texts, pieces) whose sum is v(all words) - v(none); v is the target's logit.

    Unbiased; the standard error falls as 1 / sqrt(pairs).
    """
    rows, moved = [], []
    for text, label in zip(batch.texts, target.tolist(), strict=True):
        generator = generator_for(text.content, "shapley_sampling", classifier.weights_hash, seed)
        forwards = [torch.randperm(len(text.seen), generator=generator) for _ in range(pairs)]
        orders = torch.stack([walk for order in forwards for walk in (order, order.flip(0))])
        values = values_of(classifier, batch, text, label, absent, _along(orders).flatten(0, 1)).view(2 * pairs, -1)
        scores = torch.zeros(orders.shape, dtype=torch.double).scatter_(1, orders, values.diff()).mean(0)
        rows.append(text.to_pieces(dict(zip(text.seen, scores.tolist(), strict=True))))
        moved.append(float(values[0, -1] - values[0, 0]))
    claim(batch, torch.tensor(moved, dtype=torch.double))
    return batch.pad(rows)


def _along(orders: Tensor) -> Tensor:
    """Which words (orders, words + 1, words) are kept, 1 or 0, after the first 0, 1, 2, ... of each order."""
    ranks = orders.argsort(1)
    return (ranks[:, None] < torch.arange(orders.shape[1] + 1)[:, None]).double()
