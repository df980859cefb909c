"""Contextual decomposition of LSTMs. Murdoch et al. 2018, https://arxiv.org/abs/1801.05453

    h_t = beta_t + gamma_t: what a phrase brought in by itself, and all that has to do with other words
    score of a word = W beta_T with that word as the phrase, in each direction, summed over both

    each gate's sum is beta + gamma + b, and its activation s is split between them, the bias first:
        s_beta = [s(beta + b) - s(b) + s(beta + gamma + b) - s(gamma + b)] / 2,   s_gamma likewise,   s_b = s(b)
    i g and f c_{t-1} are multiplied out; products of beta with beta and bias belong to beta, and b b to the word itself
    h_t = o_t tanh(c_t) with tanh split as s is, without a bias; the gate o is not split

The output's own bias belongs to no word, and words' scores need not sum to anything.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.lstm_network import Direction, as_read
from workers.saliency.passes import forward


class Parts(NamedTuple):
    """Tensors of one shape that sum to the whole."""

    beta: Tensor
    gamma: Tensor


class Split(NamedTuple):
    """Tensors of one shape that sum to what a gate sees, or to what it is."""

    beta: Tensor
    gamma: Tensor
    bias: Tensor

    @property
    def whole(self) -> Tensor:
        return self.beta + self.gamma + self.bias

    def through(self, s: Callable[[Tensor], Tensor]) -> "Split":
        """The activation of the whole, split: the mean over the two orders in which beta and gamma follow the bias."""
        whole, base = s(self.whole), s(self.bias)
        with_beta, with_gamma = s(self.beta + self.bias), s(self.gamma + self.bias)
        return Split((with_beta - base + whole - with_gamma) / 2, (with_gamma - base + whole - with_beta) / 2, base)


def contextual_decomposition(classifier: TextClassifier, batch: Batch, target: Tensor) -> Tensor:
    """Signed scores (texts, pieces): W beta_T for the target's logit, each piece being the phrase in turn."""
    lengths = batch.attention_mask.sum(-1)
    embeddings = forward(classifier, batch).embeddings.detach().float()
    scores = torch.zeros_like(embeddings[:, :, 0])
    phrases = batch.attention_mask.nonzero()
    for direction in classifier.model.directions():
        # A phrase takes the memory of one step, so that as many go at once as the budget has pieces.
        for rows, places in (part.unbind(1) for part in torch.split(phrases, batch.budget)):
            last = decompose(direction, embeddings, lengths, rows, places)
            scores[rows, places] += (last.beta * direction.to_output[target[rows]]).sum(-1)
    return scores


def decompose(direction: Direction, embeddings: Tensor, lengths: Tensor, rows: Tensor, places: Tensor) -> Parts:
    """The last hidden state (phrases, hidden) of one direction; a phrase is a place in the text of a row."""
    from_inputs = as_read(embeddings @ direction.from_input.T, lengths, direction.backwards)
    lengths = lengths[rows]
    places = lengths - 1 - places if direction.backwards else places
    hidden = cell = Parts(*embeddings.new_zeros(2, len(rows), direction.from_hidden.shape[1]))
    for at in range(int(lengths.max())):
        inside, goes_on = (places == at)[:, None].float(), (at < lengths)[:, None]
        next_hidden, next_cell = _step(direction, from_inputs[rows, at], hidden, cell, inside)
        hidden, cell = _where(goes_on, next_hidden, hidden), _where(goes_on, next_cell, cell)
    return hidden


def _step(direction: Direction, from_input: Tensor, hidden: Parts, cell: Parts, inside: Tensor) -> tuple[Parts, Parts]:
    """`from_input` (phrases, 4 hidden) of the piece read; `inside` (phrases, 1) is 1 where it is the phrase, else 0."""
    beta = hidden.beta @ direction.from_hidden.T + inside * from_input
    gamma = hidden.gamma @ direction.from_hidden.T + (1 - inside) * from_input
    sums = zip(*(part.chunk(4, -1) for part in (beta, gamma, direction.bias)), strict=True)
    i, f, g, o = (Split(*parts) for parts in sums)
    i, f, g = i.through(torch.sigmoid), f.through(torch.sigmoid), g.through(torch.tanh)
    # Products of the gates with what they let through: f c_{t-1} + i g.
    of_biases = i.bias * g.bias
    cell = Parts(
        (f.beta + f.bias) * cell.beta + i.beta * (g.beta + g.bias) + i.bias * g.beta + inside * of_biases,
        f.whole * cell.gamma
        + f.gamma * cell.beta
        + i.whole * g.gamma
        + i.gamma * (g.beta + g.bias)
        + (1 - inside) * of_biases,
    )
    passed = Split(*cell, torch.zeros_like(cell.beta)).through(torch.tanh)
    opened = o.whole.sigmoid()
    return Parts(opened * passed.beta, opened * passed.gamma), cell


def _where(condition: Tensor, new: Parts, old: Parts) -> Parts:
    return Parts(*(torch.where(condition, *pair) for pair in zip(new, old, strict=True)))
