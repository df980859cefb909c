"""A classifier that a page names is weights and numbers: no code of its, no folder of ours, no address of anybody's."""

import json
import os
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Team
from materials.models import Classifier
from tests.workers.tiny import save_tiny
from workers.classifiers import load_classifier, resolving
from workers.classifiers.errors import ClassifierError
from workers.classifiers.resolving import folders_within, resolve
from workers.registering import register


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def kept(tmp_path: Path, tiny: Path) -> Iterator[Path]:
    """A classifier where classifiers are kept; beside that folder lies what is nobody's business."""
    folder = tmp_path / "kept" / "tiny"
    shutil.copytree(tiny, folder)
    (tmp_path / "private").mkdir()
    with folders_within([str(tmp_path / "kept")]):
        yield folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the hub would have been asked for."""
    names: list[tuple[str, str]] = []

    def download(name: str, revision: str) -> Path:
        names.append((name, revision))
        raise ClassifierError("asked the hub")

    monkeypatch.setattr(resolving, "_download", download)
    return names


def test_it_works(kept: Path) -> None:
    assert load_classifier(str(kept)).label_names


OUTSIDE = [
    "/etc",
    "/",
    "{private}",
    "{kept}/../../private",
    "{kept}/../..",
    "~",
    "~root",
    "..",
    ".",
    "./x",
    "/no/such/place",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_folder_outside_is_read_or_told_of(kept: Path, asked: list[Any], name: str) -> None:
    name = name.format(kept=kept, private=kept.parent.parent / "private")
    with pytest.raises(ClassifierError, match="is no hub id, and no folder within .*CLASSIFIER_FOLDERS"):
        resolve(name)
    assert not asked


def test_links_lead_nowhere_else(kept: Path, tiny: Path, asked: list[Any]) -> None:
    linked = kept.parent / "linked"
    linked.symlink_to(tiny)
    with pytest.raises(ClassifierError, match="no folder within"):
        resolve(str(linked))
    (kept / "config.json").unlink()
    (kept / "config.json").symlink_to(tiny / "config.json")
    with pytest.raises(ClassifierError, match=r"config.json leads out of the folders"):
        resolve(str(kept))


def test_a_head_does_not_lead_out_either(kept: Path, asked: list[Any]) -> None:
    (kept / "config.json").write_text(json.dumps({"language_model": "../../private", "label_names": ["a", "b"]}))
    with pytest.raises(ClassifierError, match="no folder within"):
        load_classifier(str(kept), kind="causal-lm")


ADDRESSES = [
    "http://169.254.169.254/latest/meta-data", "https://evil.example/model", "//evil.example/x", "user@host:model",
    "localhost:8000/x", "file:///etc/passwd", "org/model/../../x", "org/../x", "a/b/c", "org/model?x=1", "org/model#x",
    "org\\model", "org/mod el", "org/model\n", "\u043erg/model", "org/\u2025", "", " ", "org/.hidden", "org/model%2f..",
]  # fmt: skip


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_hub_id_is_no_address(kept: Path, asked: list[Any], name: str) -> None:
    with pytest.raises(ClassifierError, match="is no hub id|cannot hold"):
        resolve(name)
    assert not asked


@pytest.mark.parametrize("revision", ["../../../api/whoami", "main/../../x", "a?b", "https://x", "a b", "x" * 300])
def test_a_revision_is_no_address_either(kept: Path, asked: list[Any], revision: str) -> None:
    with pytest.raises(ClassifierError, match="is no revision"):
        resolve("org/model", revision)
    assert not asked


def test_an_ordinary_id_is_asked_for(kept: Path, asked: list[Any]) -> None:
    for name, revision in (("org/model-1.0_x", "refs/pr/1"), ("gpt2", "")):
        with pytest.raises(ClassifierError, match="asked the hub"):
            resolve(name, revision)
    assert asked == [("org/model-1.0_x", "refs/pr/1"), ("gpt2", "")]


class _Trap:
    """Code that runs when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "tf_model.h5"])
def test_no_pickle_is_opened(kept: Path, tmp_path: Path, name: str) -> None:
    for weights in kept.glob("*.safetensors"):
        weights.unlink()
    (kept / name).write_bytes(pickle.dumps(_Trap(tmp_path / "sprung")))
    with pytest.raises(ClassifierError, match="safetensors alone"):
        load_classifier(str(kept))
    assert not (tmp_path / "sprung").exists()


def test_no_code_of_the_models_is_run(kept: Path, tmp_path: Path) -> None:
    (kept / "own.py").write_text(f"import os\nos.mkdir({str(tmp_path / 'sprung')!r})\nclass Own: pass\n")
    config = json.loads((kept / "config.json").read_text())
    config |= {
        "model_type": "own",
        "auto_map": {"AutoConfig": "own.Own", "AutoModelForSequenceClassification": "own.Own"},
    }
    (kept / "config.json").write_text(json.dumps(config))
    told = json.loads((kept / "tokenizer_config.json").read_text())
    told |= {"auto_map": {"AutoTokenizer": ["own.Own", "own.Own"]}, "tokenizer_class": "Own"}
    (kept / "tokenizer_config.json").write_text(json.dumps(told))
    with pytest.raises(ClassifierError):
        load_classifier(str(kept))
    assert not (tmp_path / "sprung").exists()


def test_an_adapter_names_no_other_model(kept: Path) -> None:
    (kept / "adapter_config.json").write_text('{"base_model_name_or_path": "/etc"}')
    with pytest.raises(ClassifierError, match="holds an adapter"):
        load_classifier(str(kept))


@pytest.mark.django_db
def test_what_a_page_names_is_held_to_it(team: Team, tmp_path: Path, tiny: Path, settings: Any) -> None:
    settings.CLASSIFIER_FOLDERS = [str(tmp_path)]
    row = Classifier.objects.create(team=team, name="C", slug="c", source=str(tiny), state=Classifier.State.LOADING)
    register(row.pk)
    row.refresh_from_db()
    assert row.state == Classifier.State.FAILED and "no folder within" in row.error
    assert resolve(str(tiny)) == (tiny, ""), "a command reads what whoever runs it may read"
