"""A head on a frozen language model learns two words, and is saved as a folder that explains itself."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from tests.workers.tiny import save_language_model
from workers.classifiers import load_classifier, training_head
from workers.classifiers.errors import ClassifierError
from workers.classifiers.heads import COPIED
from workers.classifiers.language_models import load_language_model
from workers.classifiers.training import Example
from workers.classifiers.training_head import RIDGE, fit, train_head
from workers.explaining import explain, predict
from workers.records import Explained, Predicted, SourceText

EXAMPLES = [
    Example(f"{'really ' * (at % 4)}{noun} {'not ' * (at % 3)}{word}", label)
    for at in range(15)
    for noun in ("film", "people")
    for label, word in enumerate(("awful", "great"))
]


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_language_model(tmp_path_factory.mktemp("lm"), "gpt2")


def test_it_works(language_model: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    out = tmp_path / "var" / "head"
    made = train_head(str(language_model), EXAMPLES, ["bad", "good"], out, progress=lambda *counts: seen.append(counts))
    assert (made.held_out, seen[-1]) == (6, (60, 60))
    assert made.accuracy == 1 and 0.5 <= made.most_frequent < 1
    classifier = load_classifier(str(out))
    assert (classifier.kind, classifier.label_names) == ("causal-lm", ("bad", "good"))
    texts = [SourceText(str(at), example.content) for at, example in enumerate(EXAMPLES)]
    right = 0
    for record, example in zip(predict(classifier, texts), EXAMPLES, strict=True):
        assert isinstance(record, Predicted)
        assert sum(record.probabilities) == pytest.approx(1)
        right += record.predicted == example.label
    assert right / len(EXAMPLES) > 0.9
    (explained,) = explain(classifier, texts[:1], {"integrated_gradients": {}})
    assert isinstance(explained, Explained)


def test_the_target_is_a_log_probability(language_model: Path, tmp_path: Path) -> None:
    train_head(str(language_model), EXAMPLES, ["bad", "good"], tmp_path / "head")
    classifier = load_classifier(str(tmp_path / "head"))
    (logits,) = classifier.logits_of([classifier.encode("1", "a great film").input_ids])
    assert math.exp(logits[0]) + math.exp(logits[1]) == pytest.approx(1, abs=1e-5)


def test_it_fits_the_logistic_regression_of_scikit_learn() -> None:
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(120, 5, generator=generator) * torch.tensor([1.0, 50.0, 0.1, 3.0, 0.0]) + 7
    labels = (states[:, 0] + states[:, 1] / 50 + torch.randn(120, generator=generator) > 7.1).long()
    labels[:20] = 2
    weight, bias = fit(states, labels, 3)
    kept = states[:, :4].double().numpy()
    scaled = (kept - kept.mean(0)) / kept.std(0)
    theirs = LogisticRegression(C=1 / (RIDGE * len(kept)), tol=1e-8, max_iter=5000).fit(scaled, labels.numpy())
    ours = (states @ weight.T + bias).softmax(-1).numpy()
    assert np.allclose(ours, theirs.predict_proba(scaled), atol=1e-3)
    assert not weight[:, 4].any()


def test_training_reads_what_the_classifier_reads(language_model: Path, tmp_path: Path) -> None:
    train_head(str(language_model), EXAMPLES, ["bad", "good"], tmp_path / "head")
    classifier, loaded = load_classifier(str(tmp_path / "head")), load_language_model(str(language_model))
    for content in ("a great film \n", "great film " * 60, " café 👍🏽"):
        assert loaded.ids(content) == classifier.encode("1", content).input_ids


def test_the_seed_chooses_what_is_held_out_and_nothing_else_is_chance(language_model: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("two", 2)):
        train_head(str(language_model), EXAMPLES, ["bad", "good"], tmp_path / name, seed=seed)
    one, again, two = (load_classifier(str(tmp_path / name)).weights_hash for name in ("one", "again", "two"))
    assert one == again != two


def test_the_folder_holds_the_language_model(language_model: Path, tmp_path: Path) -> None:
    train_head(str(language_model), EXAMPLES, ["bad", "good"], tmp_path / "head")
    config = json.loads((tmp_path / "head" / "config.json").read_text())
    assert config == {
        "kind": "causal-lm", "language_model": "language_model", "revision": "", "label_names": ["bad", "good"]
    }  # fmt: skip
    copied = {path.name for path in (tmp_path / "head" / "language_model").iterdir()}
    assert copied == {path.name for pattern in COPIED for path in language_model.glob(pattern)}
    (tmp_path / "head").rename(tmp_path / "elsewhere")
    assert load_classifier(str(tmp_path / "elsewhere")).label_names == ("bad", "good")


def test_nothing_half_done_is_left(language_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: str) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(training_head, "load", broken)
    with pytest.raises(RuntimeError, match="killed"):
        train_head(str(language_model), EXAMPLES, ["bad", "good"], tmp_path / "head")
    assert not list(tmp_path.iterdir())


def test_a_device_that_is_not_here_is_refused(language_model: Path, tmp_path: Path) -> None:
    with pytest.raises(ClassifierError, match="There is no device 'tpu' here"):
        train_head(str(language_model), EXAMPLES, ["bad", "good"], tmp_path / "head", device="tpu")


@pytest.mark.parametrize(
    ("examples", "names", "says"),
    [
        (EXAMPLES[:20], ["bad", "good"], "takes 50 labelled texts or more, and here are 20"),
        ([Example(f"film {at}", 0) for at in range(60)], ["bad"], "All texts have the same label"),
        (EXAMPLES, ["bad", "Bad"], "Output 1 has no name of its own"),
    ],
)
def test_what_teaches_nothing_is_refused(
    language_model: Path, tmp_path: Path, examples: list[Example], names: list[str], says: str
) -> None:
    with pytest.raises(ClassifierError, match=says):
        train_head(str(language_model), examples, names, tmp_path / "head")
