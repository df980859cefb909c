"""LSTMs step by step: torch computes them as one operation, of which a function mode sees nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from workers.classifiers.lstm_network import as_read
from workers.saliency.propagating import hide


@contextmanager
def unrolled(model: nn.Module) -> Iterator[None]:
    """For one pass, let the mode see the steps of LSTMs of one layer, up to their last hidden states."""
    waiting: list[PackedSequence] = []

    def enter(module: nn.Module, args: tuple[Any, ...]) -> tuple[PackedSequence]:
        (packed,) = args
        waiting.append(packed)
        return (packed._replace(data=hide(packed.data)),)

    def leave(module: nn.Module, args: Any, made: Any) -> Any:
        outputs, (_, cells) = made
        return outputs, (_last_states(module, *pad_packed_sequence(waiting.pop(), batch_first=True)), cells)

    handles = []
    for module in model.modules():
        if isinstance(module, nn.LSTM):
            handles += [module.register_forward_pre_hook(enter), module.register_forward_hook(leave)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _last_states(lstm: Any, given: Tensor, lengths: Tensor) -> Tensor:
    """h_T (directions, texts, hidden) from embeddings (texts, pieces, dimensions)."""
    lengths = lengths.to(given.device)
    ends = ("", "_reverse") if lstm.bidirectional else ("",)
    return torch.stack([_read(lstm, end, as_read(given, lengths, backwards=bool(end)), lengths) for end in ends])


def _read(lstm: Any, end: str, given: Tensor, lengths: Tensor) -> Tensor:
    """h_T (texts, hidden) of one direction; a text's state stays as it is behind its last piece."""
    from_input, from_hidden, of_input, of_hidden = (
        getattr(lstm, f"{name}_l0{end}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    hidden = cell = given.new_zeros(len(given), lstm.hidden_size)
    for step in range(given.shape[1]):
        gates = linear(given[:, step], from_input, of_input) + linear(hidden, from_hidden, of_hidden)
        enter, forget, signal, leave = gates.chunk(4, -1)
        moved = forget.sigmoid() * cell + enter.sigmoid() * signal.tanh()
        read = (step < lengths)[:, None]
        cell = torch.where(read, moved, cell)
        hidden = torch.where(read, leave.sigmoid() * moved.tanh(), hidden)
    return hidden
