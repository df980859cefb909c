"""Max-sensitivity, on a linear model whose maps move as far as its embeddings do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.workers.linear import LinearClassifier, batch_of, linear_classifier
from tests.workers.worded import maker
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value
from workers.faithfulness.max_sensitivity import max_sensitivity
from workers.faithfulness.repeating import Maker

TEXT = "a great film a really"


def sensitivity(classifier: TextClassifier, *names: str, content: str = TEXT, **params: Any) -> list[Value]:
    batch, target = batch_of(classifier, *[content] * len(names)), torch.zeros(len(names), dtype=torch.long)
    makers = [maker(name) for name in names]
    rows = [
        text.to_words(one.scores(classifier, batch, target)[at].tolist())
        for at, (text, one) in enumerate(zip(batch.texts, makers, strict=True))
    ]
    return max_sensitivity(classifier, batch, rows, target, makers, **params)


@pytest.fixture
def linear() -> LinearClassifier:
    return linear_classifier()


def test_it_works(linear: LinearClassifier) -> None:
    (one,) = sensitivity(linear, "input_x_gradient", samples=1)
    (five,) = sensitivity(linear, "input_x_gradient", samples=5)
    assert one.value is not None and five.value is not None and 0 < one.value <= five.value
    # |w . n| is at most |w|_1 r for a piece of one word.
    text = linear.encode("1", TEXT)
    worth = torch.tensor(linear.worth(text, 0))[1:-1]
    embeddings = linear.embed(torch.tensor(text.input_ids))
    reach = 0.02 * (embeddings.max() - embeddings.min()) * linear.model.weight[0].abs().sum()
    assert five.value <= float(reach * len(worth) ** 0.5 / worth.norm())


def test_maps_of_a_linear_model_move_as_far_as_the_noise(linear: LinearClassifier) -> None:
    (near,), (far,) = (sensitivity(linear, "input_x_gradient", radius=radius) for radius in (0.01, 0.02))
    assert near.value is not None and far.value == pytest.approx(2 * near.value, rel=1e-3)


def test_methods_that_erase_words_are_shaken_alike(linear: LinearClassifier) -> None:
    # Both score a word by w . e, whose noise is the same wherever the word stands.
    by_gradient, by_erasing = sensitivity(linear, "input_x_gradient", "occlusion")
    assert by_gradient.value == pytest.approx(by_erasing.value, rel=1e-4)


def test_a_map_that_ignores_the_text_is_not_moved(linear: LinearClassifier) -> None:
    assert sensitivity(linear, "random") == [Value(0.0)]


def test_the_model_is_left_as_found(linear: LinearClassifier) -> None:
    ids = linear.encode("1", TEXT).input_ids
    before, known = linear.logits_of([ids]), len(linear.memory)
    sensitivity(linear, "occlusion")
    assert not linear.embedding._forward_hooks
    linear.memory._rows.clear()
    assert torch.equal(linear.logits_of([ids]), before) and known == 1


def test_it_does_not_depend_on_batch_mates(classifier: TextClassifier) -> None:
    (alone,) = sensitivity(classifier, "gradient")
    together = sensitivity(classifier, "input_x_gradient", "gradient", "attention_all")
    assert alone.value is not None and together[1].value == pytest.approx(alone.value, rel=1e-3)


@pytest.mark.parametrize("kind", ["modernbert", "deberta", "deberta-v2", "gpt2", "lstm"])
def test_noise_reaches_the_embeddings_of_every_family(folders: Callable[[str], Path], kind: str) -> None:
    found = sensitivity(load_classifier(str(folders(kind))), "input_x_gradient", "occlusion", samples=2)
    assert all(one.value is not None and one.value > 0 for one in found)


def test_without_its_method_a_map_has_no_value(linear: LinearClassifier) -> None:
    batch, target = batch_of(linear, TEXT), torch.tensor([0])
    found = max_sensitivity(linear, batch, [[0.1, 0.2, 0.3, 0.4, 0.5]], target, [None])
    assert found == [Value(None, "the method cannot be run")]


def test_a_method_that_fails_says_why(linear: LinearClassifier) -> None:
    def failing(*_: Any) -> torch.Tensor:
        raise ValueError("no such thing")

    batch, target = batch_of(linear, TEXT), torch.tensor([0])
    found = max_sensitivity(linear, batch, [[0.1, 0.2, 0.3, 0.4, 0.5]], target, [Maker("failing", failing)])
    assert found == [Value(None, "the method fails on the altered model: no such thing")]
