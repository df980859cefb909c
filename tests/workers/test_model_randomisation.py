from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tests.workers.worded import maker
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value
from workers.faithfulness.model_randomisation import layers_from_the_top, model_randomisation, randomised

TEXT = "a great film really"


def randomisation(classifier: TextClassifier, *names: str, **params: Any) -> list[Value]:
    texts = [classifier.encode("1", TEXT)] * len(names)
    batch, target = classifier.batch(texts), torch.zeros(len(names), dtype=torch.long)
    makers = [maker(name) for name in names]
    rows = [
        text.to_words(one.scores(classifier, batch, target)[at].tolist())
        for at, (text, one) in enumerate(zip(texts, makers, strict=True))
    ]
    return model_randomisation(classifier, batch, rows, target, makers, **params)


def test_it_works(classifier: TextClassifier) -> None:
    of_random, of_gradient = randomisation(classifier, "random", "gradient")
    # What the model learnt plays no part in Random, and some in gradients.
    assert of_random.value == pytest.approx(1)
    assert of_gradient.value is not None and -1 <= of_gradient.value < 1


def test_the_model_is_left_as_found(classifier: TextClassifier) -> None:
    before = {name: weight.clone() for name, weight in classifier.model.state_dict().items()}
    known = len(classifier.memory)
    randomisation(classifier, "gradient", "input_x_gradient")
    assert all(torch.equal(weight, before[name]) for name, weight in classifier.model.state_dict().items())
    assert len(classifier.memory) == known


def test_it_repeats_by_its_seed(classifier: TextClassifier) -> None:
    first, second, other = (randomisation(classifier, "input_x_gradient", seed=seed) for seed in (0, 0, 5))
    assert first == second != other


def test_one_step_draws_the_whole_model_in_either_order(classifier: TextClassifier) -> None:
    cascading, independent = (
        randomisation(classifier, "input_x_gradient", steps=1, order=order) for order in ("cascading", "independent")
    )
    assert cascading == independent


def changed(classifier: TextClassifier, altered: TextClassifier) -> set[str]:
    learnt = dict(classifier.model.named_parameters())
    return {name for name, weight in altered.model.named_parameters() if not torch.equal(weight, learnt[name])}


def test_cascading_adds_part_to_part_from_the_top(classifier: TextClassifier) -> None:
    steps = [changed(classifier, altered) for altered in randomised(classifier, "cascading", 4, 0)]
    assert "classifier.weight" in steps[0] and not any(".layer." in name for name in steps[0])
    assert any(".layer.1." in name for name in steps[1]) and not any(".layer.0." in name for name in steps[1])
    assert steps[0] < steps[1] < steps[2] < steps[3]
    assert "bert.embeddings.word_embeddings.weight" in steps[3] - steps[2]


def test_independent_parts_are_drawn_each_alone(classifier: TextClassifier) -> None:
    steps = [changed(classifier, altered) for altered in randomised(classifier, "independent", 4, 0)]
    assert all(steps) and sum(map(len, steps)) == len(set.union(*steps))


def test_drawn_weights_keep_their_mean_and_deviation(classifier: TextClassifier) -> None:
    name = "bert.embeddings.word_embeddings.weight"
    (altered,) = randomised(classifier, "cascading", 1, 0)
    learnt, drawn = classifier.model.get_parameter(name), altered.model.get_parameter(name)
    assert float(drawn.mean()) == pytest.approx(float(learnt.mean()), abs=0.03)
    assert float(drawn.std()) == pytest.approx(float(learnt.std()), rel=0.1)


@pytest.mark.parametrize("kind", ["bert", "distilbert", "modernbert", "deberta-v2", "gpt2", "llama", "lstm"])
def test_every_weight_is_in_one_layer(folders: Callable[[str], Path], kind: str) -> None:
    model: nn.Module = load_classifier(str(folders(kind))).model
    groups = layers_from_the_top(model)
    names = [name for group in groups for name in group]
    assert sorted(names) == sorted(name for name, _ in model.named_parameters())
    assert any("embed" in name or "wte" in name for name in groups[-1])
    assert not any("embeddings.word" in name or "wte" in name for name in groups[0])
    assert len(groups) == (3 if kind == "lstm" else 4)


def test_without_its_method_a_map_has_no_value(classifier: TextClassifier) -> None:
    batch = classifier.batch([classifier.encode("1", TEXT)])
    found = model_randomisation(classifier, batch, [[0.1, 0.2, 0.3, 0.4]], torch.tensor([0]), [None])
    assert found == [Value(None, "the method cannot be run")]
