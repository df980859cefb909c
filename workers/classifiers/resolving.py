"""From a hub id or a folder to a local folder with safetensors weights, and the hash of those weights."""

import hashlib
import re
from pathlib import Path

from huggingface_hub import snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils.tqdm import disable_progress_bars

from workers.classifiers.errors import ClassifierError

_HUB_ID = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")


def resolve(name: str, revision: str = "") -> tuple[Path, str]:
    """The local folder of a classifier and the commit it was pinned to (empty for a folder)."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        if revision:
            raise ClassifierError(f"{name} is a folder, and folders have no revision: leave it empty.")
        return folder, ""
    if not _HUB_ID.fullmatch(name) or folder.exists():
        raise ClassifierError(f"No such folder: {name}. Give a folder with config.json, or a hub id.")
    folder = _download(name, revision)
    return folder, folder.name


def _download(name: str, revision: str) -> Path:
    disable_progress_bars()
    try:
        return Path(snapshot_download(name, revision=revision or None, allow_patterns=_FILES, ignore_patterns="*/*"))
    except GatedRepoError as error:
        raise ClassifierError(
            f"{name} is gated: accept its terms on huggingface.co, then set HF_TOKEN for the workers."
        ) from error
    except RevisionNotFoundError as error:
        raise ClassifierError(f"{name} has no revision {revision!r}: check it on huggingface.co.") from error
    except RepositoryNotFoundError as error:
        raise ClassifierError(
            f"Neither a folder nor a model on huggingface.co: {name}. Check the spelling; for a private "
            "model set HF_TOKEN."
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        raise ClassifierError(
            f"{name} is no folder here and not in the local hub cache, and huggingface.co cannot be reached. "
            "Connect to the network, or copy the model's folder here and give its path."
        ) from error


def find_weights(folder: Path) -> list[Path]:
    """The safetensors files of a folder; ClassifierError where there are none."""
    weights = sorted(folder.glob("*.safetensors"))
    if weights:
        return weights
    pickles = [path.name for pattern in _PICKLES for path in folder.glob(pattern)]
    held = f"only {', '.join(sorted(pickles))}" if pickles else "no weights"
    raise ClassifierError(
        f"{folder} holds {held}. Peekaword reads safetensors alone, because other formats can run code: "
        "save the model again with save_pretrained(), or use a revision that has model.safetensors."
    )


def hash_weights(weights: list[Path]) -> str:
    """SHA-256 over the safetensors files in the order of their names."""
    digest = hashlib.sha256()
    for path in weights:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
