"""Kernel SHAP on words. Lundberg & Lee 2017, https://arxiv.org/abs/1705.07874

    scores = argmin over b of  sum over coalitions S of  k(S) (v(S) - v({}) - sum of b_w over w in S)^2
    subject to  sum of all b_w = v(all) - v({}),   k(S) ~ (n - 1) / (C(n, |S|) |S| (n - |S|))

Where all 2^n coalitions fit into `samples`, the Shapley values themselves:

    score_w = sum over S without w of  |S|! (n - |S| - 1)! / n! (v(S and w) - v(S))

Else coalitions are drawn by k, each with its complement, which halves the error or better (Covert & Lee 2021,
https://arxiv.org/abs/2012.01536); where they leave the solution open, the smallest one is taken.
"""

from collections.abc import Callable
from functools import partial
from math import comb

import torch
from torch import Generator, Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.coalitions import SLICE, subsets, values_of
from workers.saliency.passes import claim
from workers.saliency.seeding import generator_for

Value = Callable[[Tensor], Tensor]


def kernel_shap(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    samples: int = 512,
    absent: str = "remove",
    seed: int = 0,
) -> Tensor:
    """Signed scores (texts, pieces) whose sum is v(all words) - v(none); v is the target's logit."""
    rows, moved = [], []
    for text, label in zip(batch.texts, target.tolist(), strict=True):
        words = len(text.seen)
        value = partial(values_of, classifier, batch, text, label, absent)
        if 2**words <= samples:
            scores, gained = _exact(words, value)
        else:
            generator = generator_for(text.content, "kernel_shap", classifier.weights_hash, seed)
            scores, gained = _sampled(words, value, samples, generator)
        rows.append(text.to_pieces(dict(zip(text.seen, scores.tolist(), strict=True))))
        moved.append(gained)
    claim(batch, torch.tensor(moved, dtype=torch.double))
    return batch.pad(rows)


def _exact(words: int, value: Value) -> tuple[Tensor, float]:
    """Shapley values (words,) and their sum; weights are |S|! (n - |S| - 1)! / n! = 1 / ((n - |S|) C(n, |S|))."""
    kept = ((torch.arange(2**words)[:, None] >> torch.arange(words)) & 1).double()
    sizes = kept.sum(1).long()
    joined = torch.tensor([0.0] + [1 / (size * comb(words, size)) for size in range(1, words + 1)])
    joining = torch.tensor([1 / ((words - size) * comb(words, size)) for size in range(words)] + [0.0])
    shares = kept * joined.double()[sizes, None] - (1 - kept) * joining.double()[sizes, None]
    values = value(kept)
    return shares.T @ values, float(values[-1] - values[0])


def _sampled(words: int, value: Value, samples: int, generator: Generator) -> tuple[Tensor, float]:
    """Scores (words,), an equal share of the total for each word and what least squares add to it; and their total."""
    nothing, everything = value(torch.stack([torch.zeros(words), torch.ones(words)])).tolist()
    share = (everything - nothing) / words
    kernel = torch.tensor([1 / (size * (words - size)) for size in range(1, words)])
    square, right = torch.zeros(words, words, dtype=torch.double), torch.zeros(words, dtype=torch.double)
    pairs = max(1, samples // 2 - 1)
    for start in range(0, pairs, SLICE // 2):
        count = min(SLICE // 2, pairs - start)
        half = subsets(1 + torch.multinomial(kernel, count, replacement=True, generator=generator), words, generator)
        kept = torch.cat([half, 1 - half])
        # Rows that sum to zero leave the constraint alone.
        terms = kept - kept.mean(1, keepdim=True)
        square += terms.T @ terms
        right += terms.T @ (value(kept) - nothing - share * kept.sum(1))
    moved: Tensor = torch.linalg.pinv(square, hermitian=True) @ right
    return share + moved, everything - nothing
