"""Attention x gradient, the generic rule for self-attention. Chefer et al. 2021, https://arxiv.org/abs/2103.15679

R_0 = I,   R_l = R_(l-1) + E_l R_(l-1),   E_l = mean over heads of (dy / dA_l * A_l)^+
score = w (R_L - I),                      w = the share of each position in what the head reads
"""

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import attention_gradients_of, attentions_of, real


def attention_x_gradient(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Scores (texts, pieces), never negative; y is the target's logit."""
    layers = attentions_of(classifier, batch)
    gradients = attention_gradients_of(classifier, batch, target)
    read = classifier.readout(batch.attention_mask).to(layers[0])
    score = read
    # Only the row that is read is carried, from the last layer to the first: w (I + E_L) ... (I + E_1).
    for layer, gradient in zip(reversed(layers), reversed(gradients), strict=True):
        evidence = (gradient * layer.detach()).clamp(min=0).mean(1)
        score = score + (score[:, None] @ evidence)[:, 0]
    return real(batch, score - read)
