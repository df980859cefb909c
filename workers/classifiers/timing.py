"""How fast a classifier runs on this machine: what the estimate of a long computation starts from."""

import time

import torch

from workers.classifiers.classifier import TextClassifier

ROWS, PIECES, TRIES = 4, 64, 3


@torch.no_grad()
def seconds_per_piece(classifier: TextClassifier) -> float:
    """Seconds of one forward pass by its word pieces; the best of a few, as others may be at work."""
    ids = torch.full((ROWS, min(PIECES, classifier.most_pieces)), int(classifier.pad_id == 0), device=classifier.device)
    mask = torch.ones_like(ids)
    return min(_seconds(classifier, ids, mask) for _ in range(TRIES)) / ids.numel()


def _seconds(classifier: TextClassifier, ids: torch.Tensor, mask: torch.Tensor) -> float:
    started = time.perf_counter()
    # Reading a number waits for the device.
    float(classifier.logits(ids, mask).sum())
    return time.perf_counter() - started
