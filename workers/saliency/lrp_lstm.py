"""Layer-wise relevance propagation for LSTMs. Arras et al. 2017, https://arxiv.org/abs/1706.07206, and 2019,
https://arxiv.org/abs/1904.11829

    z_k = sum over j of z_j w_jk + b_k    R_j = sum over k of [z_j w_jk + d (b_k + eps s_k) / N] / (z_k + eps s_k) R_k
    c_t = f c_{t-1} + i g                 the same with weights of one: N = 2
    gate x signal                         R_gate = 0 (all), R z_g / (z_g + z_s) (prop), R |z_g| / (|z_g| + |z_s|) (abs),
                                          R / 2 (half);   R_signal = R - R_gate
    sigmoid, tanh                         pass relevance on as it is

R starts as the target's logit; N counts the z_j; s_k is the sign of z_k, or 1 for 0. A word's score is the sum of R
over its embedding's dimensions and both directions. With d = 0 biases and eps keep their share, and nothing is
promised of the sum. With d = 1 the words and the zero initial states have all of it, and the completeness error says
what the words alone lack.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.lstm_network import Direction, as_read
from workers.saliency.passes import claim, forward, pick, real

# Sigmoid and tanh may cancel to nothing, in a sum that the rule divides by.
LEAST_SUM = 1e-6


class Relevance(NamedTuple):
    """`pieces` (texts, pieces) in text order; `initial` (texts,) is what the zero initial states took."""

    pieces: Tensor
    initial: Tensor


class _Rules(NamedTuple):
    product: str
    eps: float
    bias_factor: float


class _Step(NamedTuple):
    """One step (texts, hidden): its sums before the activations (texts, 4 hidden), gates, and states before it."""

    sums: Tensor
    i: Tensor
    f: Tensor
    g: Tensor
    o: Tensor
    hidden: Tensor
    cell: Tensor

    @property
    def next_cell(self) -> Tensor:
        return self.f * self.cell + self.i * self.g

    @property
    def next_hidden(self) -> Tensor:
        return self.o * self.next_cell.tanh()


def lrp_lstm(
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    rule: str = "all",
    eps: float = 0.001,
    bias_factor: float = 0.0,
) -> Tensor:
    """Signed scores (texts, pieces); with `bias_factor` 1 their sum is held against f(x), the target's logit."""
    if bias_factor == 1:
        claim(batch, pick(forward(classifier, batch).logits, target))
    return real(batch, relevance(classifier, batch, target, rule, eps, bias_factor).pieces)


def relevance(
    classifier: TextClassifier, batch: Batch, target: Tensor, rule: str, eps: float, bias_factor: float
) -> Relevance:
    """Relevance of the inputs and of the initial states; with `bias_factor` 1 they sum to the target's logit."""
    rules = _Rules(rule, eps, bias_factor)
    network, lengths = classifier.model, batch.attention_mask.sum(-1)
    embeddings = forward(classifier, batch).embeddings.detach().float()
    score = pick(forward(classifier, batch).logits.detach(), target)
    bias = 0.0 if network.linear.bias is None else network.linear.bias.float()[target]
    share, rest = _epsilon(score, bias, score, network.linear.in_features, rules)
    rows = torch.arange(len(batch), device=lengths.device)
    pieces, initial = torch.zeros_like(embeddings[:, :, 0]), torch.zeros_like(score)
    for direction in network.directions():
        inputs = as_read(embeddings, lengths, direction.backwards)
        steps = _steps(direction, inputs)
        last = torch.stack([step.next_hidden for step in steps], 1)[rows, lengths - 1]
        to_last = last * direction.to_output[target] * share[:, None] + rest[:, None]
        own = _back(direction, inputs, steps, to_last, lengths, rules)
        pieces += as_read(own.pieces, lengths, direction.backwards)
        initial += own.initial
    return Relevance(pieces, initial)


def _steps(direction: Direction, inputs: Tensor) -> list[_Step]:
    from_inputs = inputs @ direction.from_input.T + direction.bias
    hidden = cell = inputs.new_zeros(len(inputs), direction.from_hidden.shape[1])
    steps = []
    for sums in from_inputs.unbind(1):
        sums = sums + hidden @ direction.from_hidden.T
        i, f, g, o = sums.chunk(4, -1)
        steps.append(_Step(sums, i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid(), hidden, cell))
        hidden, cell = steps[-1].next_hidden, steps[-1].next_cell
    return steps


def _back(
    direction: Direction, inputs: Tensor, steps: list[_Step], to_last: Tensor, lengths: Tensor, rules: _Rules
) -> Relevance:
    """From the relevance (texts, hidden) of each text's last hidden state to its inputs, in reading order."""
    below = sum(weights.shape[1] for weights in (direction.from_input, direction.from_hidden))
    to_hidden = to_cell = torch.zeros_like(to_last)
    pieces = []
    for place, step in reversed(list(enumerate(steps))):
        to_hidden = to_hidden + to_last * (lengths == place + 1)[:, None]
        to_o, to_signal = _product(step.o, step.next_cell.tanh(), to_hidden, rules)
        to_cell = to_cell + to_signal
        share, rest = _epsilon(step.next_cell, 0.0, to_cell, 2, rules)
        to_f, to_cell = _product(step.f, step.cell, step.f * step.cell * share + rest, rules)
        to_i, to_g = _product(step.i, step.g, step.i * step.g * share + rest, rules)
        share, rest = _epsilon(step.sums, direction.bias, torch.cat([to_i, to_f, to_g, to_o], -1), below, rules)
        rest = rest.sum(-1, keepdim=True)
        pieces.append((inputs[:, place] * (share @ direction.from_input) + rest).sum(-1))
        to_hidden = step.hidden * (share @ direction.from_hidden) + rest
    return Relevance(torch.stack(pieces[::-1], 1), (to_hidden + to_cell).sum(-1))


def _epsilon(z: Tensor, bias: Tensor | float, relevance: Tensor, below: int, rules: _Rules) -> tuple[Tensor, Tensor]:
    """What the relevance of z_k is multiplied with z_j w_jk for, and what every z_j has beside it."""
    stabiliser = torch.where(z >= 0, rules.eps, -rules.eps)
    share = relevance / (z + stabiliser)
    return share, rules.bias_factor * (bias + stabiliser) / below * share


def _product(gate: Tensor, signal: Tensor, relevance: Tensor, rules: _Rules) -> tuple[Tensor, Tensor]:
    """The relevance of the gate and of the signal in their product."""
    to_gate = _GATE_SHARES[rules.product](gate, signal) * relevance
    return to_gate, relevance - to_gate


def _part(gate: Tensor, signal: Tensor) -> Tensor:
    """z_g / (z_g + z_s); where the two cancel, the sum is kept just away from zero."""
    total = gate + signal
    return gate / torch.where(total.abs() < LEAST_SUM, torch.where(total >= 0, LEAST_SUM, -LEAST_SUM), total)


_GATE_SHARES: dict[str, Callable[[Tensor, Tensor], Tensor | float]] = {
    "all": lambda gate, signal: 0.0,
    "prop": _part,
    "abs": lambda gate, signal: _part(gate.abs(), signal.abs()),
    "half": lambda gate, signal: 0.5,
}
RULES = tuple(_GATE_SHARES)
