"""Gradient SHAP, also called expected gradients. Lundberg & Lee 2017, https://arxiv.org/abs/1705.07874;
Erion et al. 2021, https://arxiv.org/abs/1906.10670

    score_i = E over n, a of  sum over d of (e + n - b)_id * df / de_id at b + a (e + n - b)
    n ~ Normal(0, sigma (max e - min e)),   a ~ Uniform(0, 1)

Sample k of m draws its a from the k-th of m equal parts of 0..1: no bias, and less error than free draws.
The scores sum to f(x) - f(b) in expectation; the completeness error says how far a finite mean is from it.
"""

import torch
from torch import Generator, Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.baselines import baseline_of
from workers.saliency.noise import noisy
from workers.saliency.passes import claim, forward, gradient_of, output_at, pick, real
from workers.saliency.seeding import generators_for


def gradient_shap(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    samples: int = 30,
    sigma: float = 0.01,
    baseline: str = "zero",
    seed: int = 0,
) -> Tensor:
    """Signed scores (texts, pieces); f is the target's logit, e the word embedding."""
    empty = baseline_of(classifier, batch, baseline)
    claim(batch, pick(forward(classifier, batch).logits, target) - output_at(classifier, batch, target, empty))
    generators = generators_for(batch.texts, "gradient_shap", classifier.weights_hash, seed)
    points = torch.stack([_points(samples, generator) for generator in generators]).flatten().to(empty)
    total = torch.zeros(batch.input_ids.shape, dtype=torch.double)
    done = 0
    for rows, embeddings in noisy(classifier, batch, samples, sigma, generators):
        start = empty[rows, : embeddings.shape[1]]
        way = embeddings - start
        at = points[done : done + len(rows), None, None]
        done += len(rows)
        gradient = gradient_of(classifier, batch.at(rows, start + at * way), target[rows])
        total[:, : way.shape[1]].index_add_(0, rows.cpu(), (way * gradient).sum(-1).double().cpu())
    return real(batch, (total / samples).float().to(batch.input_ids.device))


def _points(samples: int, generator: Generator) -> Tensor:
    return (torch.arange(samples) + torch.rand(samples, generator=generator)) / samples
