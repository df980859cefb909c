"""Attention rollout: a case by hand, and the whole matrices as the paper writes them."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.workers.attending import attending
from tests.workers.test_saliency import TEXTS, batch_of, run
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.saliency.attention_rollout import attention_rollout


def by_matrices(classifier: TextClassifier, content: str) -> Tensor:
    """The product of the whole matrices, one text alone and without padding."""
    ids = torch.tensor([classifier.encode("1", content).input_ids])
    attentions = classifier.run(ids, torch.ones_like(ids), attentions=True).attentions
    rollout = torch.eye(ids.shape[1])
    for layer in attentions:
        mixed = 0.5 * layer[0].mean(0) + 0.5 * torch.eye(ids.shape[1])
        rollout = (mixed / mixed.sum(-1, keepdim=True)) @ rollout
    return (classifier.readout(torch.ones_like(ids)) @ rollout)[0]


def test_it_works(classifier: TextClassifier) -> None:
    # Layer 1 looks from [CLS] at piece 1, layer 2 from [CLS] at itself and at piece 2 by halves.
    first = torch.tensor([[[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    second = torch.tensor([[[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    batch = attending(classifier, "a", [first, second])
    # Row of layer 2: (.75, 0, .25). Layer 1 keeps half of .75 in place and sends half to piece 1.
    assert attention_rollout(classifier, batch, torch.tensor([0]))[0].tolist() == [0.375, 0.375, 0.25]


@pytest.mark.parametrize("kind", ["bert", "modernbert", "gpt2", "llama"])
def test_it_is_the_product_of_the_layers(folders: Callable[[str], Path], kind: str) -> None:
    classifier = load_classifier(str(folders(kind)))
    scores = run(classifier, "attention_rollout", TEXTS)
    for row, content in enumerate(TEXTS):
        expected = by_matrices(classifier, content)
        assert torch.allclose(scores[row, : len(expected)], expected, atol=1e-6)
    assert scores.sum(-1).tolist() == pytest.approx([1.0] * len(TEXTS), rel=1e-5)


def test_decoders_are_read_at_the_last_piece(folders: Callable[[str], Path]) -> None:
    classifier = load_classifier(str(folders("gpt2")))
    read = classifier.readout(batch_of(classifier, TEXTS).attention_mask)
    lengths = [len(text.input_ids) for text in batch_of(classifier, TEXTS).texts]
    assert read.argmax(-1).tolist() == [length - 1 for length in lengths]
    # At the first piece there would be nothing but that piece to see.
    assert (run(classifier, "attention_rollout", TEXTS) > 0).sum(-1).tolist() == lengths
