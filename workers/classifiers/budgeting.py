"""How many tokens a device holds at once, found by trying: doubled until its memory is short."""

from collections.abc import Callable

import torch

from workers.classifiers.batching import TOKEN_BUDGET
from workers.classifiers.classifier import TextClassifier

MOST_TOKENS = 1 << 20
# Of what was seen to fit: methods keep gradients and attention weights beside the pass that was tried.
SHARE = 0.5


def find_budget(classifier: TextClassifier, stated: int = 0) -> int:
    """The stated budget, or else what fits: on a CPU the usual one, on a GPU the largest that a pass proves."""
    if stated or not classifier.device.startswith("cuda"):
        return stated or TOKEN_BUDGET
    return search(lambda tokens: _fits(classifier, tokens))


def search(fits: Callable[[int], bool], start: int = TOKEN_BUDGET, most: int = MOST_TOKENS) -> int:
    """A share of the largest doubling of `start` that fits, and never less than `start`."""
    tokens = start
    while tokens < most and fits(2 * tokens):
        tokens *= 2
    return max(start, int(tokens * SHARE))


def _fits(classifier: TextClassifier, tokens: int) -> bool:
    """Whether a forward and a backward pass over so many tokens find memory."""
    width = min(classifier.most_pieces, 512)
    ids = torch.full((max(1, tokens // width), width), int(classifier.pad_id == 0), device=classifier.device)
    try:
        with torch.enable_grad():
            embeddings = classifier.embed(ids).detach().requires_grad_()
            logits = classifier.run(ids, torch.ones_like(ids), embeddings, attentions=classifier.kind != "lstm").logits
            torch.autograd.grad(logits.sum(), embeddings)
        return True
    except torch.OutOfMemoryError:
        return False
    finally:
        torch.cuda.empty_cache()
