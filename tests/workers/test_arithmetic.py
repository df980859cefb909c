"""The known answers of Arras et al. 2019: who finds the two numbers that were added or subtracted.

Figures depend on the network's beginning, the range of the numbers and eps, so only what is the same for all is held:
the `all` rule finds the numbers and the others do not, and no sign is wrong.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
import torch
from torch import Tensor

from workers.saliency import METHODS
from workers.sanity.arithmetic import MOST_STEPS, Sequences, batch_of, draw, fit

torch.set_num_threads(1)
COUNT = 300
WEAK_RULES = ("prop", "abs", "half")


# Some seconds a task, for all tests together.
networks: Callable[..., Any] = lru_cache(lambda operation, lowest: fit(operation, 6, seed=0, lowest=lowest))


def correlations(operation: str, name: str, lowest: float = 0.5, **params: Any) -> Tensor:
    """Correlation of each number with its relevance (networks, 2), the first number first."""
    drawn = draw(operation, COUNT, seed=7, lowest=lowest)
    rows = []
    for network in networks(operation, lowest):
        scores = METHODS[name](network, batch_of(network, drawn), torch.zeros(COUNT, dtype=torch.long), **params)
        pairs = [
            torch.stack([drawn.at(place, drawn.numbers), drawn.at(place, scores)])
            for place in (drawn.first, drawn.second)
        ]
        rows.append([torch.corrcoef(pair)[0, 1].item() for pair in pairs])
    return torch.tensor(rows)


def test_it_works() -> None:
    for operation in ("addition", "subtraction"):
        found = networks(operation, 0.5)
        assert len(found) >= 2
        drawn = draw(operation, COUNT, seed=8)
        batch = batch_of(found[0], drawn)
        outputs = found[0].logits(batch.input_ids, batch.attention_mask, batch.embeddings)[:, 0]
        assert ((outputs - drawn.targets) ** 2).mean() < 2e-4


@pytest.mark.parametrize(("operation", "sign"), [("addition", 1), ("subtraction", -1)])
def test_sequences_hold_what_is_to_be_found(operation: str, sign: int) -> None:
    drawn: Sequences = draw(operation, 50, seed=1)
    first, second = drawn.at(drawn.first, drawn.numbers), drawn.at(drawn.second, drawn.numbers)
    assert torch.allclose(drawn.targets, first + sign * second)
    assert (drawn.first != drawn.second).all() and (torch.maximum(drawn.first, drawn.second) < drawn.lengths).all()
    assert (drawn.inputs[:, :, 0] > 0).sum(1).tolist() == (drawn.inputs[:, :, 1] > 0).sum(1).tolist() == [1] * 50
    assert drawn.inputs.shape == (50, MOST_STEPS, 3) and ((drawn.numbers > 0).sum(1) == drawn.lengths).all()


@pytest.mark.parametrize(("operation", "sign"), [("addition", 1), ("subtraction", -1)])
def test_gradients_and_decomposition_find_both_numbers(operation: str, sign: int) -> None:
    signs = torch.tensor([1, sign])
    assert (correlations(operation, "input_x_gradient") * signs > 0.8).all()
    found = correlations(operation, "contextual_decomposition") * signs
    assert (found > 0.3).all() and found.mean() > 0.7


@pytest.mark.parametrize(("operation", "sign", "least"), [("addition", 1, 0.85), ("subtraction", -1, 0.5)])
def test_of_the_lrp_rules_only_all_finds_them(operation: str, sign: int, least: float) -> None:
    signs = torch.tensor([1, sign])
    found = correlations(operation, "lrp_lstm") * signs
    assert (found > 0.3).all() and found.mean() > least
    for rule in WEAK_RULES:
        weak = correlations(operation, "lrp_lstm", rule=rule) * signs
        assert weak.mean() < found.mean() - 0.4


def test_with_numbers_of_both_signs_they_are_found_nearly_exactly() -> None:
    assert (correlations("addition", "contextual_decomposition", lowest=-1.0) > 0.99).all()
    assert (correlations("addition", "lrp_lstm", lowest=-1.0) > 0.9).all()
