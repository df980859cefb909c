"""Maps at noisy embeddings: what the wrappers over gradient methods share.

    e + n,   n ~ Normal(0, sigma (max e - min e))   for each text, over its own pieces and dimensions

A text's noise is drawn from its own generator at its own length: batch mates and padding have no part in it.
"""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Generator, Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.passes import forward

Map = Callable[[TextClassifier, Batch, Tensor], Tensor]


def noisy(
    classifier: TextClassifier, batch: Batch, samples: int, sigma: float, generators: Sequence[Generator]
) -> Iterator[tuple[Tensor, Tensor]]:
    """Rows (n,) of the batch and noisy embeddings (n, pieces, dimensions): `samples` a text, in parts of the budget."""
    own = forward(classifier, batch).embeddings.detach()
    lengths = batch.lengths
    spread = torch.stack([sigma * _range(own[row, :length]) for row, length in enumerate(lengths)])
    rows = [row for row in range(len(batch)) for _ in range(samples)]
    for part, width in batch.parts(rows):
        noise = torch.zeros(part.stop - part.start, width, own.shape[2])
        for place, row in enumerate(rows[part]):
            noise[place, : lengths[row]].normal_(generator=generators[row])
        index = torch.tensor(rows[part], device=own.device)
        yield index, own[index, :width] + spread[index, None, None] * noise.to(own)


def _range(embeddings: Tensor) -> Tensor:
    return embeddings.max() - embeddings.min()


def moments(
    method: Map,
    classifier: TextClassifier,
    batch: Batch,
    target: Tensor,
    samples: int,
    sigma: float,
    generators: Sequence[Generator],
) -> tuple[Tensor, Tensor]:
    """Mean and variance (texts, pieces) of a method's scores over noisy embeddings."""
    total = torch.zeros(batch.input_ids.shape, dtype=torch.double)
    squares = torch.zeros_like(total)
    for rows, embeddings in noisy(classifier, batch, samples, sigma, generators):
        scores = method(classifier, batch.at(rows, embeddings), target[rows]).double().cpu()
        total[:, : scores.shape[1]].index_add_(0, rows.cpu(), scores)
        squares[:, : scores.shape[1]].index_add_(0, rows.cpu(), scores**2)
    mean = total / samples
    variance = (squares / samples - mean**2).clamp(min=0)
    return mean.float().to(target.device), variance.float().to(target.device)
