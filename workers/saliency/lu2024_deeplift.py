"""DeepLIFT as Lu et al. 2024 ran it: captum's, https://arxiv.org/abs/2405.10767

    score_i = sum over d of (e_id - 0) * m_id,   m by the chain of multipliers delta out / delta in

Captum has a rule for activations that are modules of torch, and takes the plain gradient of everything else:
on transformers that is GELU, LayerNorm, softmax and every product. The scores then are close to input x
gradient and do not sum to f(x) - f(0); the completeness error says by how much they miss. `deeplift` has
rules for all of these.
"""

import warnings

import torch
from captum.attr import DeepLift
from torch import Tensor, nn

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import claim, forward, output_at, pick, real


class _Embedded(nn.Module):
    """The classifier as a module of its embeddings, which is the shape captum wants."""

    def __init__(self, classifier: TextClassifier) -> None:
        super().__init__()
        self.classifier = classifier
        self.model = classifier.model

    def forward(self, embeddings: Tensor, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return self.classifier.logits(input_ids, attention_mask, embeddings)


def lu2024_deeplift(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Signed scores (texts, pieces) against the zero embedding; f is the target's logit."""
    embeddings = forward(classifier, batch).embeddings.detach().clone()
    start = output_at(classifier, batch, target, torch.zeros_like(embeddings))
    claim(batch, pick(forward(classifier, batch).logits, target) - start)
    with warnings.catch_warnings(), torch.enable_grad():
        # Captum announces the hooks that it sets and takes away again.
        warnings.simplefilter("ignore")
        scores: Tensor = DeepLift(_Embedded(classifier)).attribute(
            embeddings,
            baselines=torch.zeros_like(embeddings),
            target=target,
            additional_forward_args=(batch.input_ids, batch.attention_mask),
        )
    return real(batch, scores.detach().sum(-1))
