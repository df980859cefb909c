"""A small language model that learns the sentences of `grammar`, and a smaller one that learns from it."""

import random
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor
from torch.nn.functional import cross_entropy

from workers.classifiers.batching import pad_ids
from workers.classifiers.pretrained import silence
from workers.sanity.grammar import say, vocabulary
from workers.sanity.outcome import Progress
from workers.sanity.vocabulary import START, tokenizer_of

SENTENCES, STEPS, BATCH, LEARNING_RATE = 3000, 900, 64, 5e-3
SIZES: dict[str, Any] = {"n_embd": 64, "n_layer": 2, "n_head": 4}
SMALL_SIZES: dict[str, Any] = {"n_embd": 48, "n_layer": 1, "n_head": 4}


def teach(folder: Path, small_folder: Path, seed: int, progress: Progress) -> None:
    """A GPT-2 that has read sentences, and its distilled copy: a smaller one that was taught its next-word odds.

    Both are saved with their tokenizer, as folders like those of any language model.
    """
    tokenizer = tokenizer_of(vocabulary(), f"{START} $A")
    rows = [tokenizer(sentence)["input_ids"] for sentence in say(SENTENCES, seed)]
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model, copy = (_begin(tokenizer, sizes) for sizes in (SIZES, SMALL_SIZES))
        _learn(model, rows, None, seed, progress, "training a language model")
        _learn(copy, rows, model, seed, progress, "distilling it")
    for made, where in ((model, folder), (copy, small_folder)):
        with silence():
            made.save_pretrained(where)
            tokenizer.save_pretrained(where)


def _begin(tokenizer: Any, sizes: dict[str, Any]) -> Any:
    auto_class: Any = transformers.AutoModelForCausalLM
    shape: dict[str, Any] = {"vocab_size": len(tokenizer), "n_positions": 64, "pad_token_id": tokenizer.pad_token_id}
    start = tokenizer.cls_token_id
    return auto_class.from_config(transformers.GPT2Config(**shape, **sizes, bos_token_id=start, eos_token_id=start))


def _learn(model: Any, rows: list[list[int]], teacher: Any, seed: int, progress: Progress, what: str) -> None:
    """Next words as they stand, or as the teacher expects them."""
    chance = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, STEPS)
    model.train()
    for step in range(STEPS):
        ids, mask = pad_ids(chance.sample(rows, BATCH), model.config.pad_token_id, "cpu")
        wanted = ids[:, 1:] if teacher is None else _odds(teacher, ids, mask)
        logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1]
        real = mask[:, 1:].bool()
        torch.autograd.backward(cross_entropy(logits[real], wanted[real]))
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        progress(what, step + 1, STEPS)
    model.eval()


@torch.no_grad()
def _odds(teacher: Any, ids: Tensor, mask: Tensor) -> Tensor:
    """P (texts, pieces - 1, vocabulary) of each next piece."""
    odds: Tensor = teacher(input_ids=ids, attention_mask=mask).logits[:, :-1].softmax(-1)
    return odds
