"""DeepLIFT, rescale rule. Shrikumar et al. 2017, https://arxiv.org/abs/1704.02685

    score_i = sum over d of (e_id - 0) * m_id,   m = the chain of multipliers delta out / delta in

The text and its baseline, zero embeddings, run side by side; D is the difference of the two, M the mean, and
each operation has multipliers that account for the whole of its difference:

    linear           y = W x + b         W
    elementwise      y = f(x)            Dy / Dx; f'(Mx) where Dx is too small to divide by
    product          y = a b             Dy = Da Mb + Ma Db, for matrices as for numbers
    quotient         y = a / b           Dy = (Da - My Db) / Mb
    normalisation    h / s, s^2 = var    the quotient, with Ds = mean(Mh Dh) / Ms
    softmax          p                   Dp_i = L_i (Dx_i - sum over k of L_k Dx_k / sum L),
                                         L = Dp / D log p, the logarithmic mean of the two shares

The paper has no rule for the last four. Those of the quotient and the softmax are the forms of the product
rule and of the rescale rule on exp(x - logsumexp x) whose multipliers stay bounded however far apart the two
runs are. LSTMs are taken step by step: their gates are curves, sums and products. The scores sum to f(x) - f(0)
on every model whose operations have a rule; others are refused.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import claim, forward, pick, real
from workers.saliency.propagating import (
    ACTIVATIONS,
    CURVES,
    PRODUCTS,
    QUOTIENTS,
    SUMS,
    Propagation,
    Rule,
    count_tracked,
    grafted,
    known,
    name_of,
    of_one,
    refusal,
    tracked,
    whole_activations,
)
from workers.saliency.unrolling import unrolled


def deeplift(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Signed scores (texts, pieces) against the zero embedding; f is the target's logit."""
    embeddings = forward(classifier, batch).embeddings.detach()
    multipliers = torch.zeros_like(embeddings)
    start = torch.zeros_like(target, dtype=torch.float32)
    at_once = max(1, batch.at_once // 2)
    for first in range(0, len(batch), at_once):
        rows = slice(first, first + at_once)
        multipliers[rows], start[rows] = _multipliers(classifier, batch, target, embeddings, rows)
    claim(batch, pick(forward(classifier, batch).logits.detach(), target) - start)
    return real(batch, (embeddings * multipliers).float().sum(-1))


def _multipliers(
    classifier: TextClassifier, batch: Batch, target: Tensor, embeddings: Tensor, rows: slice
) -> tuple[Tensor, Tensor]:
    """Df / De (rows, pieces, dimensions), and f(0) (rows,)."""
    with torch.enable_grad():
        text = embeddings[rows].clone().requires_grad_()
        both = torch.cat([text, torch.zeros_like(text)])
        ids, mask = batch.input_ids[rows].repeat(2, 1), batch.attention_mask[rows].repeat(2, 1)
        model = classifier.model
        with Propagation("deeplift", _Rules().by_name()), whole_activations(model), unrolled(model):
            logits = classifier.logits(ids, mask, both).float()
        reached, start = pick(logits, target[rows].repeat(2)).chunk(2)
        (multipliers,) = torch.autograd.grad(reached.sum(), text, materialize_grads=True)
    return multipliers, start.detach()


def _halves(value: Tensor) -> tuple[Tensor, Tensor]:
    """The text's part and the baseline's."""
    if value.dim() == 0 or len(value) % 2:
        raise refusal("deeplift", f"values of shape {tuple(value.shape)}, which mix the texts")
    text, baseline = value.detach().chunk(2)
    return text, baseline


def _mean(value: Tensor) -> Tensor:
    """M, in the place of both."""
    text, baseline = _halves(value)
    middle = (text + baseline) / 2
    return torch.cat([middle, middle])


def _difference(value: Tensor) -> Tensor:
    """D, in the place of both."""
    text, baseline = _halves(value)
    moved = text - baseline
    return torch.cat([moved, moved])


class _Rules:
    """`roots` remembers what is divided by when something is multiplied by the result of rsqrt."""

    def __init__(self) -> None:
        self.roots: list[tuple[Tensor, Tensor]] = []

    def by_name(self) -> dict[str, Rule]:
        return {
            **dict.fromkeys(SUMS | {"linear"}, self.linear),
            **dict.fromkeys(("addmm", "baddbmm"), self.addmm),
            **dict.fromkeys(ACTIVATIONS | CURVES, self.elementwise),
            **dict.fromkeys(PRODUCTS, self.product),
            **dict.fromkeys(QUOTIENTS, self.quotient),
            "rdiv": self.over,
            "rsqrt": self.rsqrt,
            "layer_norm": self.layer_norm,
            "softmax": self.softmax,
            "log_softmax": self.log_softmax,
        }

    def linear(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        return func(*args, **more)

    def addmm(
        self,
        func: Callable[..., Tensor],
        bias: Tensor,
        *factors: Tensor,
        beta: float = 1,
        alpha: float = 1,
        **named: Tensor,
    ) -> Tensor:
        return alpha * self.product(torch.matmul, *factors, *named.values()) + beta * bias

    def elementwise(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        if count_tracked(args) > 1:
            raise refusal("deeplift", f"{name_of(func)} of two values that depend on the text")
        given, apply = of_one(func, args, more)
        made, moved, middle = apply(given.detach()), _difference(given), _mean(given)
        with torch.enable_grad():
            middle.requires_grad_()
            (slope,) = torch.autograd.grad(apply(middle).sum(), middle)
        # Where rounding would weigh more than the curve between the two.
        close = moved.abs() <= torch.finfo(moved.dtype).eps ** (2 / 3) * middle.detach().abs().clamp(min=1)
        return grafted(made, given * torch.where(close, slope, _difference(made) / moved))

    def product(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        made = func(*args, **more)
        if count_tracked(args) < 2:
            return made
        first, second = args
        for root, reciprocal in self.roots:
            if reciprocal is first or reciprocal is second:
                return grafted(made, _divided(second if reciprocal is first else first, root))
        return grafted(made, func(grafted(_mean(first), first), grafted(_mean(second), second), **more))

    def quotient(self, func: Callable[..., Tensor], above: Any, below: Any, **more: Any) -> Tensor:
        made = func(above, below, **more)
        if not tracked(below):
            return made
        return grafted(made, _divided(above, below))

    def over(self, func: Callable[..., Tensor], below: Tensor, above: Any) -> Tensor:
        """The operator of above / below, called on what is below."""
        return grafted(func(below, above), _divided(above, below))

    def rsqrt(self, func: Callable[..., Tensor], given: Tensor) -> Tensor:
        made = self.elementwise(func, given)
        self.roots.append((self.elementwise(torch.sqrt, given), made))
        return made

    def layer_norm(
        self,
        func: Callable[..., Tensor],
        given: Tensor,
        shape: Sequence[int],
        weight: Tensor | None = None,
        bias: Tensor | None = None,
        eps: float = 1e-5,
    ) -> Tensor:
        over = tuple(range(-len(shape), 0))
        centred = given - given.mean(over, keepdim=True)
        deviation = (centred.detach().square().mean(over, keepdim=True) + eps).sqrt()
        spread = (_mean(centred) * centred).mean(over, keepdim=True) / _mean(deviation)
        normal = _mean(centred.detach() / deviation)
        made = (centred - normal * spread) / _mean(deviation)
        return grafted(func(given, shape, weight, bias, eps), made if weight is None else made * weight)

    def softmax(self, func: Callable[..., Tensor], given: Tensor, dim: int = -1, **more: Any) -> Tensor:
        made = func(given, dim=dim, **known(more))
        middle, moved = _shares(given.to(made.dtype), dim)
        return grafted(made, middle * moved)

    def log_softmax(self, func: Callable[..., Tensor], given: Tensor, dim: int = -1, **more: Any) -> Tensor:
        made = func(given, dim=dim, **known(more))
        return grafted(made, _shares(given.to(made.dtype), dim)[1])


def _divided(above: Any, below: Tensor) -> Tensor:
    """What has the slopes of above / below: Dy = (Da - My Db) / Mb."""
    values = above.detach() if tracked(above) else above
    made: Tensor = (above - _mean(values / below.detach()) * below) / _mean(below)
    return made


def _shares(given: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """L of a softmax, and what has the slopes of its logarithm: Dx_i - sum over k of L_k Dx_k / sum L."""
    logs = given.detach().log_softmax(dim)
    text, baseline = _halves(logs)
    apart = torch.where(text == baseline, 0.0, (text - baseline).abs())
    ratio = torch.where(apart == 0, 1.0, -torch.expm1(-apart) / apart)
    middle = torch.maximum(text, baseline).exp() * ratio
    middle = torch.cat([middle, middle])
    # Masks make numbers without meaning where there is no share.
    numbers = given.masked_fill(middle == 0, 0.0)
    return middle, numbers - (middle * numbers).sum(dim, keepdim=True) / middle.sum(dim, keepdim=True)
