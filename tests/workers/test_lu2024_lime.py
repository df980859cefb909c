"""The LIME of Lu et al. (2024): captum's, with every cell of the embeddings as a feature."""

from typing import Any

import torch
from captum.attr import Lime

from tests.workers.linear import batch_of, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.saliency.seeding import generator_for

TEXT = "an awful , boring film"


def test_it_equals_captum_on_the_same_draws(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXT)
    embeddings = classifier.embed(batch.input_ids)
    generator = generator_for(TEXT, "lu2024_lime", classifier.weights_hash)
    draws = iter((torch.rand(40, *embeddings[0].shape, generator=generator) < 0.5).long().flatten(1))

    def forward(cells: torch.Tensor) -> torch.Tensor:
        return classifier.logits(batch.input_ids, batch.attention_mask, cells)

    def draw(original: Any, **_: Any) -> torch.Tensor:
        drawn: torch.Tensor = next(draws)
        return drawn[None]

    theirs = Lime(forward, perturb_func=draw).attribute(embeddings, target=1, n_samples=40).sum(-1)[0]
    ours = scores_of(classifier, "lu2024_lime", TEXT, label=1)[0]
    assert (theirs != 0).any()
    assert torch.allclose(ours, theirs.float(), atol=1e-4)


def test_most_cells_have_no_part_in_it(classifier: TextClassifier) -> None:
    scores = scores_of(classifier, "lu2024_lime", TEXT, samples=4)
    assert torch.isfinite(scores).all() and scores.abs().sum() > 0


def test_another_seed_is_another_draw(classifier: TextClassifier) -> None:
    first, second = (scores_of(classifier, "lu2024_lime", TEXT, seed=seed) for seed in (0, 1))
    assert not torch.allclose(first, second)
