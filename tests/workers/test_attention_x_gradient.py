"""Attention x gradient: a case by hand, and the whole matrices as the paper writes them."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.workers.attending import attending
from tests.workers.test_saliency import TEXTS, batch_of, predicted, run
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.saliency.attention_x_gradient import attention_x_gradient


def by_matrices(classifier: TextClassifier, content: str, label: int) -> Tensor:
    """R of the paper in whole, one text alone, with gradients through the library's own output."""
    ids = torch.tensor([classifier.encode("1", content).input_ids])
    embeddings = classifier.embed(ids).requires_grad_()
    logits, attentions = classifier.run(ids, torch.ones_like(ids), embeddings, attentions=True)
    for layer in attentions:
        layer.retain_grad()
    torch.autograd.backward(logits[0, label])
    relevance = torch.eye(ids.shape[1])
    for layer in attentions:
        assert layer.grad is not None
        relevance = relevance + (layer.grad * layer)[0].relu().mean(0).detach() @ relevance
    return (classifier.readout(torch.ones_like(ids)) @ (relevance - torch.eye(ids.shape[1])))[0]


@pytest.mark.parametrize("kind", ["bert", "distilbert", "modernbert", "gpt2", "llama"])
def test_it_works(folders: Callable[[str], Path], kind: str) -> None:
    classifier = load_classifier(str(folders(kind)))
    scores = run(classifier, "attention_x_gradient", TEXTS)
    labels = predicted(classifier, batch_of(classifier, TEXTS)).tolist()
    for row, (content, label) in enumerate(zip(TEXTS, labels, strict=True)):
        expected = by_matrices(classifier, content, label)
        assert torch.allclose(scores[row, : len(expected)], expected, atol=1e-6, rtol=1e-4)


def test_the_layers_are_multiplied_by_hand(classifier: TextClassifier) -> None:
    first = torch.tensor([[[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    second = torch.tensor([[[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    batch = attending(classifier, "a", [first, second])
    # Only what speaks for the class counts: layer 2 sends -1 * .5 of itself (nothing) and 4 * .5 to piece 2.
    gradients = (torch.full((1, 1, 3, 3), 3.0), torch.tensor([[[[-1.0, 0.0, 4.0], [0.0] * 3, [0.0] * 3]]]))
    batch.memo["attention gradients", (0,)] = gradients
    # w E_2 = (0, 0, 2); w E_1 = (0, 3, 0); w E_2 E_1 = (0, 0, 6).
    assert attention_x_gradient(classifier, batch, torch.tensor([0]))[0].tolist() == [0.0, 3.0, 8.0]


def test_the_target_is_what_is_explained(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXTS)
    first, second = (attention_x_gradient(classifier, batch, torch.full((4,), label)) for label in (0, 1))
    assert not torch.allclose(first, second)
