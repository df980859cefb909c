"""A linear head on a frozen language model, and its folder: config.json, head.safetensors, language_model/."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from workers.classifiers.classifier import check_weights
from workers.classifiers.errors import ClassifierError
from workers.classifiers.labels import check_labels
from workers.classifiers.language_models import LanguageModel, load_language_model

CONFIG, HEAD, INSIDE = "config.json", "head.safetensors", "language_model"
# What a language model's folder holds that loading it needs.
COPIED = ("*.json", "*.safetensors", "*.txt", "*.model", "*.jinja")


class FrozenWithHead(nn.Module):
    """The parts as one module; `TextClassifier.run` puts them together."""

    def __init__(self, language_model: Any, head: nn.Linear) -> None:
        super().__init__()
        self.language_model = language_model
        self.head = head
        self.eval().requires_grad_(False)

    def get_input_embeddings(self) -> nn.Module:
        layer: nn.Module = self.language_model.get_input_embeddings()
        return layer


@dataclass(frozen=True, eq=False)
class Head:
    language_model: LanguageModel
    layer: nn.Linear
    label_names: tuple[str, ...]
    weights: list[Path]


def holds_head(folder: Path) -> bool:
    return "language_model" in _read_json(folder / CONFIG)


def read_head(folder: Path, device: str, dtype: str) -> Head:
    """Every way to fail is a ClassifierError with a remedy."""
    config = _read_json(folder / CONFIG)
    named = config.get("language_model")
    names = config.get("label_names")
    if not isinstance(named, str) or not named or not isinstance(names, list) or len(names) < 2:
        raise ClassifierError(
            f"{folder / CONFIG} must hold language_model (a hub id, or a folder beside it) and label_names "
            "(two or more). Run train_head again."
        )
    label_names = tuple(str(name).strip() for name in names)
    check_labels(label_names, f"{folder / CONFIG}: mend its label_names")
    beside = folder / named
    source, revision = (str(beside), "") if beside.is_dir() else (named, str(config.get("revision", "")))
    language_model = load_language_model(source, revision, device, dtype)
    layer = _read_layer(folder / HEAD, len(label_names), _state_size(language_model))
    layer.to(device, getattr(torch, dtype))
    return Head(language_model, layer, label_names, [folder / HEAD, *language_model.weights])


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


@torch.no_grad()
def _state_size(language_model: LanguageModel) -> int:
    """The configurations of some families have several sizes, so it is tried."""
    ids = torch.tensor([[1]], device=language_model.model.device)
    return int(language_model.model.base_model(input_ids=ids, use_cache=False).last_hidden_state.shape[-1])


def _read_layer(path: Path, labels: int, size: int) -> nn.Linear:
    try:
        state: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise ClassifierError(f"The head in {path} cannot be loaded: {error}. Run train_head again.") from error
    layer = nn.Linear(size, labels)
    for name, wanted in layer.state_dict().items():
        if name not in state or state[name].shape != wanted.shape:
            held = " x ".join(map(str, state[name].shape)) if name in state else "nothing"
            asked = " x ".join(map(str, wanted.shape))
            raise ClassifierError(
                f"{path} holds {held} as {name}, and its config.json and language model ask for {asked}: "
                "they are not of one classifier. Run train_head again."
            )
    layer.load_state_dict({name: state[name] for name in ("weight", "bias")})
    check_weights(layer, str(path))
    return layer


def write_head(
    folder: Path, language_model: LanguageModel, name: str, label_names: tuple[str, ...], weight: Tensor, bias: Tensor
) -> None:
    """A hub id stays a name with its commit; the files of a folder are copied, so that the whole can be moved."""
    config: dict[str, Any] = {"kind": "causal-lm", "language_model": name, "revision": language_model.revision}
    if not language_model.revision:
        config["language_model"] = INSIDE
        (folder / INSIDE).mkdir()
        for pattern in COPIED:
            for path in language_model.folder.glob(pattern):
                shutil.copy(path, folder / INSIDE)
    config["label_names"] = list(label_names)
    (folder / CONFIG).write_text(json.dumps(config, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    save_file({"weight": weight.contiguous(), "bias": bias.contiguous()}, folder / HEAD, metadata={"format": "pt"})
