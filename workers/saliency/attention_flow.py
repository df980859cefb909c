"""Attention flow. Abnar & Zuidema 2020, https://arxiv.org/abs/2005.00928

    score_i = the largest flow from what the head reads, through the layers, to piece i of the input

Piece q of a layer is joined to piece k of the layer below by a pipe of capacity A'_l[q, k], with
A'_l = (mean over heads of A_l + I) / 2; the source is joined to each top piece by its share in what the head
reads. Each piece is a maximum flow of its own, by Dinic's algorithm on whole numbers, so that the time grows
with the cube of the text's length at least.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import attentions_of

# Capacities are counted in these units. All that leaves the source is one, and fits into 32 bits.
UNITS = 1 << 30

Floats = NDArray[np.float64]


class TextTooLong(Exception):
    """The message names the limit, and the parameter that moves it."""


def attention_flow(classifier: TextClassifier, batch: Batch, target: Tensor, most_pieces: int = 256) -> Tensor:
    """Scores (texts, pieces) in 0..1; the target plays no part. TextTooLong beyond `most_pieces`."""
    longest = max(batch.lengths)
    if longest > most_pieces:
        raise TextTooLong(
            f"attention_flow takes minutes on a text of {longest} pieces, and was told to take at most {most_pieces}: "
            "leave the text or the method out, or raise most_pieces."
        )
    layers = [layer.detach().mean(1).double().cpu().numpy() for layer in attentions_of(classifier, batch)]
    reads = classifier.readout(batch.attention_mask).double().cpu().numpy()
    rows = [
        _flows([layer[row, :count, :count] for layer in layers], reads[row, :count])
        for row, count in enumerate(batch.lengths)
    ]
    return batch.pad(rows)


def _flows(layers: Sequence[Floats], read: Floats) -> list[float]:
    """The largest flow to each piece; `layers` (queries, keys) are the first to the last."""
    pieces = len(read)
    pipes = [(layer / layer.sum(-1, keepdims=True) + np.eye(pieces)) / 2 for layer in layers]
    graph, last = _graph(pipes[1:], read)
    sink, source = graph.shape[0] - 2, graph.shape[0] - 1
    flows = []
    for piece in range(pieces):
        graph.data[last] = _units(pipes[0][:, piece])
        flows.append(maximum_flow(graph, source, sink, method="dinic").flow_value / UNITS)
    return flows


def _graph(pipes: Sequence[Floats], read: Floats) -> tuple[csr_array, NDArray[np.intp]]:
    """Source, layers and sink; and where in its data the capacities stand of the lowest layer to the sink.

    Node l * pieces + q is piece q over layer l + 1, then come sink and source. Only one input piece is the sink
    at a time, so that the others are left out.
    """
    pieces, depth = len(read), len(pipes) + 1
    sink, source = depth * pieces, depth * pieces + 1
    own = np.arange(pieces)
    edges = [(own, np.full(pieces, sink), np.full(pieces, UNITS))]
    for layer, pipe in enumerate(pipes, start=1):
        queries, keys = np.nonzero(_units(pipe))
        edges.append((layer * pieces + queries, (layer - 1) * pieces + keys, _units(pipe)[queries, keys]))
    edges.append((np.full(pieces, source), (depth - 1) * pieces + own, _units(read)))
    start, end, capacity = (np.concatenate(part) for part in zip(*edges, strict=True))
    graph = csr_array((capacity.astype(np.int32), (start, end)), shape=(source + 1, source + 1), dtype=np.int32)
    graph.sort_indices()
    # The lowest layer's rows come first, and hold nothing else.
    return graph, own


def _units(capacities: Floats) -> NDArray[np.int32]:
    return np.rint(capacities * UNITS).astype(np.int32)
