"""The passes that methods share: one forward and one backward serve a whole family.

Everything is kept in the batch's memo, and goes with the batch.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.errors import ClassifierError
from workers.classifiers.transformer import TransformerClassifier


@dataclass(frozen=True)
class Forward:
    """`embeddings` (texts, pieces, dimensions), `logits` (texts, labels), `received` (layers, texts, pieces)."""

    embeddings: Tensor
    logits: Tensor
    received: Tensor


def forward(classifier: TransformerClassifier, batch: Batch) -> Forward:
    """The one forward pass of a batch, ready for a backward."""
    if "forward" not in batch.memo:
        with torch.enable_grad():
            embeddings = classifier.embed(batch.input_ids).detach().requires_grad_()
            output = classifier.run(batch.input_ids, batch.attention_mask, embeddings, attentions=True)
        received = _received(output.attentions, batch.attention_mask)
        batch.memo["forward"] = Forward(embeddings, output.logits, received)
    kept: Forward = batch.memo["forward"]
    return kept


def _received(attentions: tuple[Tensor, ...] | None, attention_mask: Tensor) -> Tensor:
    """Attention that each piece receives, summed over heads and real query positions, layer by layer."""
    if not attentions or any(layer is None for layer in attentions):
        raise ClassifierError(
            "The model returned no attention weights: it must be loaded with attn_implementation='eager'."
        )
    queries = attention_mask.to(attentions[0].dtype)
    received = [torch.einsum("bhqk,bq->bk", layer.detach(), queries) for layer in attentions]
    return torch.stack(received) * queries


def gradient_of(classifier: TransformerClassifier, batch: Batch, target: Tensor) -> Tensor:
    """d logit[target] / d embeddings, shape (texts, pieces, dimensions)."""
    key = ("gradient", tuple(target.tolist()))
    if key not in batch.memo:
        passed = forward(classifier, batch)
        chosen = pick(passed.logits, target).sum()
        (gradient,) = torch.autograd.grad(chosen, passed.embeddings, retain_graph=True)
        batch.memo[key] = gradient
    kept: Tensor = batch.memo[key]
    return kept


def baseline_logits(classifier: TransformerClassifier, batch: Batch) -> Tensor:
    """Logits (texts, labels) of the empty input: every word embedding zero."""
    if "baseline" not in batch.memo:
        nothing = torch.zeros_like(forward(classifier, batch).embeddings)
        with torch.no_grad():
            batch.memo["baseline"] = classifier.logits(batch.input_ids, batch.attention_mask, nothing)
    kept: Tensor = batch.memo["baseline"]
    return kept


def completeness_errors(
    classifier: TransformerClassifier, batch: Batch, target: Tensor, scores: Tensor
) -> list[float | None]:
    """Relative completeness error of each text: |sum of scores - (f(x) - f(0))| / |f(x) - f(0)|.

    None where f(x) = f(0), which leaves nothing to be relative to.
    """
    moved = pick(forward(classifier, batch).logits.detach(), target) - pick(baseline_logits(classifier, batch), target)
    errors = (scores.sum(-1) - moved).abs() / moved.abs()
    return [error if distance else None for error, distance in zip(errors.tolist(), moved.tolist(), strict=True)]


def pick(logits: Tensor, target: Tensor) -> Tensor:
    """The logit of each text's own target, shape (texts,)."""
    return logits.gather(1, target[:, None]).squeeze(1)


def real(batch: Batch, scores: Tensor) -> Tensor:
    """Scores with the padding set to zero."""
    return scores * batch.attention_mask.to(scores.dtype)
