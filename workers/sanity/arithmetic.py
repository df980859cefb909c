"""Sums and differences of two numbers in a sequence. Arras et al. 2019, section 4, https://arxiv.org/abs/1904.11829

    x_t = (0, n_t) for the two numbers that are marked, (n_t, 0) for all others
    y = n_a + n_b,  or  n_a - n_b,  a being the first of the two

An LSTM of one cell with a linear output, without a bias, learns it to a mean squared error below 1e-4. Then the
relevance of a place must follow its number: corr(n_a, R_a) = 1, corr(n_b, R_b) = 1 for sums and -1 for differences,
and R_a + R_b = y. Which way relevance goes is known here as nowhere else: no other number has any effect.

A method passes a setting if the mean over networks of each correlation, times the sign of the right answer, is above
sqrt(1/2): more than half of the variance of a number's relevance is that number. Chance is 0. The squared error is
shown and not judged: it needs a scale that only some methods claim to have. Methods whose scores have no sign cannot
tell a sum from a difference, so they are undefined; Random, which has none either, is judged as a reference.

Figures depend on what the paper leaves open. Chosen here: numbers uniform in 0.5..1, with `both` signs by chance; 4 to
10 steps; weights that begin in -1/2..1/2, with forget gates open and outputs 2 or -2; Levenberg-Marquardt until the
validation error is below 1e-4; LRP's eps 0.001; words left out by zeros. First less second, with one mark for the two
and numbers of both signs, is beyond a few cells: there each of the two has a mark, and a dimension, of its own.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from catalogue.methods import METHODS as CATALOGUE
from catalogue.methods import Method
from workers.classifiers.batching import group_by_length
from workers.classifiers.encoding import Encoded
from workers.classifiers.errors import ClassifierError
from workers.classifiers.lstm import LSTMClassifier
from workers.saliency import function_of
from workers.sanity.cells import Examples, Shape, as_classifier, begin, learn
from workers.sanity.outcome import ALL_EQUAL, NO_SIGN, Arm, Outcome, Progress, Row, Value, judge, spread

LEAST_STEPS, MOST_STEPS = 4, 10
GOOD_ENOUGH = 1e-4
PASS_LINE = 0.5**0.5
SEQUENCES, ROUNDS = 250, 80
NOT_LEARNT = "no network learnt it"
# Pieces of small networks cost little; the budget only keeps the graph of a backward within some megabytes.
BUDGET = 8192


class Setting(NamedTuple):
    """`sign` of the second number in the result; `both` signs of numbers; `marks`: one for both numbers, or two."""

    name: str
    sign: int
    both: bool
    marks: int = 1


SETTINGS = (
    Setting("addition, one sign", 1, False),
    Setting("addition, both signs", 1, True),
    Setting("subtraction, one sign", -1, False),
    Setting("subtraction, both signs", -1, True, marks=2),
)


class Sequences(NamedTuple):
    """`examples` with `first` and `second`, the places of the marked numbers (sequences,)."""

    examples: Examples
    first: Tensor
    second: Tensor

    @property
    def numbers(self) -> Tensor:
        return self.examples.inputs.sum(-1)


class Found(NamedTuple):
    """For each network the two correlations, times the sign they should have, and the squared error."""

    first: list[float | None]
    second: list[float | None]
    squared_error: list[float | None]


def run(
    arms: Sequence[Arm], progress: Progress, models: int = 50, cells: int = 1, texts: int = 50, seed: int = 0
) -> Outcome:
    """Every method in four settings: sums and differences, numbers of one sign and of both."""
    rows: list[Row] = []
    about = []
    for setting in SETTINGS:
        follow = _about(progress, setting.name)
        weights, shape = fit(setting, models, seed, cells, follow)
        about.append({"setting": setting.name, "networks": models, "learnt": len(weights), "cells": cells})
        if len(weights):
            unseen = draw(setting, texts, seed + 3)
            classifier = as_classifier(weights, shape, unseen.examples.inputs.flatten(0, 1))
            rows += _rows(classifier, unseen, arms, setting, follow)
        else:
            rows += [judge(arm, setting.name, {}, [], NOT_LEARNT) for arm in arms]
    return Outcome(rows, about)


def _rows(
    classifier: LSTMClassifier, drawn: Sequences, arms: Sequence[Arm], setting: Setting, progress: Progress
) -> Iterator[Row]:
    for done, arm in enumerate(arms):
        progress("explaining", done, len(arms))
        yield _row(classifier, drawn, arm, setting)
    progress("explaining", len(arms), len(arms))


def draw(setting: Setting, count: int, seed: int) -> Sequences:
    """Sequences of numbers in 0.5..1, and in -1..-0.5 where `both` signs occur, two of which are marked."""
    chance = torch.Generator().manual_seed(seed)
    lengths = torch.randint(LEAST_STEPS, MOST_STEPS + 1, (count,), generator=chance)
    inside = torch.arange(MOST_STEPS) < lengths[:, None]
    numbers = torch.rand(count, MOST_STEPS, generator=chance) / 2 + 0.5
    if setting.both:
        numbers *= torch.randint(0, 2, numbers.shape, generator=chance) * 2 - 1
    places = torch.rand(numbers.shape, generator=chance).masked_fill(~inside, 2).argsort(1)[:, :2].sort(1).values
    mark = torch.tensor([1, setting.marks]).expand_as(places)
    marked = torch.zeros(numbers.shape, dtype=torch.long).scatter(1, places, mark)
    inputs = torch.nn.functional.one_hot(marked, 1 + setting.marks) * (numbers * inside)[:, :, None]
    first, second = numbers.gather(1, places).unbind(1)
    return Sequences(Examples(inputs, lengths, first + setting.sign * second), *places.unbind(1))


def fit(
    setting: Setting,
    networks: int,
    seed: int = 0,
    cells: int = 1,
    progress: Progress = lambda what, done, total: None,
) -> tuple[Tensor, Shape]:
    """Weights of the networks that learnt the task to `GOOD_ENOUGH` on validation sequences."""
    shape = Shape(1 + setting.marks, cells)
    training, validation = (draw(setting, SEQUENCES, seed + at).examples for at in (1, 2))
    weights, errors = learn(
        begin(networks, shape, seed), shape, training, validation, GOOD_ENOUGH, ROUNDS,
        lambda done, total: progress("training", done, total),
    )  # fmt: skip
    return weights[errors < GOOD_ENOUGH], shape


def _about(progress: Progress, setting: str) -> Progress:
    return lambda what, done, total: progress(f"{what} {setting}", done, total)


def _row(classifier: LSTMClassifier, drawn: Sequences, arm: Arm, setting: Setting) -> Row:
    try:
        found = correlate(classifier, drawn, arm, setting.sign)
    except ClassifierError as error:
        return judge(arm, setting.name, {}, [], str(error))
    values = {
        "corr_a": spread(found.first),
        "corr_b": _turned(spread(found.second), setting.sign),
        "squared_error": spread(found.squared_error),
    }
    if not arm.signed and CATALOGUE[arm.method].family != "baseline":
        return judge(arm, setting.name, values, [], NO_SIGN)
    if values["corr_a"].value is None or values["corr_b"].value is None:
        return judge(arm, setting.name, values, [], ALL_EQUAL)
    return judge(arm, setting.name, values, list(_faults(values, setting.sign)))


def _turned(found: Value, sign: int) -> Value:
    """As it was measured, where `spread` was told how good it is."""
    if sign > 0 or found.value is None or found.low is None or found.high is None:
        return found
    return Value(-found.value, -found.high, -found.low, found.n)


def _faults(values: dict[str, Value], sign: int) -> Iterator[str]:
    for name, number, right in (("corr_a", "first", 1), ("corr_b", "second", sign)):
        value = values[name].value or 0.0
        if value * right <= PASS_LINE:
            yield f"{number} number: {value:.2f} where {right} is right"


def correlate(classifier: LSTMClassifier, drawn: Sequences, arm: Arm, sign: int) -> Found:
    """How well the relevance of the two numbers follows them, network by network."""
    method, networks = CATALOGUE[arm.method], range(len(classifier.label_names))
    scores = _scores(classifier, drawn, method, arm)
    found = Found([], [], [])
    for network in networks:
        shares = []
        for places, right, kept in ((drawn.first, 1, found.first), (drawn.second, sign, found.second)):
            share, number = (values.gather(1, places[:, None])[:, 0] for values in (scores[network], drawn.numbers))
            kept.append(_correlation(number * right, share))
            shares.append(share)
        found.squared_error.append(float((sum(shares) - drawn.examples.targets).double().square().mean()))
    return found


def _correlation(numbers: Tensor, scores: Tensor) -> float | None:
    if scores.max() == scores.min():
        return None
    return float(torch.corrcoef(torch.stack([numbers.double(), scores.double()]))[0, 1])


def _scores(classifier: LSTMClassifier, drawn: Sequences, method: Method, arm: Arm) -> Tensor:
    """Scores (networks, sequences, steps): each sequence is a text for every network, whose output is the target."""
    networks, (count, steps) = len(classifier.label_names), drawn.numbers.shape
    params = {name: value for name, value in arm.params.items() if name != "pieces"}
    scores = torch.zeros(networks, count, steps)
    # All networks of a sequence in turn: what one was asked of it is known for all.
    texts = [(network, at) for at in range(count) for network in range(networks)]
    lengths = drawn.examples.lengths.tolist()
    for group in group_by_length([lengths[at] for _, at in texts], BUDGET):
        chosen = [texts[index] for index in group]
        batch = classifier.batch([_encoded(network, at, lengths[at]) for network, at in chosen], BUDGET)
        target = torch.tensor([network for network, _ in chosen])
        made = function_of(method)(classifier, batch, target, **params).detach().float()
        for (network, at), row in zip(chosen, made, strict=True):
            scores[network, at, : len(row)] = row
    return scores


def _encoded(network: int, at: int, length: int) -> Encoded:
    """Every number is a word and a piece of its own; methods that draw by chance do so anew for each network."""
    first = 2 + at * MOST_STEPS
    pairs = tuple((place, place) for place in range(length))
    return Encoded(f"{network}/{at}", f"{network}/{at}", (), tuple(range(first, first + length)), pairs)
