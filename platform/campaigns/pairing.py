"""Which edit of each text is asked about, and what the model makes of it."""

import random
from typing import NamedTuple

from materials.models import Classifier, Dataset, Prediction


class Pair(NamedTuple):
    """`predicted` is the model's output for the edit; `turned` says that it is another than the original's."""

    edited_id: int
    predicted: str
    turned: bool


def pairs(dataset: Dataset, classifier: Classifier, seed: int) -> dict[int, Pair]:
    """By original, of those that are predicted with an edit; of several edits the seed chooses one."""
    rows = Prediction.objects.filter(classifier=classifier, text__dataset=dataset).order_by("text_id")
    predicted: dict[int, str] = {}
    edits: dict[int, list[int]] = {}
    for text_id, original_id, label in rows.values_list("text_id", "text__edit_of_id", "label").iterator():
        predicted[text_id] = label
        if original_id is not None:
            edits.setdefault(original_id, []).append(text_id)
    chosen = {pk: random.Random(f"{seed}/edit/{pk}").choice(found) for pk, found in edits.items() if pk in predicted}
    return {pk: Pair(edit, predicted[edit], predicted[edit] != predicted[pk]) for pk, edit in chosen.items()}
