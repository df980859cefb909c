"""The network of an LSTM classifier, Hochreiter & Schmidhuber 1997 with forget gates, as PyTorch lays it out.

    i, f, o = sigmoid(W x_t + U h_{t-1} + b),   g = tanh(W x_t + U h_{t-1} + b),   each with its own W, U, b
    c_t = f c_{t-1} + i g,   h_t = o tanh(c_t)
    logits = W_left h_left,T + W_right h_right,T (+ b)

Each direction starts at zero and ends after the last word it reads, whatever padding follows.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

GATES = "ifgo"


class Direction(NamedTuple):
    """Weights of one reading direction; the first axis of the first three holds the gates i, f, g, o in turn.

    `from_input` (4 hidden, embedding), `from_hidden` (4 hidden, hidden), `bias` (4 hidden,) and
    `to_output` (labels, hidden).
    """

    from_input: Tensor
    from_hidden: Tensor
    bias: Tensor
    to_output: Tensor
    backwards: bool


class LSTMNetwork(nn.Module):
    """`linear` reads the last hidden state of the left-to-right direction first, then the other's."""

    def __init__(
        self,
        pieces: int,
        labels: int,
        embedding_size: int,
        hidden_size: int,
        bidirectional: bool = True,
        output_bias: bool = False,
        pad_id: int = 0,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(pieces, embedding_size, padding_idx=pad_id)
        self.lstm = nn.LSTM(embedding_size, hidden_size, batch_first=True, bidirectional=bidirectional)
        self.linear = nn.Linear((1 + bidirectional) * hidden_size, labels, bias=output_bias)

    def forward(self, embeddings: Tensor, lengths: Tensor) -> Tensor:
        """Logits (texts, labels) from embeddings (texts, pieces, dimensions) padded on the right."""
        logits: Tensor = self.linear(self.read(embeddings, lengths))
        return logits

    def read(self, embeddings: Tensor, lengths: Tensor) -> Tensor:
        """The last hidden states (texts, hidden), those of both directions side by side."""
        packed = pack_padded_sequence(embeddings, lengths.cpu(), batch_first=True, enforce_sorted=False)
        # NVIDIA's kernels refuse gradients in evaluation mode, and round more.
        with torch.backends.cudnn.flags(enabled=False):
            _, (last, _) = self.lstm(packed)
        return torch.cat(tuple(last), -1)

    def directions(self) -> list[Direction]:
        """Left to right, then right to left where there is one; in float32."""
        ends = ("", "_reverse") if self.lstm.bidirectional else ("",)
        outputs = self.linear.weight.detach().float().chunk(len(ends), 1)
        return [
            Direction(
                self._weight("weight_ih", end),
                self._weight("weight_hh", end),
                self._weight("bias_ih", end) + self._weight("bias_hh", end),
                output,
                backwards=bool(end),
            )
            for end, output in zip(ends, outputs, strict=True)
        ]

    def _weight(self, name: str, end: str) -> Tensor:
        weight: Tensor = getattr(self.lstm, f"{name}_l0{end}")
        return weight.detach().float()


def as_read(values: Tensor, lengths: Tensor, backwards: bool) -> Tensor:
    """Values (texts, pieces, ...) in the order in which a direction reads them, padding still last.

    It undoes itself: what stands in reading order comes back in text order.
    """
    if not backwards:
        return values
    places = torch.arange(values.shape[1], device=values.device).expand(values.shape[:2])
    turned = torch.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
    return values[torch.arange(len(values), device=values.device)[:, None], turned]
