"""LIME as Lu et al. 2024 ran it, https://arxiv.org/abs/2405.10767: every cell of the embeddings is a feature.

    z_id ~ Bernoulli(1/2) for each piece i and dimension d;   e'_id = z_id e_id
    score_i = sum over d of b_id
    b = argmin of  sum over z of pi(z) (f(e') - b0 - b . z)^2 / (2 sum of pi) + alpha |b|_1
    pi(z) = exp(-D(z)^2 / 2),   D(z) = 1 - cos(e, e')

With 40 samples and tens of thousands of features nearly every coefficient is zero, and the rest is chance: a
defect that explains its last place among their methods. Kept for comparison; `lime` is the method. Kernel
and alpha = 0.01 are captum's defaults, which they left as they were.
"""

import torch
from sklearn.linear_model import Lasso
from torch import Generator, Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import forward, output_at
from workers.saliency.seeding import generators_for

ALPHA = 0.01


def lu2024_lime(classifier: TextClassifier, batch: Batch, target: Tensor, samples: int = 40, seed: int = 0) -> Tensor:
    """Signed scores (texts, pieces), most of them zero; f is the target's logit, e the word embedding."""
    generators = generators_for(batch.texts, "lu2024_lime", classifier.weights_hash, seed)
    return batch.pad(
        [_scores(classifier, batch, target, row, samples, generator) for row, generator in enumerate(generators)]
    )


def _scores(
    classifier: TextClassifier, batch: Batch, target: Tensor, row: int, samples: int, generator: Generator
) -> list[float]:
    own = forward(classifier, batch).embeddings.detach()[row, : batch.lengths[row]].float().cpu()
    kept = torch.rand(samples, *own.shape, generator=generator) < 0.5
    outputs, weights = [], []
    for part, _ in batch.parts([row] * samples):
        cells = kept[part] * own
        weights.append(_proximity(own.flatten(), cells.flatten(1)))
        rows = torch.full((len(cells),), row, device=target.device)
        embeddings = cells.to(forward(classifier, batch).embeddings)
        outputs.append(output_at(classifier, batch.at(rows, embeddings), target[rows], embeddings).cpu())
    fitted = Lasso(ALPHA).fit(kept.flatten(1).float().numpy(), torch.cat(outputs).numpy(), torch.cat(weights).numpy())
    scores: list[float] = fitted.coef_.reshape(own.shape).sum(-1).tolist()
    return scores


def _proximity(own: Tensor, cells: Tensor) -> Tensor:
    distance = 1 - torch.cosine_similarity(own[None], cells)
    return (-(distance**2) / 2).exp()
