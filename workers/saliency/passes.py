"""The passes that methods share: one forward and one backward serve a whole family.

Everything is kept in the batch's memo, and goes with the batch.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import REGRESSION, TextClassifier
from workers.classifiers.errors import ClassifierError

# Who reads attention weights, and who their gradients: the one pass hands out what a batch is asked for.
READ_ATTENTION = frozenset({"attention_all", "attention_last", "attention_rollout", "attention_flow"})
READ_ATTENTION_GRADIENTS = frozenset({"attention_x_gradient"})
CLAIM = "claim"


@dataclass(frozen=True)
class Forward:
    """`embeddings` (texts, pieces, dimensions), `logits` (texts, labels); in one graph until the backward.

    `attentions` has one tensor (texts, heads, queries, keys) a layer, or none where nobody asked for them.
    """

    embeddings: Tensor
    logits: Tensor
    attentions: tuple[Tensor, ...]


def forward(classifier: TextClassifier, batch: Batch) -> Forward:
    """The one forward pass of a batch, ready for a backward."""
    if "forward" not in batch.memo:
        batch.memo["forward"] = _run(classifier, batch, bool(batch.asked & (READ_ATTENTION | READ_ATTENTION_GRADIENTS)))
    kept: Forward = batch.memo["forward"]
    return kept


def _run(classifier: TextClassifier, batch: Batch, attentions: bool) -> Forward:
    with torch.enable_grad():
        given = classifier.embed(batch.input_ids) if batch.embeddings is None else batch.embeddings
        embeddings = given.detach().requires_grad_()
        logits, weights = classifier.run(batch.input_ids, batch.attention_mask, embeddings, attentions)
    return Forward(embeddings, logits.float(), weights)


def attentions_of(classifier: TextClassifier, batch: Batch) -> tuple[Tensor, ...]:
    """Attention weights (texts, heads, queries, keys), one tensor a layer."""
    if not forward(classifier, batch).attentions:
        batch.memo["forward"] = _run(classifier, batch, attentions=True)
    layers = forward(classifier, batch).attentions
    if not layers or any(layer is None for layer in layers):
        raise ClassifierError(
            "The model returned no attention weights: it must be loaded with attn_implementation='eager'."
        )
    pieces = batch.input_ids.shape[1]
    if odd := [layer.shape for layer in layers if layer.shape[-2:] != (pieces, pieces)]:
        raise ClassifierError(
            f"The model's attention does not run from every piece to every piece (its weights are {tuple(odd[0])} for "
            f"{pieces} pieces), which attention methods need: choose others."
        )
    return layers


def received(classifier: TextClassifier, batch: Batch) -> Tensor:
    """Attention (layers, texts, pieces) that each piece receives, summed over heads and real query positions."""
    layers = attentions_of(classifier, batch)
    queries = batch.attention_mask.to(layers[0].dtype)
    # Heads first: they lie apart, and summing over all at once reads memory out of order, at several times the cost.
    rows = [(queries[:, None] @ layer.detach().sum(1))[:, 0] for layer in layers]
    return torch.stack(rows) * queries


def gradient_of(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """d logit[target] / d embeddings, shape (texts, pieces, dimensions)."""
    _backward(classifier, batch, target, bool(batch.asked & READ_ATTENTION_GRADIENTS))
    kept: Tensor = batch.memo["gradient", _key(target)]
    return kept


def log_gradient_of(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """d log p[target] / d embeddings, shape (texts, pieces, dimensions), in a pass of its own."""
    passed = _run(classifier, batch, attentions=False)
    probabilities = classifier.probabilities(passed.logits)
    output = probabilities if classifier.problem_type == REGRESSION else probabilities.log()
    (gradient,) = torch.autograd.grad(pick(output, target).sum(), passed.embeddings)
    return gradient.float()


def attention_gradients_of(classifier: TextClassifier, batch: Batch, target: Tensor) -> tuple[Tensor, ...]:
    """d logit[target] / d attention weights, one tensor (texts, heads, queries, keys) a layer."""
    attentions_of(classifier, batch)
    _backward(classifier, batch, target, attentions=True)
    kept: tuple[Tensor, ...] = batch.memo["attention gradients", _key(target)]
    return kept


def _backward(classifier: TextClassifier, batch: Batch, target: Tensor, attentions: bool) -> None:
    """One backward for the gradients at the embeddings and, where they are wanted, at the attention weights.

    What it went through, the largest thing in memory, is let go: another backward needs another forward.
    """
    have = ("attention gradients" if attentions else "gradient", _key(target)) in batch.memo
    if have:
        return
    passed = forward(classifier, batch)
    if not passed.logits.requires_grad:
        passed = _run(classifier, batch, bool(passed.attentions))
    inputs = [passed.embeddings, *(passed.attentions if attentions else ())]
    first, *others = torch.autograd.grad(pick(passed.logits, target).sum(), inputs)
    batch.memo["gradient", _key(target)] = first.float()
    if attentions:
        batch.memo["attention gradients", _key(target)] = tuple(others)
    layers = tuple(layer.detach() for layer in passed.attentions)
    batch.memo["forward"] = Forward(passed.embeddings.detach(), passed.logits.detach(), layers)


def _key(target: Tensor) -> tuple[int, ...]:
    return tuple(target.tolist())


def output_at(classifier: TextClassifier, batch: Batch, target: Tensor, embeddings: Tensor) -> Tensor:
    """The target's logit (texts,) with other embeddings (texts, pieces, dimensions) in place of the texts' own."""
    with torch.no_grad():
        logits = classifier.logits(batch.input_ids, batch.attention_mask, embeddings)
    return pick(logits.float(), target)


def claim(batch: Batch, moved: Tensor) -> None:
    """What a method's scores should sum to, (texts,): f(x) - f(baseline). The driver turns it into an error."""
    batch.memo[CLAIM] = moved.detach().cpu()


def completeness_errors(batch: Batch, scores: Tensor) -> list[float | None]:
    """Relative error |sum of scores - claim| / |claim| of each text, for the method that has just run.

    None where it claimed nothing, or that nothing moved: there is nothing to be relative to.
    """
    moved: Tensor | None = batch.memo.pop(CLAIM, None)
    if moved is None:
        return [None] * len(batch)
    return relative_errors(scores, moved)


def relative_errors(scores: Tensor, moved: Tensor) -> list[float | None]:
    """|sum of scores - moved| / |moved| of each text; None where nothing moved."""
    moved = moved.double().cpu()
    errors = (scores.double().cpu().sum(-1) - moved).abs() / moved.abs()
    return [error if distance else None for error, distance in zip(errors.tolist(), moved.tolist(), strict=True)]


def pick(logits: Tensor, target: Tensor) -> Tensor:
    """The logit of each text's own target, shape (texts,)."""
    return logits.gather(1, target[:, None]).squeeze(1)


def real(batch: Batch, scores: Tensor) -> Tensor:
    """Scores with the padding set to zero."""
    return scores * batch.attention_mask.to(scores.dtype)
