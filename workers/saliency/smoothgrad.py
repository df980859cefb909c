"""SmoothGrad. Smilkov et al. 2017, https://arxiv.org/abs/1706.03825

    score_i = mean over samples n of  map_i(e + n),   n ~ Normal(0, sigma (max e - min e))

`map` is any gradient method; samples and sigma as in Ding & Koehn 2021, https://arxiv.org/abs/2104.05824
"""

from torch import Tensor

from workers import saliency
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.noise import moments
from workers.saliency.seeding import generators_for


def smoothgrad(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    of: str = "gradient",
    samples: int = 30,
    sigma: float = 0.15,
    seed: int = 0,
) -> Tensor:
    """Scores (texts, pieces), signed where those of the wrapped method are; error falls as 1 / sqrt(samples)."""
    generators = generators_for(batch.texts, "smoothgrad", classifier.weights_hash, seed)
    mean, _ = moments(saliency.METHODS[of], classifier, batch, target, samples, sigma, generators)
    return mean
