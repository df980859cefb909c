"""LIME on words. Ribeiro et al. 2016, https://arxiv.org/abs/1602.04938

    scores = argmin over b of  sum over samples z of  pi(z) (f(z) - b0 - b . z)^2 + ridge |b|^2
    pi(z) = exp(-D(z)^2 / (2 width^2)),   D(z) = 1 - sqrt(share of words kept in z)   (cosine distance)

z says which words are kept. The number of words left out is uniform over 1..n, then which ones. The first
sample is the text itself.
"""

from collections.abc import Iterator

import torch
from torch import Generator, Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.saliency.coalitions import SLICE, subsets, values_of
from workers.saliency.seeding import generator_for


def lime(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    samples: int = 200,
    kernel_width: float = 0.25,
    ridge: float = 1.0,
    absent: str = "remove",
    seed: int = 0,
) -> Tensor:
    """Signed scores (texts, pieces): a word's coefficient, spread evenly over its pieces."""
    rows = []
    for text, label in zip(batch.texts, target.tolist(), strict=True):
        words = len(text.seen)
        # Normal equations of [1, z]: they grow with the words, not with the samples.
        square = torch.diag(torch.tensor([0.0] + [ridge] * words, dtype=torch.double))
        right = torch.zeros(words + 1, dtype=torch.double)
        for kept in _draw(words, samples, generator_for(text.content, "lime", classifier.weights_hash, seed)):
            values = values_of(classifier, batch, text, label, absent, kept)
            terms = torch.cat([torch.ones(len(kept), 1), kept], 1)
            weighted = terms * _proximity(kept, kernel_width)[:, None]
            square += weighted.T @ terms
            right += weighted.T @ values
        rows.append(_spread(text, square, right))
    return batch.pad(rows)


def _draw(words: int, samples: int, generator: Generator) -> Iterator[Tensor]:
    """Kept words (samples, words), 1 or 0, a slice at a time; the same for the same text and classifier."""
    for start in range(0, samples, SLICE):
        left_out = torch.randint(1, words + 1, (min(SLICE, samples - start),), generator=generator)
        kept = 1 - subsets(left_out, words, generator)
        if start == 0:
            kept[0] = 1
        yield kept


def _proximity(kept: Tensor, width: float) -> Tensor:
    distance = 1 - kept.mean(1).sqrt()
    return (-(distance**2) / (2 * width**2)).exp()


def _spread(text: Encoded, square: Tensor, right: Tensor) -> list[float]:
    coefficients = torch.linalg.lstsq(square, right, driver="gelsd").solution[1:]
    return text.to_pieces(dict(zip(text.seen, coefficients.tolist(), strict=True)))
