"""A sentence encoder becomes a text classifier: one epoch on the CPU, saved as a Hugging Face folder."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor

from workers.classifiers.batching import group_by_length, pad_ids
from workers.classifiers.pretrained import silence
from workers.classifiers.saving import appearing
from workers.classifiers.training import hold_out
from workers.classifiers.transformer import load

BATCH = 16
MOST_PIECES = 128
LEARNING_RATE = 2e-4
WARM_UP = 0.1
WEIGHT_DECAY = 0.01


def finetune(
    encoder_folder: Path,
    texts: Sequence[str],
    labels: Sequence[int],
    label_names: Sequence[str],
    out_folder: Path,
    *,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> float:
    """Fine-tune for one epoch and return the accuracy on a held-out tenth of the texts.

    `progress(done, total)` counts texts. The folder appears whole or not at all.
    """
    with _all_cores(), torch.random.fork_rng():
        torch.manual_seed(seed)
        tokenizer = transformers.AutoTokenizer.from_pretrained(encoder_folder)
        model = _with_head(encoder_folder, label_names)
        ids = tokenizer(list(texts), truncation=True, max_length=MOST_PIECES, padding=False)["input_ids"]
        held_out, training = hold_out(len(texts), seed)
        _train(model, [ids[at] for at in training], [labels[at] for at in training], seed, progress)
        model.eval()
        accuracy = _accuracy(model, [ids[at] for at in held_out], [labels[at] for at in held_out])
    _save(model, tokenizer, out_folder)
    return accuracy


def _with_head(encoder_folder: Path, label_names: Sequence[str]) -> Any:
    names = dict(enumerate(label_names))
    with silence():
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            encoder_folder,
            dtype=torch.float32,
            use_safetensors=True,
            id2label=names,
            label2id={name: index for index, name in names.items()},
            problem_type="single_label_classification",
        )
    # The vocabulary is half of the parameters, and a small data set teaches it nothing.
    model.get_input_embeddings().requires_grad_(False)
    return model


def _train(
    model: Any,
    rows: list[list[int]],
    labels: list[int],
    seed: int,
    progress: Callable[[int, int], None],
) -> None:
    groups = list(_shuffled_batches(rows, seed))
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _warm_then_fall(step, len(groups)))
    model.train()
    done = 0
    for group in groups:
        with torch.autocast("cpu", torch.bfloat16, enabled=reckons_in_bfloat16()):
            loss = _loss(model, [rows[at] for at in group], torch.tensor([labels[at] for at in group]))
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        done += len(group)
        progress(done, len(rows))


def reckons_in_bfloat16() -> bool:
    """Whether the processor itself multiplies such numbers; where it does not, that takes over ten times as long."""
    can = torch.cpu.get_capabilities()
    return bool(can.get("avx512_bf16") or can.get("amx_bf16"))


def _shuffled_batches(rows: list[list[int]], seed: int) -> Iterator[list[int]]:
    """Texts of like length together, the batches in random order: little padding, no order to learn."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    random.Random(seed).shuffle(batches)
    yield from batches


def _warm_then_fall(step: int, steps: int) -> float:
    warm = max(1, round(steps * WARM_UP))
    return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


def _loss(model: Any, rows: list[list[int]], labels: Tensor) -> Tensor:
    ids, mask = pad_ids(rows, model.config.pad_token_id, "cpu")
    loss: Tensor = model(input_ids=ids, attention_mask=mask, labels=labels).loss
    return loss


@torch.no_grad()
def _accuracy(model: Any, rows: list[list[int]], labels: list[int]) -> float:
    right = 0
    for group in group_by_length([len(row) for row in rows], 4096):
        ids, mask = pad_ids([rows[at] for at in group], model.config.pad_token_id, "cpu")
        found = model(input_ids=ids, attention_mask=mask).logits.argmax(-1)
        right += int((found == torch.tensor([labels[at] for at in group])).sum())
    return right / len(rows)


def _save(model: Any, tokenizer: Any, out_folder: Path) -> None:
    """The folder is seen to load before it takes its place."""
    with appearing(out_folder) as unfinished:
        with silence():
            model.save_pretrained(unfinished)
            tokenizer.save_pretrained(unfinished)
        load(str(unfinished))


@contextmanager
def _all_cores() -> Iterator[None]:
    """Training is one job on an idle machine, unlike explaining: it may take every core."""
    threads = torch.get_num_threads()
    torch.set_num_threads(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else threads)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
