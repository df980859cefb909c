"""Input x gradient. Shrikumar et al. 2016, https://arxiv.org/abs/1605.01713

score_i = sum over dimensions d of e_id * df / de_id
"""

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import forward, gradient_of, real


def input_x_gradient(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Signed scores (texts, pieces); f is the target's logit, e the word embedding."""
    embeddings = forward(classifier, batch).embeddings.detach()
    return real(batch, (embeddings * gradient_of(classifier, batch, target)).sum(-1))
