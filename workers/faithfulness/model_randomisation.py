"""Model randomisation. Adebayo et al. 2018, https://arxiv.org/abs/1810.03292

    mean over steps of  Spearman's rho between the scores and those of the same method on a re-initialised model

cascading     each step re-initialises one more part of the model, from the output down to the embeddings
independent   each step re-initialises one part alone

The parts are runs of layers: the head, the blocks from last to first, the embeddings, in `steps` parts of like number.
A weight is drawn anew from the normal distribution with its own mean and deviation, so that the model stays one
through which signals pass. A method that does not look at what the model learnt keeps its map: its value is near 1.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import torch
from scipy.stats import spearmanr
from torch import Tensor, nn

from catalogue.reasons import CONSTANT_MAPS, NO_METHOD
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.memory import Memory
from workers.faithfulness.erasing import Row, Value, WordScores, rows_of, stations
from workers.faithfulness.repeating import Again, Maker, make_again


def model_randomisation(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    makers: Sequence[Maker | None],
    order: str = "cascading",
    steps: int = 4,
    absolute: bool = False,
    seed: int = 0,
) -> list[Value]:
    """One value in -1..1 a row, nearer to zero is better; `absolute` compares the sizes of scores.

    A step at which the map is constant has no rank correlation, and is left out of the mean.
    """
    rows = rows_of(batch, word_scores)
    ranked = {at: row for at, row in enumerate(rows) if isinstance(row, Row)}
    wanted = {
        at: Again(row.text, int(target[at]), maker) for at, row in ranked.items() if (maker := makers[at]) is not None
    }
    found: dict[int, list[float | str]] = {at: [] for at in wanted}
    for altered in randomised(classifier, order, steps, seed) if wanted else ():
        for at, made in zip(wanted, make_again(altered, list(wanted.values()), batch.budget), strict=True):
            found[at].append(made if isinstance(made, str) else _correlation(ranked[at].scores, made, absolute))
    return [row if isinstance(row, Value) else _value(found.get(at)) for at, row in enumerate(rows)]


def _correlation(scores: list[float], made: list[float], absolute: bool) -> float | str:
    before, after = ([abs(score) for score in one] if absolute else one for one in (scores, made))
    if len(set(before)) == 1 or len(set(after)) == 1:
        return CONSTANT_MAPS
    return float(spearmanr(before, after).statistic)


def _value(found: list[float | str] | None) -> Value:
    if found is None:
        return Value(None, NO_METHOD)
    known = [one for one in found if isinstance(one, float)]
    return Value(fmean(known)) if known else Value(None, str(found[0]))


def randomised(classifier: TextClassifier, order: str, steps: int, seed: int) -> Iterator[TextClassifier]:
    """The classifier on a copy of its model, of which ever more, or ever another part, is drawn anew."""
    model = copy.deepcopy(classifier.model)
    weights = dict(model.named_parameters())
    groups = layers_from_the_top(model)
    generator = torch.Generator().manual_seed(seed)
    for start, end in pairwise(stations(len(groups), steps)):
        names = [name for group in groups[start:end] for name in group]
        learnt = {name: weights[name].detach().clone() for name in names} if order == "independent" else {}
        for name in names:
            _draw(weights[name], generator)
        yield replace(classifier, model=model, memory=Memory())
        with torch.no_grad():
            for name, weight in learnt.items():
                weights[name].copy_(weight)


@torch.no_grad()
def _draw(weight: Tensor, generator: torch.Generator) -> None:
    learnt = weight.float()
    drawn = torch.randn(weight.shape, generator=generator).to(learnt)
    weight.copy_(learnt.mean() + learnt.std(correction=0) * drawn)


def layers_from_the_top(model: nn.Module) -> list[list[str]]:
    """Names of weights in groups: what stands after the blocks, each block from last to first, what stands before.

    The blocks are the model's longest list of layers; without one, its children are the groups. Weights that are tied
    to the embeddings, as the output layers of language models often are, belong to the embeddings.
    """
    blocks = _blocks(model)
    groups: dict[str, list[str]] = {}
    passed = False
    for name, _ in model.named_parameters():
        if blocks and name.startswith(f"{blocks}."):
            passed, group = True, name.removeprefix(f"{blocks}.").partition(".")[0]
        else:
            group = ("after" if passed else "before") if blocks else name.partition(".")[0]
        groups.setdefault(group, []).append(name)
    return list(groups.values())[::-1]


def _blocks(model: nn.Module) -> str:
    """The name of the list of layers that holds most weights; empty where there is none."""
    lists = {
        name: sum(weight.numel() for weight in module.parameters())
        for name, module in model.named_modules()
        if isinstance(module, nn.ModuleList)
    }
    return max(lists, key=lambda name: lists[name], default="")
