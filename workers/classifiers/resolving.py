"""From a hub id or a folder to a local folder with safetensors weights, and the hash of those weights."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
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

# Neither an address nor a path: what is asked of the hub, whose own address the environment alone says.
_HUB_ID = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", re.ASCII)
_REVISION = re.compile(r"[\w-][\w./-]{0,199}", re.ASCII)
_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")
ADAPTER = "adapter_config.json"
# None: whoever runs a command reads whatever folder they may read anyway.
_roots: ContextVar[tuple[Path, ...] | None] = ContextVar("roots", default=None)


@contextmanager
def folders_within(roots: Sequence[str]) -> Iterator[None]:
    """Inside, no folder is read that is not within one of these: what a classifier is called comes from a page."""
    token = _roots.set(tuple(Path(root).expanduser().resolve() for root in roots))
    try:
        yield
    finally:
        _roots.reset(token)


def resolve(name: str, revision: str = "") -> tuple[Path, str]:
    """The local folder of a classifier and the commit it was pinned to (empty for a folder)."""
    if "\0" in name + revision:
        raise ClassifierError("A name cannot hold the character NUL.")
    folder, roots = Path(name).expanduser(), _roots.get()
    allowed = roots is None or _is_within(folder, roots)
    if allowed and folder.is_dir():
        if revision:
            raise ClassifierError(f"{name} is a folder, and folders have no revision: leave it empty.")
        _check(folder, roots)
        return folder, ""
    if not _HUB_ID.fullmatch(name) or (allowed and folder.exists()):
        raise ClassifierError(_nowhere(name, allowed, roots or ()))
    if revision and (not _REVISION.fullmatch(revision) or ".." in revision):
        raise ClassifierError(f"{revision!r} is no revision: give a commit, a tag or a branch.")
    folder = _download(name, revision)
    _check(folder, None)
    return folder, folder.name


def _is_within(path: Path, roots: Sequence[Path]) -> bool:
    """Where it leads in the end: a link out of a folder is not in it."""
    real = path.resolve()
    return any(real.is_relative_to(root) for root in roots)


def _nowhere(name: str, allowed: bool, roots: Sequence[Path]) -> str:
    """The same for folders that are there and folders that are not."""
    if allowed:
        return f"No such folder: {name}. Give a folder with config.json, or a hub id."
    return (
        f"{name} is no hub id, and no folder within {', '.join(map(str, roots))}, where classifiers are kept here "
        "(CLASSIFIER_FOLDERS). Put it there, or give a hub id."
    )


def _check(folder: Path, roots: Sequence[Path] | None) -> None:
    if (folder / ADAPTER).exists():
        raise ClassifierError(
            f"{folder} holds an adapter ({ADAPTER}), which names another model to be loaded: merge the two with "
            "merge_and_unload(), and save the whole."
        )
    for path in folder.iterdir() if roots is not None else ():
        if not _is_within(path, roots or ()):
            raise ClassifierError(
                f"{path} leads out of the folders where classifiers are kept: put the file itself there."
            )


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
