"""Attention flow: a case by hand, and every cut of small graphs tried in turn."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.workers.attending import attending
from tests.workers.test_saliency import batch_of, run
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.explaining import explain
from workers.records import Explained, Failed, SourceText
from workers.saliency.attention_flow import attention_flow


def smallest_cut(classifier: TextClassifier, content: str, piece: int) -> float:
    """The capacity of the smallest cut, which is the largest flow: all ways to part the pieces of all layers."""
    ids = torch.tensor([classifier.encode("1", content).input_ids])
    attentions = classifier.run(ids, torch.ones_like(ids), attentions=True).attentions
    count = ids.shape[1]
    pipes = [(layer[0].mean(0) + torch.eye(count)).double().numpy() / 2 for layer in attentions]
    read = classifier.readout(torch.ones_like(ids))[0].double().numpy()
    smallest = np.inf
    for bits in product((0.0, 1.0), repeat=count * len(pipes)):
        # With the source or not, from the top layer down; the sink never is.
        sides = [read, *np.array(bits).reshape(len(pipes), count)]
        cut = float((read * (1 - sides[1])).sum())
        for upper, lower, pipe in zip(sides[1:], sides[2:], reversed(pipes), strict=False):
            cut += float(upper @ pipe @ (1 - lower))
        cut += float(sides[-1] @ pipes[0][:, piece])
        smallest = min(smallest, cut)
    return smallest


def test_it_works(classifier: TextClassifier) -> None:
    # Layer 1 looks from [CLS] at piece 1, layer 2 from [CLS] at itself and at piece 2 by halves.
    first = torch.tensor([[[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    second = torch.tensor([[[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    batch = attending(classifier, "a", [first, second])
    # .75 comes to [CLS] over layer 1, which has a pipe of a half to itself and one to piece 1; .25 to piece 2.
    assert attention_flow(classifier, batch, torch.tensor([0]))[0].tolist() == pytest.approx([0.5, 0.5, 0.25])


@pytest.mark.parametrize("kind", ["bert", "modernbert", "gpt2"])
def test_the_largest_flow_is_the_smallest_cut(folders: Callable[[str], Path], kind: str) -> None:
    classifier = load_classifier(str(folders(kind)))
    content = "a great film" if kind == "gpt2" else "a great"
    (scores,) = run(classifier, "attention_flow", [content]).tolist()
    assert scores == pytest.approx([smallest_cut(classifier, content, piece) for piece in range(len(scores))], abs=1e-6)


def test_one_layer_is_attention_itself(classifier: TextClassifier) -> None:
    layer = torch.tensor([[[0.2, 0.3, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    batch = attending(classifier, "a", [layer])
    assert attention_flow(classifier, batch, torch.tensor([0]))[0].tolist() == pytest.approx([0.6, 0.15, 0.25])


def test_a_text_too_long_fails_alone_and_says_why(classifier: TextClassifier) -> None:
    texts = [SourceText("short", "a great film"), SourceText("long", "a film " * 15)]
    short, long = explain(classifier, texts, {"attention_flow": {"most_pieces": 20}})
    assert isinstance(short, Explained) and isinstance(long, Failed)
    assert "32 pieces, and was told to take at most 20" in long.reason


def test_the_limit_counts_pieces_not_padding(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, ["a great film"])
    assert attention_flow(classifier, batch, torch.tensor([0]), most_pieces=5).shape == (1, 5)
