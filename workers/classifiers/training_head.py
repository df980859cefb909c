"""A linear head learns to tell classes by the last state of a frozen language model (Ding & Koehn 2021).

The language model reads every text once; the head is a logistic regression on what it kept:

    minimise over W, b   - mean over texts of log softmax(W z + b)[label] + ridge / 2 |W|^2

z is the state less its mean over its deviation, dimension by dimension, which W and b then take up.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from workers.classifiers.batching import TOKEN_BUDGET, group_by_length, pad_ids
from workers.classifiers.causal_lm import load
from workers.classifiers.devices import check_device
from workers.classifiers.heads import write_head
from workers.classifiers.language_models import LanguageModel, at_last, load_language_model
from workers.classifiers.saving import appearing
from workers.classifiers.training import Example, Trained, check_examples, hold_out, judge

RIDGE = 0.01
MOST_STEPS = 300


def train_head(
    language_model: str,
    examples: Sequence[Example],
    label_names: Sequence[str],
    out_folder: Path,
    *,
    revision: str = "",
    seed: int = 0,
    device: str = "cpu",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Trained:
    """Train on nine tenths of the texts, chosen by `seed`, and judge the head by the others.

    `progress(done, total)` counts texts. The folder appears whole or not at all.
    """
    check_examples(examples, label_names)
    check_device(device)
    loaded = load_language_model(language_model, revision, device)
    states = _last_states(loaded, [example.content for example in examples], progress)
    labels = torch.tensor([example.label for example in examples])
    held_out, training = hold_out(len(examples), seed)
    weight, bias = fit(states[training], labels[training], len(label_names))
    with appearing(out_folder) as unfinished:
        write_head(unfinished, loaded, language_model, tuple(label_names), weight, bias)
        load(str(unfinished))
    return judge((states[held_out] @ weight.T + bias).argmax(-1).tolist(), labels[held_out].tolist())


@torch.no_grad()
def _last_states(loaded: LanguageModel, contents: Sequence[str], progress: Callable[[int, int], None]) -> Tensor:
    """States (texts, dimensions) on the CPU."""
    rows = [loaded.ids(content) or (loaded.pad_id,) for content in contents]
    states: dict[int, Tensor] = {}
    for group in group_by_length([len(row) for row in rows], TOKEN_BUDGET):
        ids, mask = pad_ids([rows[at] for at in group], loaded.pad_id, str(loaded.model.device))
        made = loaded.model.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
        states.update(zip(group, at_last(made, mask).float().cpu(), strict=True))
        progress(len(states), len(rows))
    return torch.stack([states[at] for at in range(len(rows))])


def fit(states: Tensor, labels: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Weight (count, dimensions) and bias (count,) of the regression; the same for the same states."""
    mean, deviation = states.mean(0), states.std(0, correction=0)
    # What never varies has nothing to say.
    scaled = (states - mean) / deviation.where(deviation > 1e-6, torch.inf)
    weight = torch.zeros(count, states.shape[1], requires_grad=True)
    bias = torch.zeros(count, requires_grad=True)
    optimizer: Any = torch.optim.LBFGS([weight, bias], max_iter=MOST_STEPS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        found = cross_entropy(scaled @ weight.T + bias, labels) + RIDGE / 2 * weight.square().sum()
        torch.autograd.backward(found)
        return found

    optimizer.step(loss)
    unscaled = weight.detach() / deviation.where(deviation > 1e-6, torch.inf)
    return unscaled, bias.detach() - unscaled @ mean
