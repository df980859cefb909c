"""VarGrad. Adebayo et al. 2018, https://arxiv.org/abs/1810.03292

    score_i = variance over samples n of  map_i(e + n),   n ~ Normal(0, sigma (max e - min e))

`map` is any gradient method; the variance is that of the piece's score, not the sum over its dimensions.
"""

from torch import Tensor

from workers import saliency
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.noise import moments
from workers.saliency.seeding import generators_for


def vargrad(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    of: str = "gradient",
    samples: int = 30,
    sigma: float = 0.15,
    seed: int = 0,
) -> Tensor:
    """Scores (texts, pieces), never negative: how much the wrapped method's score hangs on the exact embedding."""
    generators = generators_for(batch.texts, "vargrad", classifier.weights_hash, seed)
    _, variance = moments(saliency.METHODS[of], classifier, batch, target, samples, sigma, generators)
    return variance
