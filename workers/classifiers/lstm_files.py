"""The folder of an LSTM: config.json, vocabulary.txt and model.safetensors, read and written."""

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn

from workers.classifiers.classifier import MULTI, REGRESSION, SINGLE, check_weights
from workers.classifiers.errors import ClassifierError
from workers.classifiers.labels import check_labels
from workers.classifiers.lstm_network import LSTMNetwork
from workers.classifiers.resolving import find_weights

PAD, UNK = "<pad>", "<unk>"
PROBLEM_TYPES = (SINGLE, MULTI, REGRESSION)


@dataclass(frozen=True)
class LSTMConfig:
    """What config.json holds beside `kind`; words beyond `most_pieces` are never seen."""

    label_names: tuple[str, ...]
    embedding_size: int
    hidden_size: int
    bidirectional: bool = True
    output_bias: bool = False
    problem_type: str = SINGLE
    lower_case: bool = True
    most_pieces: int = 1024

    def network(self, pieces: int, pad_id: int) -> LSTMNetwork:
        sizes = (len(self.label_names), self.embedding_size, self.hidden_size)
        return LSTMNetwork(pieces, *sizes, self.bidirectional, self.output_bias, pad_id)


class Vocabulary:
    """Words as the network knows them: composed (NFC) and, if the configuration says so, in lower case."""

    def __init__(self, pieces: Sequence[str], lower_case: bool) -> None:
        self.pieces, self.lower_case = tuple(pieces), lower_case
        self._ids = {piece: index for index, piece in enumerate(self.pieces)}
        self.pad_id, self.unk_id = self._ids[PAD], self._ids[UNK]

    def __len__(self) -> int:
        return len(self.pieces)

    def ids(self, words: Iterable[str]) -> tuple[int, ...]:
        return tuple(self._ids.get(as_piece(word, self.lower_case), self.unk_id) for word in words)

    def convert_ids_to_tokens(self, ids: Iterable[int]) -> list[str]:
        return [self.pieces[index] for index in ids]


def as_piece(word: str, lower_case: bool) -> str:
    composed = unicodedata.normalize("NFC", word)
    return composed.lower() if lower_case else composed


# More would ask for hundreds of gigabytes before anybody finds out.
MOST_CELLS = 16_384


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


# What each key of config.json may hold, in words and as a check.
_EXPECTED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "label_names": ("a list of one or more names", lambda value: isinstance(value, list) and bool(value)),
    **dict.fromkeys(
        ("embedding_size", "hidden_size"),
        (f"a whole number above 0, at most {MOST_CELLS}", lambda value: _is_size(value) and value <= MOST_CELLS),
    ),
    "most_pieces": ("a whole number above 0", _is_size),
    **dict.fromkeys(
        ("bidirectional", "output_bias", "lower_case"), ("true or false", lambda value: isinstance(value, bool))
    ),
    "problem_type": (" or ".join(PROBLEM_TYPES), lambda value: value in PROBLEM_TYPES),
}


def read_config(folder: Path) -> LSTMConfig:
    path = folder / "config.json"
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ClassifierError(f"{path} cannot be read as the configuration of an LSTM: {error}") from error
    if not isinstance(given, dict) or given.pop("kind", "") != "lstm":
        raise ClassifierError(f'{path} is not that of an LSTM: it begins with {{"kind": "lstm", ...}}.')
    needed = [field.name for field in fields(LSTMConfig) if field.default is MISSING]
    if lacking := [name for name in needed if name not in given]:
        raise ClassifierError(f"{path} has no {lacking[0]}: add it; it is {_EXPECTED[lacking[0]][0]}.")
    for name, value in given.items():
        if name not in _EXPECTED:
            raise ClassifierError(f"{path} has the unknown key {name!r}; it may hold {', '.join(_EXPECTED)}.")
        expected, fits = _EXPECTED[name]
        if not fits(value):
            raise ClassifierError(f"{name} in {path} is {value!r}: expected {expected}.")
    names = tuple(str(name).strip() for name in given["label_names"])
    check_labels(names, f"{path}: mend its label_names")
    return LSTMConfig(**given | {"label_names": names})


def read_vocabulary(folder: Path, lower_case: bool) -> Vocabulary:
    """One piece a line; the line's number less one is its id."""
    path = folder / "vocabulary.txt"
    try:
        # Not splitlines(): a piece may hold characters that it takes for line ends.
        pieces = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except FileNotFoundError as error:
        raise ClassifierError(
            f"{folder} has no vocabulary.txt: one piece a line, in the order of their ids."
        ) from error
    except (ValueError, OSError) as error:
        raise ClassifierError(f"{path} cannot be read: {error}") from error
    check_pieces(pieces, str(path))
    return Vocabulary(pieces, lower_case)


def check_pieces(pieces: Sequence[str], where: str) -> None:
    first: dict[str, int] = {}
    for line, piece in enumerate(pieces, start=1):
        if not piece or piece in first:
            fault = f"is {piece!r} again, as in line {first[piece]}" if piece else "is empty"
            raise ClassifierError(f"{where}, line {line} {fault}: expected a piece of its own on every line.")
        first[piece] = line
    for special in (PAD, UNK):
        if special not in first:
            raise ClassifierError(f"{where} has no line {special}: it stands for padding and words not known.")


def read_network(folder: Path, config: LSTMConfig, vocabulary: Vocabulary) -> LSTMNetwork:
    network = config.network(len(vocabulary), vocabulary.pad_id)
    state: dict[str, Tensor] = {}
    for path in find_weights(folder):
        state |= load_tensors(path)
    fill(network, state, f"config.json and vocabulary.txt in {folder}")
    check_weights(network, str(folder))
    return network


def load_tensors(path: Path) -> dict[str, Tensor]:
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise ClassifierError(f"The weights in {path} cannot be loaded: {error}") from error
    return tensors


def fill(network: nn.Module, state: Mapping[str, Tensor], said_by: str) -> None:
    """Put the weights in; ClassifierError names the first that is missing, too many or of another shape."""
    wanted = network.state_dict()
    for name, weight in wanted.items():
        if name not in state:
            raise ClassifierError(f"The weights lack {name}, which {said_by} ask for: save them again together.")
        if state[name].shape != weight.shape:
            raise ClassifierError(
                f"{name} has the shape {_shape(state[name])} in the weights, and {_shape(weight)} by {said_by}: "
                "they are not of one model. Save them again together."
            )
    if more := sorted(set(state) - set(wanted)):
        raise ClassifierError(
            f"The weights hold {more[0]}, for which {said_by} have no place: one layer, an embedding and a linear "
            "output are all that is read."
        )
    network.load_state_dict(dict(state))


def _shape(weight: Tensor) -> str:
    return " x ".join(map(str, weight.shape))


def write_lstm(folder: Path, config: LSTMConfig, vocabulary: Vocabulary, network: LSTMNetwork) -> None:
    """The three files, in a folder that is there."""
    text = json.dumps({"kind": "lstm", **asdict(config)}, ensure_ascii=False, indent=2)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")
    (folder / "vocabulary.txt").write_text("\n".join(vocabulary.pieces) + "\n", encoding="utf-8", newline="\n")
    weights = {name: weight.detach().cpu().contiguous() for name, weight in network.state_dict().items()}
    # Not save_file(): what it writes is for the owner alone to read.
    (folder / "model.safetensors").write_bytes(save(weights, metadata={"format": "pt"}))
