"""Which texts a campaign shows: a balanced draw that its seed decides, solved examples, practice and known answers."""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from campaigns.balancing import Order, alternated, set_aside, turned_texts, wrong_texts
from campaigns.covering import covered
from campaigns.designing import PRACTICE_ITEMS
from campaigns.models import Campaign
from campaigns.pairing import Pair, pairs
from catalogue.imported import is_imported
from materials.models import Classifier, Dataset, Prediction
from protocols import Protocol


class Pick(NamedTuple):
    text_id: int
    expected: str


class SampleError(Exception):
    """Why no such sample can be drawn, and what to change."""


def needs_predictions(judge_against: str, only_correct: bool, methods: Iterable[str] = ()) -> bool:
    """Before the draw: imported maps are of use for the predicted label alone, so that has to be known."""
    return only_correct or judge_against == Campaign.JudgeAgainst.PREDICTION or any(map(is_imported, methods))


class Stock(NamedTuple):
    """What can be drawn, in the order of drawing. `surprising`: see `balancing`; `paired`: the edits asked about."""

    order: Order
    surprising: Collection[int] = frozenset()
    paired: Mapping[int, Pair] = {}


class Drawn(NamedTuple):
    examples: list[Pick]
    items: list[Pick]
    practice: list[Pick]
    gold: list[Pick]


def stock(
    protocol: Protocol,
    dataset: Dataset,
    classifier: Classifier,
    judge_against: str,
    only_correct: bool,
    methods: Collection[str],
    seed: int,
) -> Stock:
    """The dataset's texts as far as the protocol can ask about them."""
    paired = pairs(dataset, classifier, seed) if protocol.edits else None
    found = shuffled(candidates(dataset, classifier, judge_against, only_correct, methods, paired), seed)
    if paired is not None:
        turned = turned_texts(paired)
        return Stock(alternated(found, turned), turned, paired)
    if protocol.learning:
        wrong = wrong_texts(dataset.texts.all(), classifier)
        return Stock(alternated(found, wrong), wrong)
    return Stock(found)


def candidates(
    dataset: Dataset,
    classifier: Classifier,
    judge_against: str,
    only_correct: bool,
    methods: Collection[str] = (),
    paired: Mapping[int, Pair] | None = None,
) -> Order:
    """Text ids by the label that a right answer names, in the classifier's spelling.

    Only texts that all imported ones of the `methods` explain. Of those that are `paired`, if such are given, what is
    right is the model's output for the edit.
    """
    usable = covered(dataset, classifier, methods)
    names = {name.strip().casefold(): name for name in classifier.label_names}
    gold = judge_against == Campaign.JudgeAgainst.GOLD
    found: Order = {}
    if gold:
        found = {names[key]: [] for key in map(str.casefold, dataset.label_names()) if key in names}
    for text_id, label, predicted in _rows(dataset, classifier, needs_predictions(judge_against, only_correct)):
        asked = predicted if paired is None else paired[text_id].predicted if text_id in paired else ""
        expected = names.get((label if gold else asked).casefold())
        right = label.casefold() == predicted.casefold()
        if expected is not None and (right or not only_correct) and (usable is None or text_id in usable):
            found.setdefault(expected, []).append(text_id)
    return found


def _rows(dataset: Dataset, classifier: Classifier, predicted: bool) -> Iterator[tuple[int, str, str]]:
    if predicted:
        rows = Prediction.objects.filter(classifier=classifier, text__dataset=dataset).order_by("text_id")
        yield from rows.values_list("text_id", "text__label", "label").iterator()
    else:
        for text_id, label in dataset.texts.order_by("pk").values_list("pk", "label").iterator():
            yield text_id, label, ""


def shuffled(found: Order, seed: int) -> Order:
    """The order in which texts are drawn: what is drawn first does not depend on how many are."""
    order = {}
    for label in sorted(found):
        order[label] = sorted(found[label])
        random.Random(f"{seed}/{label}").shuffle(order[label])
    return order


def draw_all(
    found: Stock,
    per_label: int,
    examples: int,
    seed: int,
    excluded: Collection[int] = frozenset(),
    practice: int = PRACTICE_ITEMS,
    gold: int = 0,
) -> Drawn:
    """Solved examples first, `examples` a label, then as `draw`. SampleError where there are not enough.

    With texts excluded, a label may come out short.
    """
    left = {label: [pk for pk in ids if pk not in excluded] for label, ids in found.order.items()}
    aside, order = set_aside(left, examples, per_label, found.surprising, seed)
    for label, ids in found.order.items():
        if len(aside[label]) + min(per_label, len(order[label])) < examples + per_label and not excluded:
            raise SampleError(_too_few(label, examples + per_label, len(ids), practice + gold))
    solved = [Pick(pk, label) for label, ids in aside.items() for pk in ids]
    items, apart = draw(order, per_label, excluded, bool(excluded), practice + gold)
    return Drawn(spread(solved), items, apart[:practice], apart[practice:])


def draw(
    order: Order,
    per_label: int,
    excluded: Collection[int] = frozenset(),
    short: bool = False,
    apart: int = PRACTICE_ITEMS,
) -> tuple[list[Pick], list[Pick]]:
    """Items, and `apart` others for practice and the like: none twice, none excluded. SampleError where there are not
    enough.

    `short` takes what there is, as long as there is something of every label.
    """
    left = {label: [pk for pk in ids if pk not in excluded] for label, ids in order.items()}
    others = list(_others(left, per_label, apart))
    reserved = {pick.text_id for pick in others}
    items: list[Pick] = []
    for label, ids in left.items():
        free = [pk for pk in ids if pk not in reserved][:per_label]
        if not free or (len(free) < per_label and not short):
            raise SampleError(_too_few(label, per_label, len(ids), apart))
        items += [Pick(pk, label) for pk in free]
    if not items or len(others) < apart:
        raise SampleError(f"There are no texts left for {_apart(apart)}. Import more, or take fewer.")
    return items, others


def _apart(count: int) -> str:
    return f"practice and known answers: {count} more {'is' if count == 1 else 'are'} needed"


def _others(left: Order, per_label: int, count: int) -> Iterator[Pick]:
    """The next texts after the items, one a label, from the labels that have most to spare."""
    spare = {label: list(ids[per_label:]) or list(ids[1:][-1:]) for label, ids in left.items()}
    chosen = 0
    while chosen < count and any(spare.values()):
        for label in sorted(spare, key=lambda name: (-min(len(spare[name]), per_label), name)):
            if spare[label] and chosen < count:
                yield Pick(spare[label].pop(0), label)
                chosen += 1


def _too_few(label: str, wanted: int, found: int, apart: int) -> str:
    texts = "is only 1 text" if found == 1 else f"are only {found} texts"
    kept = f", and {apart} of all the texts are kept for practice and known answers" if apart else ""
    return (
        f"There {texts} to choose from with the label “{label}”; {wanted} are wanted{kept}. "
        "Take fewer texts per label, or import more; wrongly classified ones count where allowed."
    )


def spread(picks: Iterable[Pick]) -> list[Pick]:
    """Labels in turn, so that any first part of the list is balanced too."""
    by_label: dict[str, list[Pick]] = {}
    for pick in picks:
        by_label.setdefault(pick.expected, []).append(pick)
    longest = max(map(len, by_label.values()), default=0)
    return [group[at] for at in range(longest) for group in by_label.values() if at < len(group)]
