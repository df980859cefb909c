"""Sums and differences of two numbers in a sequence. Arras et al. 2019, section 4, https://arxiv.org/abs/1904.11829

    x_t = n_t e_a at the place of the first number, n_t e_b at that of the second, n_t e_c everywhere else
    target = n_a + n_b,  or  n_a - n_b

A network of one LSTM cell and a linear output, without a bias, learns it to a mean squared error below 1e-4. Then the
relevance of a place must follow its number: corr(n_a, R_a) = 1, and corr(n_b, R_b) = 1 for sums and -1 for differences.

Chosen here, where the paper leaves it open: three dimensions that say which number is which, 4 to 10 steps, Levenberg-
Marquardt for all networks at once (21 weights each), forget gates that begin open.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import jacfwd, vmap

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import REGRESSION
from workers.classifiers.encoding import Encoded
from workers.classifiers.lstm import LSTMClassifier
from workers.classifiers.lstm_files import PAD, UNK, LSTMConfig, Vocabulary

SIGNS = {"addition": 1, "subtraction": -1}
LEAST_STEPS, MOST_STEPS, KINDS = 4, 10, 3
GOOD_ENOUGH = 1e-4
# The places of a network's numbers in the row that is fitted: four gates by three inputs, by the state, biases, output.
SIZES = [4 * KINDS, 4, 4, 1]


class Sequences(NamedTuple):
    """`inputs` (sequences, steps, 3), padded with zeros; `first` and `second` are the places of the two numbers."""

    inputs: Tensor
    lengths: Tensor
    first: Tensor
    second: Tensor
    targets: Tensor

    def at(self, places: Tensor, values: Tensor) -> Tensor:
        """What stands at each sequence's place in `values` (sequences, steps)."""
        return values.gather(1, places[:, None])[:, 0]

    @property
    def numbers(self) -> Tensor:
        return self.inputs.sum(-1)


def draw(operation: str, count: int, seed: int, lowest: float = 0.5) -> Sequences:
    """Numbers uniform from `lowest` to 1, of which two by chance are to be added or subtracted."""
    chance = torch.Generator().manual_seed(seed)
    lengths = torch.randint(LEAST_STEPS, MOST_STEPS + 1, (count,), generator=chance)
    inside = torch.arange(MOST_STEPS) < lengths[:, None]
    numbers = torch.rand(count, MOST_STEPS, generator=chance) * (1 - lowest) + lowest
    order = torch.rand(count, MOST_STEPS, generator=chance).masked_fill(~inside, 2).argsort(1)
    first, second = order[:, 0], order[:, 1]
    kinds = torch.full((count, MOST_STEPS), KINDS - 1)
    kinds.scatter_(1, first[:, None], 0).scatter_(1, second[:, None], 1)
    inputs = torch.nn.functional.one_hot(kinds, KINDS) * (numbers * inside)[:, :, None]
    drawn = Sequences(inputs, lengths, first, second, torch.zeros(count))
    values = (drawn.at(place, numbers) for place in (first, second))
    return drawn._replace(targets=next(values) + SIGNS[operation] * next(values))


def fit(
    operation: str, networks: int, seed: int, lowest: float = 0.5, sequences: int = 250, rounds: int = 60
) -> list[LSTMClassifier]:
    """One-cell networks from different beginnings; those that did not learn the task are left out."""
    drawn, unseen = (draw(operation, sequences, seed + at, lowest) for at in (1, 2))
    weights = _learn(_begin(networks, seed), drawn, rounds)
    errors = ((_outputs(weights, unseen) - unseen.targets) ** 2).mean(1)
    return [_as_classifier(row) for row, error in zip(weights, errors.tolist(), strict=True) if error < GOOD_ENOUGH]


def batch_of(classifier: LSTMClassifier, drawn: Sequences) -> Batch:
    """The sequences as texts of unknown words, with their numbers for embeddings."""
    rows = [(classifier.unk_id or 0,) * length for length in drawn.lengths.tolist()]
    texts = [Encoded(str(at), "", (), row, ()) for at, row in enumerate(rows)]
    return classifier.batch(texts).at(torch.arange(len(texts)), drawn.inputs[:, : int(drawn.lengths.max())])


def _begin(networks: int, seed: int) -> Tensor:
    """Weights (networks, 21): uniform in -1/2..1/2, forget biases one more, outputs 2 or -2."""
    weights = torch.rand(networks, sum(SIZES), generator=torch.Generator().manual_seed(seed), dtype=torch.float64) - 0.5
    weights[:, sum(SIZES[:2]) + 1] += 1
    weights[:, -1] = 2 * weights[:, -1].sign()
    return weights


def _learn(weights: Tensor, drawn: Sequences, rounds: int) -> Tensor:
    """Levenberg-Marquardt: w - (J'J + damping I)^-1 J' r, each network with a damping of its own."""
    jacobian = vmap(jacfwd(lambda row: _output(row, drawn)))
    damping = torch.full((len(weights),), 0.1, dtype=weights.dtype)
    residuals = _outputs(weights, drawn) - drawn.targets
    for _ in range(rounds):
        slopes = jacobian(weights)
        curvature = slopes.mT @ slopes + len(drawn.targets) * torch.diag_embed(damping[:, None].expand_as(weights))
        tried = weights - torch.linalg.solve(curvature, slopes.mT @ residuals[:, :, None])[:, :, 0]
        missed = _outputs(tried, drawn) - drawn.targets
        better = missed.square().sum(1) < residuals.square().sum(1)
        weights, residuals = (
            torch.where(better[:, None], new, old) for new, old in ((tried, weights), (missed, residuals))
        )
        damping = torch.where(better, damping * 0.4, damping * 3).clamp(1e-9, 1e6)
    return weights


def _outputs(weights: Tensor, drawn: Sequences) -> Tensor:
    """Outputs (networks, sequences)."""
    return torch.stack([_output(row, drawn) for row in weights])


def _output(row: Tensor, drawn: Sequences) -> Tensor:
    """One network's outputs (sequences,), as a function that can be differentiated by its weights (21,)."""
    from_inputs, from_hidden, biases, output = torch.split(row, SIZES)
    sums = drawn.inputs.to(row.dtype) @ from_inputs.view(4, KINDS).T + biases
    hidden = cell = torch.zeros_like(sums[:, 0, 0])
    for step in range(sums.shape[1]):
        i, f, g, o = (sums[:, step] + hidden[:, None] * from_hidden).unbind(-1)
        next_cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
        goes_on = step < drawn.lengths
        hidden = torch.where(goes_on, o.sigmoid() * next_cell.tanh(), hidden)
        cell = torch.where(goes_on, next_cell, cell)
    return hidden * output


def _as_classifier(row: Tensor) -> LSTMClassifier:
    config = LSTMConfig(("result",), KINDS, 1, bidirectional=False, problem_type=REGRESSION, most_pieces=MOST_STEPS)
    vocabulary = Vocabulary([PAD, UNK], lower_case=True)
    network = config.network(len(vocabulary), vocabulary.pad_id).eval().requires_grad_(False)
    names = ("lstm.weight_ih_l0", "lstm.weight_hh_l0", "lstm.bias_ih_l0", "linear.weight")
    state = network.state_dict()
    state["lstm.bias_hh_l0"].zero_()
    for name, values in zip(names, torch.split(row.float(), SIZES), strict=True):
        state[name].copy_(values.view_as(state[name]))
    return LSTMClassifier(
        "one cell", "", "", config.label_names, REGRESSION, MOST_STEPS, vocabulary.pad_id, vocabulary, network,
        unk_id=vocabulary.unk_id,
    )  # fmt: skip
