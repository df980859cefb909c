"""Texts with some of their words left out: what the perturbation methods share."""

from collections.abc import Iterable
from itertools import islice

import torch
from torch import Generator, Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded

# So many variants of a text are held at a time, however many are asked for.
SLICE = 256
LAST = "last coalitions"


def outputs_without(
    classifier: TextClassifier, batch: Batch, text: Encoded, absent: str, left_out: Iterable[set[int]]
) -> Tensor:
    """Logits (variants, labels), in doubles, of a text without each set of its words; known ones are remembered."""
    rows, variants = [], iter(left_out)
    while part := [classifier.erase(text, words, absent) for words in islice(variants, SLICE)]:
        rows.append(classifier.logits_of(part, batch.budget))
    return torch.cat(rows).double()


def values_of(classifier: TextClassifier, batch: Batch, text: Encoded, label: int, absent: str, kept: Tensor) -> Tensor:
    """v(S) of `kept` (coalitions, words): the label's logit (coalitions,) with only the words that are marked.

    Equal coalitions are tried once. The last ones asked for are kept: a text may be explained for several labels.
    """
    key = (text.input_ids, absent, kept.numpy().tobytes())
    last: tuple[object, Tensor] = batch.memo.get(LAST, (None, kept))
    if key != last[0]:
        last = batch.memo[LAST] = (key, _outputs_with(classifier, batch, text, absent, kept))
    return last[1][:, label]


def _outputs_with(classifier: TextClassifier, batch: Batch, text: Encoded, absent: str, kept: Tensor) -> Tensor:
    """Logits (coalitions, labels) of a text with only the words that are marked."""
    seen = text.seen
    rows = list(map(tuple, kept.bool().tolist()))
    places = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    left_out = ({word for word, keep in zip(seen, row, strict=True) if not keep} for row in places)
    return outputs_without(classifier, batch, text, absent, left_out)[[places[row] for row in rows]]


def subsets(sizes: Tensor, words: int, generator: Generator) -> Tensor:
    """One random coalition of each size, (coalitions, words), 1 or 0: all words are equally likely."""
    ranks = torch.rand(len(sizes), words, generator=generator).argsort(1).argsort(1)
    return (ranks < sizes[:, None]).double()
