"""An LSTM that was trained elsewhere becomes a folder of ours: plain PyTorch weights and a vocabulary."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from workers.classifiers.classifier import SINGLE, check_weights
from workers.classifiers.errors import ClassifierError
from workers.classifiers.labels import check_labels
from workers.classifiers.lstm import load
from workers.classifiers.lstm_files import (
    PAD,
    UNK,
    LSTMConfig,
    Vocabulary,
    check_pieces,
    fill,
    load_tensors,
    write_lstm,
)
from workers.classifiers.lstm_network import GATES, LSTMNetwork
from workers.classifiers.saving import appearing

ENDS = ("", "_reverse")
EXPECTED = (
    "expected embedding.weight, linear.weight and perhaps linear.bias, and of one nn.LSTM layer weight_ih_l0, "
    "weight_hh_l0, bias_ih_l0, bias_hh_l0, each perhaps also with _reverse"
)


@dataclass(frozen=True)
class Origin:
    """What the weights themselves do not say: in which order the rows of a gate's weights lie, for one.

    `pad` and `unk` are the vocabulary's own names for padding and for words not known.
    """

    gate_order: str = GATES
    pad: str = PAD
    unk: str = UNK
    lower_case: bool = True
    problem_type: str = SINGLE
    most_pieces: int = 1024


def import_lstm(
    weights: Path, vocabulary: Path, label_names: Sequence[str], out_folder: Path, origin: Origin | None = None
) -> LSTMConfig:
    """Write the folder, and return what it holds; ClassifierError says what does not fit."""
    origin = origin or Origin()
    if sorted(origin.gate_order) != sorted(GATES):
        raise ClassifierError(f"{origin.gate_order!r} is no order of the gates: give i, f, g, o in yours, as in igfo.")
    check_labels(label_names, "the names given: name each output once")
    pieces = [{origin.pad: PAD, origin.unk: UNK}.get(piece, piece) for piece in read_pieces(vocabulary)]
    state = _named_as_ours(load_tensors(weights), weights)
    pieces, state["embedding.weight"] = _with_specials(pieces, state["embedding.weight"], vocabulary)
    check_pieces(pieces, str(vocabulary))
    config = _config(state, tuple(label_names), origin)
    known = Vocabulary(pieces, config.lower_case)
    network = config.network(len(known), known.pad_id)
    fill(network, _with_biases(state), "the other weights and the labels given")
    _turn_gates(network, origin.gate_order)
    check_weights(network, str(weights))
    with appearing(out_folder) as unfinished:
        write_lstm(unfinished, config, known, network)
        load(str(unfinished))
    return config


def read_pieces(path: Path) -> list[str]:
    """One piece a line, or JSON: a list in the order of ids, or an object from piece to id."""
    try:
        text = path.read_text(encoding="utf-8")
        found: Any = json.loads(text) if path.suffix.lower() == ".json" else text.removesuffix("\n").split("\n")
    except (ValueError, OSError) as error:
        raise ClassifierError(f"{path} cannot be read as a vocabulary: {error}") from error
    if isinstance(found, dict):
        if sorted(map(str, found.values())) != sorted(map(str, range(len(found)))):
            raise ClassifierError(f"The ids in {path} are not 0 to {len(found) - 1}, each once.")
        found = [piece for piece, _ in sorted(found.items(), key=lambda entry: int(entry[1]))]
    if not isinstance(found, list) or not all(isinstance(piece, str) for piece in found):
        raise ClassifierError(f"{path} holds no vocabulary: expected a list of pieces, or an object from piece to id.")
    return found


def _named_as_ours(state: Mapping[str, Tensor], path: Path) -> dict[str, Tensor]:
    """`lstm.` before the layer's weights, in float32; an error for a name that is not known, or a lacking one."""
    layers = {f"{name}_l0{end}" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh") for end in ENDS}
    ours = {(f"lstm.{name}" if name in layers else name): weight.float() for name, weight in state.items()}
    known = {"embedding.weight", "linear.weight", "linear.bias", *(f"lstm.{name}" for name in layers)}
    for name in ours:
        if name not in known:
            raise ClassifierError(f"{path} holds {name}, which has no place in an LSTM classifier: {EXPECTED}.")
    for name in ("embedding.weight", "lstm.weight_ih_l0", "lstm.weight_hh_l0", "linear.weight"):
        if name not in ours:
            raise ClassifierError(f"{path} lacks {name.removeprefix('lstm.')}: {EXPECTED}.")
        if ours[name].dim() != 2:
            raise ClassifierError(f"{name} in {path} has {ours[name].dim()} dimensions, not two.")
    return ours


def _with_specials(pieces: Sequence[str], embedding: Tensor, vocabulary: Path) -> tuple[list[str], Tensor]:
    """Padding and the unknown word at the end, with embeddings of zero, where the vocabulary has none."""
    if len(pieces) != len(embedding):
        raise ClassifierError(
            f"{vocabulary} has {len(pieces):,} pieces, and embedding.weight {len(embedding):,} rows: it takes one each."
        )
    lacking = [special for special in (PAD, UNK) if special not in pieces]
    return [*pieces, *lacking], torch.cat([embedding, embedding.new_zeros(len(lacking), embedding.shape[1])])


def _config(state: Mapping[str, Tensor], label_names: tuple[str, ...], origin: Origin) -> LSTMConfig:
    return LSTMConfig(
        label_names,
        embedding_size=state["embedding.weight"].shape[1],
        hidden_size=state["lstm.weight_hh_l0"].shape[1],
        bidirectional="lstm.weight_ih_l0_reverse" in state,
        output_bias="linear.bias" in state,
        problem_type=origin.problem_type,
        lower_case=origin.lower_case,
        most_pieces=origin.most_pieces,
    )


def _with_biases(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """PyTorch's LSTM adds two biases; where there is one, or none, the others are zero."""
    found = dict(state)
    for end in ENDS:
        weight = state.get(f"lstm.weight_ih_l0{end}")
        for name in ("bias_ih", "bias_hh"):
            if weight is not None and f"lstm.{name}_l0{end}" not in state:
                found[f"lstm.{name}_l0{end}"] = weight.new_zeros(len(weight))
    return found


def _turn_gates(network: LSTMNetwork, order: str) -> None:
    """Put the rows of each gate where PyTorch has them: i, f, g, o."""
    with torch.no_grad():
        for weight in network.lstm.parameters():
            rows = weight.chunk(len(GATES))
            weight.copy_(torch.cat([rows[order.index(gate)] for gate in GATES]))
