"""Max-sensitivity. Yeh et al. 2019, https://arxiv.org/abs/1901.09392

    max over n of  |map(e + n) - map(e)| / |map(e)|,   n ~ Uniform(-r, r),   r = radius (max e - min e) of the text

|.| is the Euclidean norm over words. The method is run again on embeddings that are a little off. The noise belongs
to the word pieces of the text, so that a piece has the same noise wherever it stands, and in every input that a
perturbation method makes of the text: all methods are shaken alike.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from catalogue.reasons import NO_METHOD
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.classifiers.memory import Memory
from workers.faithfulness.erasing import Row, Value, WordScores, rows_of
from workers.faithfulness.repeating import Again, Maker, make_again
from workers.saliency.seeding import generator_for


def max_sensitivity(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    makers: Sequence[Maker | None],
    samples: int = 10,
    radius: float = 0.02,
    seed: int = 0,
) -> list[Value]:
    """One value of 0 or more a row, lower is better; undefined for maps whose method cannot be run again."""
    rows = rows_of(batch, word_scores)
    values = {at: row for at, row in enumerate(rows) if isinstance(row, Value)}
    ranked = {at: row for at, row in enumerate(rows) if isinstance(row, Row)}
    texts: dict[Encoded, dict[int, Again]] = {}
    for at, row in ranked.items():
        if (maker := makers[at]) is None:
            values[at] = Value(None, NO_METHOD)
        else:
            texts.setdefault(row.text, {})[at] = Again(row.text, int(target[at]), maker)
    for text, wanted in texts.items():
        most = dict.fromkeys(wanted, 0.0)
        for shaken in _shaken(classifier, text, samples, radius, seed):
            for at, made in zip(wanted, make_again(shaken, list(wanted.values()), batch.budget), strict=True):
                if isinstance(made, str):
                    values[at] = Value(None, made)
                else:
                    most[at] = max(most[at], _distance(made, ranked[at]))
        values |= {at: Value(value) for at, value in most.items() if at not in values}
    return [values[at] for at in range(len(rows))]


def _distance(made: list[float], row: Row) -> float:
    """|made - scores| / |scores|; not all scores are equal, so that some are not zero."""
    scores = torch.tensor(row.scores, dtype=torch.double)
    return float((torch.tensor(made, dtype=torch.double) - scores).norm() / scores.norm())


def _shaken(
    classifier: TextClassifier, text: Encoded, samples: int, radius: float, seed: int
) -> Iterator[TextClassifier]:
    """The classifier with noise on the embeddings of the text's pieces, each time another."""
    generator = generator_for(text.content, "max_sensitivity", classifier.weights_hash, seed)
    pieces = torch.tensor(sorted(set(text.input_ids)), device=classifier.device)
    with torch.no_grad():
        own = classifier.embed(torch.tensor([text.input_ids], device=classifier.device))
    reach = radius * (own.max() - own.min())
    for _ in range(samples):
        draw = 2 * torch.rand(len(pieces), own.shape[2], generator=generator) - 1
        with _noise_on(classifier, pieces, reach * draw.to(own)) as shaken:
            yield shaken


@contextmanager
def _noise_on(classifier: TextClassifier, pieces: Tensor, noise: Tensor) -> Iterator[TextClassifier]:
    """`pieces` (pieces,) sorted, `noise` (pieces, dimensions). The model is the classifier's own, hooked meanwhile."""

    def shake(_: Any, given: tuple[Tensor, ...], named: dict[str, Tensor], embeddings: Tensor) -> Tensor:
        ids = given[0] if given else named["input_ids"]
        at = torch.searchsorted(pieces, ids).clamp(max=len(pieces) - 1)
        return embeddings + noise[at] * (pieces[at] == ids)[..., None]

    handle = classifier.embedding.register_forward_hook(shake, with_kwargs=True)
    try:
        # What is remembered of the model at rest must not be taken for the shaken one's, nor the other way round.
        yield replace(classifier, memory=Memory())
    finally:
        handle.remove()
