"""Random, the arm that any method must beat. Lu et al. 2024, https://arxiv.org/abs/2405.10767

score of word w = (place of w in a random order of the n words) / n,  one fixed order a text
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.saliency.seeding import generator_for


def random(classifier: TextClassifier, batch: Batch, target: Tensor, seed: int = 0) -> Tensor:
    """Scores (texts, pieces) in 0..1 over words; the target plays no part."""
    return batch.pad([_places(text, classifier.weights_hash, seed) for text in batch.texts])


def _places(text: Encoded, weights_hash: str, seed: int) -> list[float]:
    generator = generator_for(text.content, "random", weights_hash, seed)
    order = torch.randperm(len(text.seen), generator=generator).tolist()
    return text.to_pieces({word: (place + 1) / len(order) for word, place in zip(text.seen, order, strict=True)})
