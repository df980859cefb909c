"""Samples in which nobody does well by always saying the same: as many surprising outputs of the model as usual ones.

Surprising is an output that is wrong, or that an edit has turned. Where one kind is too rare, the other fills up.
"""

import random
from collections.abc import Collection

from django.db.models import QuerySet

from campaigns.pairing import Pair
from materials.models import Classifier, Prediction, Text

Order = dict[str, list[int]]


def wrong_texts(texts: QuerySet[Text], classifier: Classifier) -> set[int]:
    """Those whose gold label the model misses; texts without one are none of them."""
    rows = Prediction.objects.filter(classifier=classifier, text__in=texts).exclude(text__label="")
    labels = rows.values_list("text_id", "text__label", "label")
    return {pk for pk, gold, predicted in labels.iterator() if gold.casefold() != predicted.casefold()}


def turned_texts(found: dict[int, Pair]) -> set[int]:
    return {pk for pk, pair in found.items() if pair.turned}


def alternated(order: Order, surprising: Collection[int]) -> Order:
    """Usual and surprising texts in turn, so that any first part of a label's list has as many of both as there are."""
    return {label: _in_turn(ids, surprising) for label, ids in order.items()}


def _in_turn(ids: list[int], surprising: Collection[int]) -> list[int]:
    usual, rest = [pk for pk in ids if pk not in surprising], [pk for pk in ids if pk in surprising]
    both = min(len(usual), len(rest))
    turns = [pk for pair in zip(usual, rest, strict=False) for pk in pair]
    return turns + usual[both:] + rest[both:]


def set_aside(
    order: Order, per_label: int, items: int, surprising: Collection[int], seed: int
) -> tuple[dict[str, list[int]], Order]:
    """Texts for solved examples, by label, and what is left for `items` a label and for practice.

    Examples and items share what there is of both kinds in proportion to their numbers.
    """
    examples: dict[str, list[int]] = {}
    for label, ids in order.items():
        pool = ids[: per_label + items]
        usual, rest = [pk for pk in pool if pk not in surprising], [pk for pk in pool if pk in surprising]
        share = round(per_label * len(rest) / max(len(pool), 1))
        examples[label] = usual[: per_label - share] + rest[:share]
        random.Random(f"{seed}/examples/{label}").shuffle(examples[label])
    return examples, {label: [pk for pk in ids if pk not in examples[label]] for label, ids in order.items()}
