"""The kinds of classifier that can be explained: one module a kind, one line here."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from workers.classifiers import causal_lm, lstm, transformer
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.devices import check_device
from workers.classifiers.errors import ClassifierError
from workers.classifiers.language_models import ARCHITECTURES
from workers.classifiers.resolving import resolve

KINDS: dict[str, Callable[..., TextClassifier]] = {
    "transformer": transformer.load,
    "lstm": lstm.load,
    "causal-lm": causal_lm.load,
}
DTYPES = ("float32", "bfloat16")


def load_classifier(
    name: str,
    revision: str = "",
    kind: str = "",
    *,
    device: str = "cpu",
    dtype: str = "float32",
    options: Mapping[str, Any] | None = None,
) -> TextClassifier:
    """A hub id or folder as a classifier; its kind is read from its config.json where it is not given."""
    kind = kind or find_kind(resolve(name, revision)[0])
    if kind not in KINDS:
        raise ClassifierError(f"No such kind of classifier: {kind}. Known: {', '.join(KINDS)}.")
    if dtype not in DTYPES:
        raise ClassifierError(f"Weights cannot be {dtype}: choose {' or '.join(DTYPES)}.")
    check_device(device)
    classifier = KINDS[kind](name, revision, device=device, dtype=dtype, options=options)
    if dtype != "float32":
        _try_out(classifier, dtype)
    return classifier


def _try_out(classifier: TextClassifier, dtype: str) -> None:
    """Some models of the library (DeBERTa v1) mix in numbers of their own precision."""
    try:
        classifier.logits_of([(int(classifier.pad_id == 0),)])
    except RuntimeError as error:
        raise ClassifierError(f"{classifier.name} cannot run in {dtype} ({error}): choose float32.") from error


def find_kind(folder: Path) -> str:
    """The kind that config.json states, or that of its architecture; else a transformer, whose loader finds faults."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (ValueError, OSError):
        return "transformer"
    config = config if isinstance(config, dict) else {}
    stated, heads = config.get("kind"), config.get("architectures")
    if isinstance(stated, str) and stated in KINDS:
        return stated
    speaks = isinstance(heads, list) and any(str(head).endswith(ARCHITECTURES) for head in heads)
    return "causal-lm" if speaks else "transformer"


def set_up_process() -> None:
    """One torch thread a process: processes are what a machine's cores are shared out to."""
    torch.set_num_threads(1)
