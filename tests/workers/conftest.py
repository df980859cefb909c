from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.workers.tiny import save_tiny
from tests.workers.tiny_lstm import save_tiny_lstm
from tests.workers.worded import Worded, make_worded
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny classifier of one architecture, made once."""
    made: dict[str, Path] = {}

    def folder(kind: str) -> Path:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            made[kind] = save_tiny_lstm(folder) if kind == "lstm" else save_tiny(folder, kind)
        return made[kind]

    return folder


@pytest.fixture(params=["bert", "roberta", "distilbert"])
def any_classifier(request: pytest.FixtureRequest, folders: Callable[[str], Path]) -> TextClassifier:
    return load_classifier(str(folders(request.param)))


@pytest.fixture
def classifier(folders: Callable[[str], Path]) -> TextClassifier:
    return load_classifier(str(folders("bert")))


@pytest.fixture
def worded(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> Worded:
    return make_worded(classifier, monkeypatch)
