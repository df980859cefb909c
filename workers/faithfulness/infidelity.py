"""Infidelity. Yeh et al. 2019, https://arxiv.org/abs/1901.09392

    mean over I of  (beta sum over w in I of score_w  -  (f(x) - f(x without the words I)))^2

The perturbation I takes some words away (their square removal, with words for squares): first how many, uniformly
from 1 to all, then which. beta scales the scores as fits them best, as the paper does, for methods have units of
their own; without `scaled` it is 1. f is the class's `score` (logit) or its `probability`.
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from catalogue.reasons import NO_EFFECT
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Row, Undefined, Value, WordScores, by_erasing
from workers.saliency.coalitions import subsets
from workers.saliency.seeding import generator_for

TINY = 1e-300


def infidelity(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    samples: int = 50,
    scaled: bool = True,
    output: str = "score",
    absent: str = "remove",
    seed: int = 0,
) -> list[Value]:
    """One value of 0 or more a row, lower is better, in the square of the output's unit.

    A text's I are the same for all its explanations.
    """

    def erased(row: Row) -> Iterable[set[int]]:
        taken = _draw(classifier, row, samples, seed).bool().tolist()
        return ({word for word, gone in zip(row.words, line, strict=True) if gone} for line in taken)

    def value(row: Row, f: list[float]) -> float:
        falls = f[0] - torch.tensor(f[1:], dtype=torch.double)
        if not falls.any():
            raise Undefined(NO_EFFECT)
        sums = _draw(classifier, row, samples, seed) @ torch.tensor(row.scores, dtype=torch.double)
        beta = sums @ falls / (sums @ sums).clamp(min=TINY) if scaled else 1.0
        return float((beta * sums - falls).square().mean())

    return by_erasing(classifier, batch, word_scores, target, absent, erased, value, output)


def _draw(classifier: TextClassifier, row: Row, samples: int, seed: int) -> Tensor:
    """Words taken away (samples, words), 1 or 0, by the text and the classifier."""
    generator = generator_for(row.text.content, "infidelity", classifier.weights_hash, seed)
    sizes = torch.randint(1, len(row.words) + 1, (samples,), generator=generator)
    return subsets(sizes, len(row.words), generator)
