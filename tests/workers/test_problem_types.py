"""One label, several labels, a number: what is predicted, and what a probability is, by hand from the logits."""

import json
from collections.abc import Callable
from math import exp
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.workers.tiny import save_tiny
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.explaining import NOT_FINITE, explain, predict
from workers.records import Explained, Failed, Predicted, SourceText

SINGLE, MULTI, REGRESSION = "single_label_classification", "multi_label_classification", "regression"
TEXT = SourceText("1", "a great film")


def with_outputs(folder: Path, *logits: float, problem: str | None = None) -> TextClassifier:
    """A classifier that answers every text with the same logits: its head has no weights but biases."""
    save_tiny(folder, labels=len(logits), problem_type=problem)
    edit(folder, "classifier.weight", 0.0)
    edit(folder, "classifier.bias", logits)
    return load_classifier(str(folder))


def edit(folder: Path, name: str, value: float | tuple[float, ...]) -> None:
    weights = load_file(folder / "model.safetensors")
    weights[name] = torch.zeros_like(weights[name]) + torch.tensor(value)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


@pytest.mark.parametrize(
    ("problem", "logits", "predicted", "probabilities"),
    [
        (SINGLE, (1.0, 3.0, 2.0), 1, [exp(k) / (exp(1) + exp(2) + exp(3)) for k in (1, 3, 2)]),
        (MULTI, (-1.0, 2.0, 1.0), 1, [1 / (1 + exp(-k)) for k in (-1, 2, 1)]),
        (REGRESSION, (3.5,), 0, [3.5]),
        (REGRESSION, (-0.25, 4.0), 1, [-0.25, 4.0]),
        (None, (3.5,), 0, [3.5]),
        (MULTI, (-2.0,), 0, [1 / (1 + exp(2))]),
    ],
)
def test_it_works(
    tmp_path: Path, problem: str, logits: tuple[float, ...], predicted: int, probabilities: list[float]
) -> None:
    classifier = with_outputs(tmp_path, *logits, problem=problem)
    (made,) = predict(classifier, [TEXT])
    assert isinstance(made, Predicted)
    assert made.predicted == predicted and made.probabilities == pytest.approx(probabilities)
    (explained,) = explain(classifier, [TEXT], {"input_x_gradient": {}})
    assert isinstance(explained, Explained)
    assert (explained.target, explained.predicted) == (predicted, predicted)
    assert explained.probabilities == pytest.approx(probabilities)


def test_the_one_output_of_a_regression_is_what_is_explained(tmp_path: Path) -> None:
    classifier = load_classifier(str(save_tiny(tmp_path, labels=1)))
    (record,) = explain(classifier, [TEXT], {"integrated_gradients": {"nodes": 50}})
    assert isinstance(record, Explained)
    assert record.completeness_error is not None and record.completeness_error < 0.02
    assert any(record.scores)


def test_one_label_of_one_would_always_be_certain_and_is_refused(tmp_path: Path) -> None:
    save_tiny(tmp_path, labels=1)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"problem_type": SINGLE}))
    with pytest.raises(ClassifierError, match="cannot be read as a model's configuration: .*requires `num_labels > 1`"):
        load_classifier(str(tmp_path))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused_by_name(tmp_path: Path, bad: float) -> None:
    save_tiny(tmp_path)
    edit(tmp_path, "bert.encoder.layer.1.output.dense.bias", bad)
    with pytest.raises(ClassifierError, match=r"bert\.encoder\.layer\.1\.output\.dense\.bias .*not finite"):
        load_classifier(str(tmp_path))


def test_an_output_that_is_no_number_is_refused_with_its_text(
    folders: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    classifier = load_classifier(str(folders("bert")))
    film = classifier.encode("", "film").input_ids[1]
    head = classifier.model.classifier
    poison = lambda module, given, made: made + float("nan")  # noqa: E731
    texts = [SourceText("1", "great"), SourceText("2", "film")]

    def forward(input_ids: torch.Tensor, **given: object) -> object:
        handle = head.register_forward_hook(poison) if (input_ids == film).any() else None
        try:
            return usual(input_ids=input_ids, **given)
        finally:
            if handle:
                handle.remove()

    usual = classifier.model.forward
    monkeypatch.setattr(classifier.model, "forward", forward)
    assert Failed("2", NOT_FINITE) in list(predict(classifier, texts))
    assert Failed("2", NOT_FINITE) in list(explain(classifier, texts, {"gradient": {}}))
