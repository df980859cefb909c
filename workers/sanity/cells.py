"""Many small LSTMs of a few cells each, trained at once, and explained as one classifier with an output a network."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import jacfwd, vmap

from workers.classifiers.classifier import REGRESSION
from workers.classifiers.lstm import LSTMClassifier
from workers.classifiers.lstm_files import PAD, UNK, Vocabulary
from workers.classifiers.lstm_network import GATES, LSTMNetwork


class Examples(NamedTuple):
    """`inputs` (sequences, steps, dimensions), padded with zeros, `lengths` and `targets` (sequences,)."""

    inputs: Tensor
    lengths: Tensor
    targets: Tensor


class Shape(NamedTuple):
    dimensions: int
    cells: int

    @property
    def sizes(self) -> list[int]:
        """Of the parts of a network's row of weights: from the inputs, from the states, biases, output."""
        return [4 * self.cells * self.dimensions, 4 * self.cells**2, 4 * self.cells, self.cells]


def begin(networks: int, shape: Shape, seed: int) -> Tensor:
    """Weights (networks, weights): uniform in -1/2..1/2, biases of forget gates one more, outputs 2 or -2."""
    chance = torch.Generator().manual_seed(seed)
    weights = torch.rand(networks, sum(shape.sizes), generator=chance, dtype=torch.float64) - 0.5
    _, _, biases, output = torch.split(weights, shape.sizes, 1)
    biases.chunk(4, 1)[GATES.index("f")].add_(1)
    output.copy_(2 * output.sign())
    return weights


def learn(
    weights: Tensor,
    shape: Shape,
    training: Examples,
    validation: Examples,
    good_enough: float,
    rounds: int,
    progress: Callable[[int, int], None],
) -> tuple[Tensor, Tensor]:
    """Levenberg-Marquardt, each network with a damping of its own: w - (J'J + damping I)^-1 J' r.

    A network that is good enough on the validation examples is left as it is: further steps would shrink its states
    to where a cell is linear, and what stabilises divisions outweighs them. Returns the weights and those errors.
    """
    jacobian = vmap(jacfwd(lambda row: _output(row, shape, training)))
    damping = torch.full((len(weights),), 0.1, dtype=weights.dtype)
    residuals = outputs(weights, shape, training) - training.targets
    errors = mean_errors(weights, shape, validation)
    for done in range(rounds):
        at = (errors >= good_enough).nonzero()[:, 0]
        progress(len(weights) * done // rounds if len(at) else len(weights), len(weights))
        if not len(at):
            break
        slopes, ridge = jacobian(weights[at]), len(training.targets) * damping[at, None]
        curvature = slopes.mT @ slopes + torch.diag_embed(ridge.expand_as(weights[at]))
        tried = weights[at] - torch.linalg.solve(curvature, slopes.mT @ residuals[at, :, None])[:, :, 0]
        missed = outputs(tried, shape, training) - training.targets
        better = missed.square().sum(1) < residuals[at].square().sum(1)
        damping[at] = torch.where(better, damping[at] * 0.4, damping[at] * 3).clamp(1e-9, 1e6)
        taken = at[better]
        weights[taken], residuals[taken] = tried[better], missed[better]
        errors[taken] = mean_errors(weights[taken], shape, validation)
    return weights, errors


def mean_errors(weights: Tensor, shape: Shape, examples: Examples) -> Tensor:
    """Mean squared errors (networks,)."""
    return (outputs(weights, shape, examples) - examples.targets).square().mean(1)


def outputs(weights: Tensor, shape: Shape, examples: Examples) -> Tensor:
    """Outputs (networks, sequences)."""
    return vmap(lambda row: _output(row, shape, examples))(weights)


def _output(row: Tensor, shape: Shape, examples: Examples) -> Tensor:
    """One network's outputs (sequences,), as a function that can be differentiated by its weights."""
    from_inputs, from_states, biases, output = torch.split(row, shape.sizes)
    sums = examples.inputs.to(row.dtype) @ from_inputs.view(4 * shape.cells, shape.dimensions).T + biases
    states = from_states.view(4 * shape.cells, shape.cells).T
    hidden = cell = torch.zeros_like(sums[:, 0, : shape.cells])
    for step in range(sums.shape[1]):
        i, f, g, o = (sums[:, step] + hidden @ states).chunk(4, -1)
        next_cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
        goes_on = (step < examples.lengths)[:, None]
        hidden = torch.where(goes_on, o.sigmoid() * next_cell.tanh(), hidden)
        cell = torch.where(goes_on, next_cell, cell)
    return hidden @ output


def as_classifier(weights: Tensor, shape: Shape, embeddings: Tensor) -> LSTMClassifier:
    """One LSTM in which the networks lie side by side without a weight between them: output k is that of network k.

    Piece k + 2 has row k of `embeddings`; the first two are padding and the unknown word, and zero.
    """
    count, (dimensions, cells) = len(weights), shape
    vocabulary = Vocabulary([PAD, UNK, *(f"number {at}" for at in range(len(embeddings)))], lower_case=True)
    network = LSTMNetwork(len(vocabulary), count, dimensions, count * cells, bidirectional=False)
    network.eval().requires_grad_(False)
    from_inputs, from_states, biases, output = torch.split(weights.float(), shape.sizes, 1)
    state = network.state_dict()
    state["embedding.weight"].zero_()[2:] = embeddings
    state["lstm.weight_ih_l0"].copy_(_by_gate(from_inputs.reshape(count, 4, cells, dimensions)).flatten(0, 2))
    blocks = torch.zeros(4, count, cells, count, cells)
    own = torch.arange(count)
    blocks[:, own, :, own] = from_states.reshape(count, 4, cells, cells)
    state["lstm.weight_hh_l0"].copy_(blocks.reshape(4 * count * cells, count * cells))
    state["lstm.bias_ih_l0"].copy_(_by_gate(biases.reshape(count, 4, cells)).flatten())
    state["lstm.bias_hh_l0"].zero_()
    state["linear.weight"].copy_((torch.eye(count)[:, :, None] * output).flatten(1))
    names = tuple(f"network {at}" for at in range(count))
    return LSTMClassifier(
        "sums", "", f"sums {cells}", names, REGRESSION, 1024, vocabulary.pad_id, vocabulary, network,
        unk_id=vocabulary.unk_id,
    )  # fmt: skip


def _by_gate(weights: Tensor) -> Tensor:
    """(networks, gates, ...) as (gates, networks, ...), the order that torch has for all cells together."""
    return weights.transpose(0, 1)
