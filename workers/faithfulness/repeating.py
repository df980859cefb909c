"""What the metrics share that run a method again on an altered model: maps by word, texts and methods together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from workers.classifiers.batching import Batch, group_by_length
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded

LONGEST_REASON = 120


@dataclass(frozen=True, eq=False)
class Maker:
    """The method that made a map: `scores` gives one float a piece, `pieces` says how they make a word's."""

    method: str
    scores: Callable[[TextClassifier, Batch, Tensor], Tensor]
    pieces: str = "sum"


@dataclass(frozen=True, eq=False)
class Again:
    """One map to be made again."""

    text: Encoded
    label: int
    maker: Maker


Made = list[float] | str


def make_again(classifier: TextClassifier, wanted: Sequence[Again], budget: int) -> list[Made]:
    """The scores of the words that were seen, one list for each wanted map, or why there are none.

    The methods of a text share its passes, texts of like length a batch.
    """
    pairs: dict[tuple[str, str, int], tuple[Encoded, int]] = {}
    for one in wanted:
        pairs.setdefault(_key(one), (one.text, one.label))
    keys, rows = list(pairs), list(pairs.values())
    found: dict[tuple[Maker, tuple[str, str, int]], Made] = {}
    for group in group_by_length([len(text.input_ids) for text, _ in rows], budget):
        makers = {one.maker: None for one in wanted if _key(one) in {keys[index] for index in group}}
        made = _make(classifier, [rows[index] for index in group], list(makers), budget)
        for maker, maps in made.items():
            found.update({(maker, keys[index]): one for index, one in zip(group, maps, strict=True)})
    return [found[one.maker, _key(one)] for one in wanted]


def _key(one: Again) -> tuple[str, str, int]:
    return one.text.text_id, one.text.content, one.label


def _make(
    classifier: TextClassifier, rows: Sequence[tuple[Encoded, int]], makers: Sequence[Maker], budget: int
) -> Mapping[Maker, list[Made]]:
    batch = classifier.batch([text for text, _ in rows], budget, frozenset(maker.method for maker in makers))
    target = torch.tensor([label for _, label in rows], device=batch.input_ids.device)
    made: dict[Maker, list[Made]] = {}
    for maker in makers:
        try:
            made[maker] = _maps(classifier, batch, target, maker)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:  # a method may fail in any way, here on a model that nobody trained
            failed = f"the method fails on the altered model: {error}"[:LONGEST_REASON]
            alone = len(rows) == 1
            made[maker] = [failed if alone else _make(classifier, [row], [maker], budget)[maker][0] for row in rows]
    return made


def _maps(classifier: TextClassifier, batch: Batch, target: Tensor, maker: Maker) -> list[Made]:
    scores = maker.scores(classifier, batch, target).detach().float().cpu().tolist()
    return [_words(text, row, maker.pieces) for text, row in zip(batch.texts, scores, strict=True)]


def _words(text: Encoded, row: list[float], pieces: str) -> list[float]:
    words = text.to_words(row, pieces)
    return [words[word] or 0.0 for word in text.seen]
