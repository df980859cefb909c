"""Chance that repeats: the same text, method and classifier give the same numbers on any machine."""

import hashlib
from collections.abc import Sequence

import torch

from workers.classifiers.encoding import Encoded


def seed_for(content: str, method: str, weights_hash: str, draw: int = 0) -> int:
    """A seed of 63 bits from the text's characters, the method's name and the classifier's weights.

    Another `draw` is another chance for all three: how far a method's scores depend on it can be seen.
    """
    key = "\0".join((content, method, weights_hash, *([str(draw)] if draw else []))).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def generator_for(content: str, method: str, weights_hash: str, draw: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed_for(content, method, weights_hash, draw))


def generators_for(texts: Sequence[Encoded], method: str, weights_hash: str, draw: int = 0) -> list[torch.Generator]:
    return [generator_for(text.content, method, weights_hash, draw) for text in texts]
