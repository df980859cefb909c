"""LIME on words. Ribeiro et al. 2016, https://arxiv.org/abs/1602.04938

    scores = argmin over b of  sum over samples z of  pi(z) (f(z) - b0 - b . z)^2 + ridge |b|^2
    pi(z) = exp(-D(z)^2 / (2 width^2)),   D(z) = 1 - sqrt(share of words kept in z)   (cosine distance)

z says which words are kept; the pieces of the others are deleted from the ids. The number of words left out
is uniform over 1..n, then which ones. The first sample is the text itself.
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.saliency.seeding import generator_for


def lime(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    samples: int = 200,
    kernel_width: float = 0.25,
    ridge: float = 1.0,
    seed: int = 0,
) -> Tensor:
    """Signed scores (texts, pieces): a word's coefficient, spread evenly over its pieces."""
    rows = []
    for text, label in zip(batch.texts, target.tolist(), strict=True):
        kept = _draw(text, samples, classifier.weights_hash, seed)
        variants = [_variant(text, mask) for mask in kept.bool().tolist()]
        logits = classifier.logits_of(variants, batch.budget)[:, label].double()
        coefficients = _fit(kept, logits, kernel_width, ridge).tolist()
        rows.append(text.to_pieces(dict(zip(text.seen, coefficients, strict=True))))
    return batch.pad(rows)


def _draw(text: Encoded, samples: int, weights_hash: str, seed: int) -> Tensor:
    """Kept words (samples, words), 1 or 0, the same for the same text and classifier."""
    generator = generator_for(text.content, "lime", weights_hash, seed)
    count = len(text.seen)
    removed = torch.randint(1, max(count, 1) + 1, (samples,), generator=generator)
    order = torch.rand(samples, count, generator=generator).argsort(1).argsort(1)
    kept = (order >= removed[:, None]).double()
    kept[0] = 1
    return kept


def _variant(text: Encoded, mask: list[bool]) -> tuple[int, ...]:
    return text.without({word for word, keep in zip(text.seen, mask, strict=True) if not keep})


def _fit(kept: Tensor, values: Tensor, width: float, ridge: float) -> Tensor:
    """Coefficients (words,) of the weighted ridge regression with a free intercept."""
    distance = 1 - kept.mean(1).sqrt()
    weight = (-(distance**2) / (2 * width**2)).exp()
    share = (weight / weight.sum())[:, None]
    centred = kept - (share * kept).sum(0)
    residual = values - (share[:, 0] * values).sum()
    weighted = centred * weight[:, None]
    penalty = torch.eye(kept.shape[1], dtype=kept.dtype) * ridge
    solution: Tensor = torch.linalg.lstsq(
        weighted.T @ centred + penalty, weighted.T @ residual, driver="gelsd"
    ).solution
    return solution
