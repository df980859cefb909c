"""AttnLRP, layer-wise relevance propagation with rules for attention. Achtibat et al. 2024,
https://arxiv.org/abs/2402.05602

A pass in which gradient x input is relevance, so that score_i = sum over d of e_id * dy / de_id:

    linear           y = W x + b                 the derivative; b keeps its part
    activation       y = x * [f(x) / x]          identity rule, brackets held constant
    product          y = a b                     half to each factor, for matrices as for numbers
    normalisation    y = w (x - mean) / [s] + b  identity rule, the standard deviation held constant
    softmax          s, with its derivative      Taylor rule, R_i = x_i (R_i - s_i sum R); the constant term
                                                 s_i (1 - x_i + <s, x>) keeps its part

What is conserved: the scores, and the parts that biases, position embeddings and the softmaxes' constant
terms keep, together are the logit. Those parts are the gradient with respect to a one by which each of them
is multiplied; the pass fails where the sum does not come out.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.saliency.passes import claim, forward, pick, real
from workers.saliency.propagating import (
    ACTIVATIONS,
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
    without_text,
)

# Masks add numbers beyond this to attention scores: they keep no relevance, for softmax makes them zero.
LARGEST = 1e30


def attn_lrp(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Signed scores (texts, pieces) that sum to the logit less what biases, positions and softmax keep."""
    embeddings = forward(classifier, batch).embeddings.detach().clone()
    with torch.enable_grad():
        embeddings.requires_grad_()
        ones = torch.ones_like(embeddings[:, 0, 0], requires_grad=True)
        with Propagation("attn_lrp", _Rules(ones).by_name()), whole_activations(classifier.model):
            logits = classifier.logits(batch.input_ids, batch.attention_mask, embeddings)
        logit = pick(logits.float(), target)
        gradient, kept = torch.autograd.grad(logit.sum(), (embeddings, ones), materialize_grads=True)
    relevance = (embeddings.detach() * gradient).float()
    moved = logit.detach() - kept.float()
    _check(classifier, relevance, moved)
    claim(batch, moved)
    return real(batch, relevance.sum(-1))


def _check(classifier: TextClassifier, relevance: Tensor, moved: Tensor) -> None:
    """Refuse a model in which relevance is lost or made: some operation went past the rules."""
    missed = (relevance.sum((1, 2)) - moved).abs() / (relevance.abs().sum((1, 2)) + moved.abs())
    # Rounding may cost half of the digits of all relevance that is handed round.
    if (missed > max(torch.finfo(dtype).eps for dtype in (classifier.dtype, relevance.dtype)) ** 0.5).any():
        raise ClassifierError(
            f"attn_lrp does not conserve relevance in {classifier.name} ({100 * missed.max():.0f} % are lost or "
            "made): the model computes something for which there is no rule. Choose another method."
        )


class _Rules:
    """The rules; `ones` (texts,) stand before everything that does not depend on the text."""

    def __init__(self, ones: Tensor) -> None:
        self.ones = ones

    def by_name(self) -> dict[str, Rule]:
        return {
            **dict.fromkeys(ACTIVATIONS, self.activation),
            **dict.fromkeys(PRODUCTS, self.product),
            **dict.fromkeys(SUMS, self.plus),
            **dict.fromkeys(QUOTIENTS, self.quotient),
            **dict.fromkeys(("cat", "where", "masked_fill"), self.joined),
            "linear": self.linear,
            "addmm": self.addmm,
            "baddbmm": self.addmm,
            "layer_norm": self.layer_norm,
            "sqrt": self.constant,
            "rsqrt": self.constant,
            "softmax": self.softmax,
            "log_softmax": self.log_softmax,
        }

    def charge(self, made: Tensor, constant: Any) -> Tensor:
        """The same value, with the relevance of its constant part kept by each text's own one."""
        rest = made.shape[0] % len(self.ones) if made.dim() else 1
        if rest:
            raise refusal("attn_lrp", f"values of shape {tuple(made.shape)} out of {len(self.ones)} texts")
        ones = self.ones.repeat_interleave(made.shape[0] // len(self.ones))
        held = torch.as_tensor(constant, dtype=made.dtype, device=made.device).detach().clamp(-LARGEST, LARGEST)
        return made + held * (ones - 1).view(-1, *[1] * (made.dim() - 1))

    def activation(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        given, apply = of_one(func, args, more)
        made = apply(given.detach())
        if apply(torch.zeros_like(made[..., :1])).any():
            raise refusal("attn_lrp", f"{name_of(func)}, which does not pass through zero")
        return grafted(made, given * torch.where(given == 0, 0.0, made / given).detach())

    def product(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        made = func(*args, **more)
        factors = count_tracked(args)
        return grafted(made, made / factors) if factors > 1 else made

    def plus(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        made = func(*args, **more)
        if count_tracked(args) == 2:
            return made
        constant = next(value for value in args if not tracked(value))
        if constant is args[1] and name_of(func) != "rsub":
            constant = constant * more.get("alpha", 1) * (-1 if name_of(func) in ("sub", "isub") else 1)
        return self.charge(made, constant)

    def joined(self, func: Callable[..., Tensor], *args: Any, **more: Any) -> Tensor:
        """Values put together, some of which do not depend on the text."""
        made, constant = func(*args, **more), func(*without_text(args), **more)
        return self.charge(made, constant) if constant.any() else made

    def quotient(self, func: Callable[..., Tensor], above: Any, below: Any, **more: Any) -> Tensor:
        if tracked(below):
            raise refusal("attn_lrp", "a division by what depends on the text")
        return func(above, below, **more)

    def linear(self, func: Callable[..., Tensor], given: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        made = func(given, weight, bias)
        return made if bias is None else self.charge(made, bias)

    def addmm(
        self,
        func: Callable[..., Tensor],
        bias: Tensor,
        *factors: Tensor,
        beta: float = 1,
        alpha: float = 1,
        **named: Tensor,
    ) -> Tensor:
        made = alpha * self.product(torch.matmul, *factors, *named.values()) + beta * bias
        return made if tracked(bias) else self.charge(made, beta * bias)

    def layer_norm(
        self,
        func: Callable[..., Tensor],
        given: Tensor,
        shape: Any,
        weight: Tensor | None = None,
        bias: Tensor | None = None,
        eps: float = 1e-5,
    ) -> Tensor:
        over = tuple(range(-len(shape), 0))
        centred = given - given.mean(over, keepdim=True)
        scaled = centred / (centred.square().mean(over, keepdim=True) + eps).sqrt().detach()
        made = grafted(func(given, shape, weight, bias, eps), scaled if weight is None else scaled * weight)
        return made if bias is None else self.charge(made, bias)

    def constant(self, func: Callable[..., Tensor], given: Tensor) -> Tensor:
        """Roots stand in normalisations written out, and are held constant as there."""
        return func(given).detach()

    def softmax(self, func: Callable[..., Tensor], given: Tensor, dim: int = -1, **more: Any) -> Tensor:
        made = func(given, dim=dim, **known(more))
        shares, numbers = made.detach(), _bounded(given, made)
        return self.charge(made, shares * (1 - numbers + (shares * numbers).sum(dim, keepdim=True)))

    def log_softmax(self, func: Callable[..., Tensor], given: Tensor, dim: int = -1, **more: Any) -> Tensor:
        made = func(given, dim=dim, **known(more))
        shares, numbers = made.detach().exp(), given.detach()
        return self.charge(made, made.detach() - numbers + (shares * _bounded(given, shares)).sum(dim, keepdim=True))


def _bounded(given: Tensor, shares: Tensor) -> Tensor:
    """What goes into a softmax, and zero where a mask has left no share: there its size means nothing."""
    return given.detach().to(shares.dtype).masked_fill(shares.detach() == 0, 0.0)
