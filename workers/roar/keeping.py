"""What a long job has done so far, in a folder: results, and which words go next, so that nothing is done again."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workers.classifiers.errors import ClassifierError
from workers.roar.reading import Corpus, Removed

PLAN, KEPT = "plan.json", "kept"


class Cell(NamedTuple):
    """One retraining: so large a share of the words that this method scores highest is gone."""

    method: str
    share: float
    seed: int

    @property
    def stem(self) -> str:
        return f"{self.method}-{100 * self.share:g}-{self.seed}"


class Keeper:
    """The folder of one job. ClassifierError where it holds another job, whose results would be mixed with these."""

    def __init__(self, folder: Path, plan: Mapping[str, Any], methods: Mapping[str, Mapping[str, Any]]) -> None:
        self.folder = folder / KEPT
        self.folder.mkdir(parents=True, exist_ok=True)
        path = folder / PLAN
        wanted = json.loads(json.dumps({**plan, "methods": methods}))
        found = _read(path) if path.exists() else {"methods": {}}
        if other := _difference(found, wanted):
            raise ClassifierError(
                f"{folder} holds a job of other {other}: name another folder, or go on with the options it was begun "
                f"with ({path})."
            )
        _write(path, wanted | {"methods": {**found["methods"], **wanted["methods"]}})

    def result(self, cell: Cell) -> dict[str, Any] | None:
        path = self.folder / f"{cell.stem}.json"
        return _read(path) if path.exists() else None

    def keep_result(self, cell: Cell, result: Mapping[str, Any]) -> None:
        _write(self.folder / f"{cell.stem}.json", result)

    def removed(self, cell: Cell, corpus: Corpus) -> Removed | None:
        """The words that are gone from each text; None where that is not known yet."""
        path = self.folder / f"{cell.stem}.words"
        if not path.exists():
            return None
        sizes = [len(text.words) for text in corpus.texts]
        bits = np.unpackbits(np.frombuffer(path.read_bytes(), dtype=np.uint8), count=sum(sizes))
        parts = np.split(bits, np.cumsum(sizes)[:-1])
        return [frozenset(np.flatnonzero(part).tolist()) for part in parts]

    def keep_removed(self, cell: Cell, corpus: Corpus, removed: Removed) -> None:
        """A bit a word."""
        bits = np.concatenate([_bits(len(text.words), gone) for text, gone in zip(corpus.texts, removed, strict=True)])
        _replace(self.folder / f"{cell.stem}.words", np.packbits(bits).tobytes())


def _bits(words: int, gone: frozenset[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    bits = np.zeros(words, dtype=np.uint8)
    bits[sorted(gone)] = 1
    return bits


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """What of a plan is not as it was; methods may come in, but not with other parameters."""
    if len(found) > 1:
        for name, value in wanted.items():
            if name != "methods" and found.get(name) != value:
                return name
    held: Mapping[str, Any] = found["methods"]
    other: Sequence[str] = [name for name, params in wanted["methods"].items() if held.get(name, params) != params]
    return f"parameters of {other[0]}" if other else ""


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ClassifierError(f"{path} cannot be read ({error}): delete it, and it is made again.") from error
    if not isinstance(found, dict):
        raise ClassifierError(f"{path} is not what was written there: delete it, and it is made again.")
    return found


def _write(path: Path, value: Mapping[str, Any]) -> None:
    _replace(path, (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode())


def _replace(path: Path, content: bytes) -> None:
    """Whole or not at all: whoever is killed leaves no half of a file."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)
