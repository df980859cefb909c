"""Integrated gradients. Sundararajan et al. 2017, https://arxiv.org/abs/1703.01365

    score_i = sum over d of (e - b)_id * integral from 0 to 1 of (df / de_id at b + a (e - b)) da

b is the baseline (see baselines.py). The integral takes as many points as a text needs (see quadrature.py):
until its relative completeness error is at most `tolerance`, or it has had `most_nodes`. With `nodes` every
text gets the Gauss-Legendre sum over so many.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.baselines import baseline_of
from workers.saliency.passes import claim, forward, gradient_of, output_at, pick, real
from workers.saliency.quadrature import Path

Point = tuple[int, float]


def integrated_gradients(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    tolerance: float = 0.03,
    most_nodes: int = 64,
    nodes: int = 0,
    baseline: str = "zero",
) -> Tensor:
    """Signed scores (texts, pieces) that sum to f(x) - f(b) within the completeness error; f is the target's logit."""
    empty = baseline_of(classifier, batch, baseline)
    if nodes:
        return _fixed(classifier, batch, target, empty, nodes)
    return _adaptive(classifier, batch, target, empty, tolerance, most_nodes)


def _fixed(classifier: TextClassifier, batch: Batch, target: Tensor, empty: Tensor, nodes: int) -> Tensor:
    claim(batch, pick(forward(classifier, batch).logits, target) - output_at(classifier, batch, target, empty))
    points, weights = np.polynomial.legendre.leggauss(nodes)
    wanted = [(row, float(point + 1) / 2) for row in range(len(batch)) for point in points]
    shares = torch.from_numpy(weights / 2).repeat(len(batch))
    total = torch.zeros(batch.input_ids.shape, dtype=torch.double)
    for part, _, slopes in _along(classifier, batch, target, empty, wanted):
        rows = torch.tensor([row for row, _ in wanted[part]])
        total[:, : slopes.shape[1]].index_add_(0, rows, shares[part, None] * slopes.double())
    return real(batch, total.float().to(batch.input_ids.device))


def _adaptive(
    classifier: TextClassifier, batch: Batch, target: Tensor, empty: Tensor, tolerance: float, most_nodes: int
) -> Tensor:
    paths = [Path() for _ in batch.texts]
    _learn_the_ends(classifier, batch, target, empty, paths)
    while wanted := [(row, point) for row, path in enumerate(paths) for point in path.missing()]:
        for part, values, slopes in _along(classifier, batch, target, empty, wanted):
            for (row, point), value, slope in zip(wanted[part], values.tolist(), slopes, strict=True):
                paths[row].learn(point, value, slope[: len(batch.texts[row].input_ids)])
        for path in paths:
            path.refine(tolerance, most_nodes)
    claim(batch, torch.tensor([path.moved for path in paths], dtype=torch.double))
    return batch.pad([path.integral().tolist() for path in paths])


def _learn_the_ends(
    classifier: TextClassifier, batch: Batch, target: Tensor, empty: Tensor, paths: Sequence[Path]
) -> None:
    """At the text itself the pass is the one that all gradient methods share."""
    own = forward(classifier, batch)
    slopes = (gradient_of(classifier, batch, target) * (own.embeddings.detach() - empty)).sum(-1).cpu()
    for row, value in enumerate(pick(own.logits.detach(), target).tolist()):
        paths[row].learn(1.0, value, slopes[row, : len(batch.texts[row].input_ids)])


def _along(
    classifier: TextClassifier, batch: Batch, target: Tensor, empty: Tensor, wanted: Sequence[Point]
) -> Iterator[tuple[slice, Tensor, Tensor]]:
    """For parts of `wanted`, streamed through the token budget: f (n,) and what each piece adds to f' (n, pieces)."""
    own = forward(classifier, batch).embeddings.detach()
    for part, width in batch.parts([row for row, _ in wanted]):
        rows = torch.tensor([row for row, _ in wanted[part]], device=own.device)
        alphas = torch.tensor([point for _, point in wanted[part]], device=own.device)
        start, way = empty[rows, :width], (own - empty)[rows, :width]
        there = batch.at(rows, (start + alphas[:, None, None] * way).to(own.dtype))
        gradient = gradient_of(classifier, there, target[rows])
        values = pick(forward(classifier, there).logits.detach(), target[rows])
        yield part, values.cpu(), (way * gradient).sum(-1).cpu()
