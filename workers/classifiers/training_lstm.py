"""An LSTM learns labelled texts without pretrained vectors, in some seconds an epoch on one core."""

import copy
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, dropout

from language.words import segment
from workers.classifiers.batching import group_by_length, pad_ids
from workers.classifiers.lstm import load
from workers.classifiers.lstm_files import PAD, UNK, LSTMConfig, Vocabulary, as_piece, write_lstm
from workers.classifiers.lstm_network import GATES, LSTMNetwork
from workers.classifiers.saving import appearing
from workers.classifiers.training import Example, Trained, check_examples, hold_out, judge

BATCH = 64
LEARNING_RATE = 3e-3
# Of the embeddings, which know much from the start and would soon know the training texts by heart.
EMBEDDING_RATE = 1e-4
WEIGHT_DECAY = 0.01
# Of the embeddings' numbers, of the last states' numbers, and of whole words, which become unknown.
DROPOUT, OUTPUT_DROPOUT, WORD_DROPOUT = 0.5, 0.6, 0.2
# A word that the training texts hold once teaches the unknown word instead.
LEAST_COUNT = 2
# What is kept is the running mean of the weights: it is right more often than any of them.
AVERAGING = 0.99
# Of the texts that are not held out: to stop in time.
VALIDATION = 0.06
PATIENCE = 2
EVALUATION_BUDGET = 4096


@dataclass(frozen=True)
class Recipe:
    embedding_size: int = 100
    hidden_size: int = 60
    most_epochs: int = 12
    lower_case: bool = True


class Rows(NamedTuple):
    """Texts as their pieces' ids, and the number of each one's label."""

    ids: list[tuple[int, ...]]
    labels: list[int]

    def at(self, indices: Sequence[int]) -> "Rows":
        return Rows([self.ids[index] for index in indices], [self.labels[index] for index in indices])


def train_lstm(
    examples: Sequence[Example],
    label_names: Sequence[str],
    out_folder: Path,
    *,
    seed: int = 0,
    recipe: Recipe | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Trained:
    """Train until some of the texts are judged no better, and return the accuracy on a tenth that took no part.

    `progress(done, total)` counts texts, over all epochs that there may be. The folder appears whole or not at all.
    """
    recipe = recipe or Recipe()
    check_examples(examples, label_names)
    config = LSTMConfig(tuple(label_names), recipe.embedding_size, recipe.hidden_size, lower_case=recipe.lower_case)
    words = [_pieces(example, config.lower_case) for example in examples]
    held_out, others = hold_out(len(examples), seed)
    validation, training = split_validation(others)
    vocabulary = learn_vocabulary([words[index] for index in training], config.lower_case)
    rows = Rows([vocabulary.ids(row) for row in words], [example.label for example in examples])
    network = fit_network(
        config, vocabulary, rows.at(training), rows.at(validation), seed, recipe.most_epochs, progress
    )
    with appearing(out_folder) as unfinished:
        write_lstm(unfinished, config, vocabulary, network)
        load(str(unfinished))
    return judge(predicted_labels(network, rows.at(held_out).ids), rows.at(held_out).labels)


def fit_network(
    config: LSTMConfig,
    vocabulary: Vocabulary,
    training: Rows,
    validation: Rows,
    seed: int,
    most_epochs: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> LSTMNetwork:
    """The network that judges the validation texts best; the same seed and rows give the same."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        fitting = _Fitting(config, vocabulary, training, seed)
        fitting.fit(validation, most_epochs, progress)
    return fitting.best


def predicted_labels(network: LSTMNetwork, rows: Sequence[tuple[int, ...]]) -> list[int]:
    found: list[int] = _logits(network, rows).argmax(-1).tolist()
    return found


def _pieces(example: Example, lower_case: bool) -> list[str]:
    words = segment(example.content, example.language)
    return [as_piece(example.content[word.start : word.end], lower_case) for word in words]


def split_validation(shuffled: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Those to stop in time by, and those to learn from."""
    validation = max(1, round(len(shuffled) * VALIDATION))
    return shuffled[:validation], shuffled[validation:]


def learn_vocabulary(rows: Sequence[Sequence[str]], lower_case: bool) -> Vocabulary:
    """The pieces that occur often enough, commonest first."""
    counts = Counter(piece for row in rows for piece in row)
    return Vocabulary([PAD, UNK, *(piece for piece, count in counts.most_common() if count >= LEAST_COUNT)], lower_case)


class _Fitting:
    """A network on its way, the running mean of its weights, and the best mean so far."""

    def __init__(self, config: LSTMConfig, vocabulary: Vocabulary, training: Rows, seed: int) -> None:
        self.vocabulary, self.training, self.chance = vocabulary, training, random.Random(seed)
        self.network = config.network(len(vocabulary), vocabulary.pad_id)
        _initialise(self.network, training)
        self.mean, self.steps = copy.deepcopy(self.network).eval(), 0
        self.best = self.mean
        others = [*self.network.lstm.parameters(), *self.network.linear.parameters()]
        groups: list[dict[str, Any]] = [
            {"params": others},
            {"params": [self.network.embedding.weight], "lr": EMBEDDING_RATE},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY, fused=True)

    def fit(self, validation: Rows, most_epochs: int, progress: Callable[[int, int], None]) -> None:
        """Go on while the validation texts are judged better; `best` is then the network to keep."""
        total, done, best, best_epoch = most_epochs * len(self.training.ids), 0, math.inf, 0
        for epoch in range(1, most_epochs + 1):
            for group in _shuffled_batches(self.training.ids, self.chance):
                self._step(self.training.at(group))
                done += len(group)
                progress(done, total)
            # Not their accuracy, which jumps about on few texts.
            loss = float(cross_entropy(_logits(self.mean, validation.ids), torch.tensor(validation.labels)))
            if loss < best:
                best, best_epoch, self.best = loss, epoch, copy.deepcopy(self.mean)
            if epoch - best_epoch >= PATIENCE:
                break
        progress(total, total)

    def _step(self, rows: Rows) -> None:
        ids, mask = _padded(rows.ids, self.vocabulary.pad_id)
        unknown = (torch.rand(ids.shape) < WORD_DROPOUT) & mask.bool()
        embeddings = dropout(self.network.embedding(ids.masked_fill(unknown, self.vocabulary.unk_id)), DROPOUT)
        states = dropout(self.network.read(embeddings, mask.sum(-1)), OUTPUT_DROPOUT)
        torch.autograd.backward(cross_entropy(self.network.linear(states), torch.tensor(rows.labels)))
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self._average()

    @torch.no_grad()
    def _average(self) -> None:
        self.steps += 1
        # The first steps are far from all later ones: they are forgotten faster.
        keep = min(AVERAGING, (1 + self.steps) / (10 + self.steps))
        for mean, weight in zip(self.mean.parameters(), self.network.parameters(), strict=True):
            mean.lerp_(weight, 1 - keep)


@torch.no_grad()
def _initialise(network: LSTMNetwork, training: Rows) -> None:
    """Embeddings that know which label a word speaks for, and forget gates that begin open.

    A word begins at r_w D plus noise: r_w its log-count ratios (labels,), D a random direction for each label.
    """
    weight = network.embedding.weight
    ratios = _log_count_ratios(training, len(weight), network.linear.out_features)
    weight.normal_(0, 0.1)
    weight += ratios @ torch.randn(ratios.shape[1], weight.shape[1])
    weight[network.embedding.padding_idx] = 0
    for name, bias in network.lstm.named_parameters():
        if name.startswith("bias_ih"):
            bias.chunk(4)[GATES.index("f")].fill_(1.0)


def _log_count_ratios(training: Rows, pieces: int, labels: int) -> Tensor:
    """How much likelier each piece is under a label than over all (pieces, labels), as a logarithm.

    Wang & Manning 2012, https://aclanthology.org/P12-2018: texts that hold the piece are counted, from one.
    """
    counts = torch.ones(pieces, labels)
    for ids, label in zip(training.ids, training.labels, strict=True):
        counts[list(set(ids)), label] += 1
    logs = (counts / counts.sum(0)).log()
    return logs - logs.mean(1, keepdim=True)


def _shuffled_batches(rows: Sequence[tuple[int, ...]], chance: random.Random) -> Iterator[list[int]]:
    """Texts of about like length together, the batches in random order."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]) + 3 * chance.random())
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _padded(rows: Sequence[tuple[int, ...]], pad_id: int) -> tuple[Tensor, Tensor]:
    """A text without a word is read as one piece of padding."""
    return pad_ids([row or (pad_id,) for row in rows], pad_id, "cpu")


@torch.no_grad()
def _logits(network: LSTMNetwork, rows: Sequence[tuple[int, ...]]) -> Tensor:
    """Logits (texts, labels), like lengths together."""
    logits = torch.zeros(len(rows), network.linear.out_features)
    for group in group_by_length([len(row) for row in rows], EVALUATION_BUDGET):
        ids, mask = _padded([rows[index] for index in group], int(network.embedding.padding_idx or 0))
        logits[group] = network(network.embedding(ids), mask.sum(-1))
    return logits
