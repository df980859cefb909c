"""Shapley values by sampled orders. Castro et al. 2009, doi:10.1016/j.cor.2008.04.004; Strumbelj & Kononenko 2014

    score_w = mean over orders of  v(words up to w) - v(words before w)

Each order is also taken backwards (antithetic: what is left after w forwards comes before it backwards). Every
order's differences add up to v(all words) - v(none), and so do the scores.
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.saliency.coalitions import outputs_without
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
        scores = torch.zeros(len(text.seen), dtype=torch.double)
        for _ in range(pairs):
            order = torch.randperm(len(scores), generator=generator)
            for walk in (order, order.flip(0)):
                values = _along(classifier, batch, text, label, absent, walk)
                scores[walk] += values.diff() / (2 * pairs)
        rows.append(text.to_pieces(dict(zip(text.seen, scores.tolist(), strict=True))))
        moved.append(float(values[-1] - values[0]))
    claim(batch, torch.tensor(moved, dtype=torch.double))
    return batch.pad(rows)


def _along(classifier: TextClassifier, batch: Batch, text: Encoded, label: int, absent: str, order: Tensor) -> Tensor:
    """v (words + 1,) of the first 0, 1, 2, ... words of an order; what an earlier order tried is remembered."""
    seen = text.seen
    words = [seen[place] for place in order.tolist()]
    left_out = (set(words[count:]) for count in range(len(words) + 1))
    return outputs_without(classifier, batch, text, absent, left_out)[:, label]
