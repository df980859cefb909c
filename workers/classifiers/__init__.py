"""The kinds of classifier that can be explained: one module a kind, one line here."""

from collections.abc import Callable

import torch

from workers.classifiers import transformer
from workers.classifiers.errors import ClassifierError
from workers.classifiers.transformer import TransformerClassifier

KINDS: dict[str, Callable[[str, str], TransformerClassifier]] = {"transformer": transformer.load}


def load_classifier(name: str, revision: str = "", kind: str = "transformer") -> TransformerClassifier:
    if kind not in KINDS:
        raise ClassifierError(f"No such kind of classifier: {kind}. Known: {', '.join(KINDS)}.")
    return KINDS[kind](name, revision)


def set_up_process() -> None:
    """One torch thread a process: processes are what a machine's cores are shared out to."""
    torch.set_num_threads(1)
