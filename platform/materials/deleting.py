"""Datasets and classifiers go with all that was made of them, unless campaigns stand on them or work is under way.

What goes is deleted in SQL, a batch after the other: a dataset may have hundreds of thousands of texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum

from accounts.access import OWNING, hold_role
from accounts.auditing import Act, record
from accounts.models import User
from materials.counting import counted
from materials.models import (
    Chunk,
    Classifier,
    Dataset,
    Explanation,
    Failure,
    Import,
    MetricScore,
    Prediction,
    Removal,
    Run,
    Text,
)  # fmt: skip
from materials.removing import TASKS, Batches, Plans, begin, go_on, procedure

WORKING = "Something is being computed with it: wait for the run to end, or cancel it."
GONE = "Somebody has deleted it meanwhile."
LEAVING = "A campaign that stands on it is being deleted: wait for the end of that."
BATCH = 500
BRINGING = "A file is being imported into it: wait for the import to end, or cancel it."


class DeletingError(Exception):
    """Why it has to stay, and what to do."""


@dataclass(frozen=True)
class Going:
    """What stands on a dataset or classifier: `goes` with it, a line each; `campaigns` keep it from going."""

    goes: Sequence[str]
    campaigns: Sequence[Any]


def going_with(row: Dataset | Classifier) -> Going:
    """A constant number of queries; metric scores go unnumbered with their maps."""
    texts = (
        [counted(_sum(row.text_counts), "text") + " with their labels and rationales"]
        if isinstance(row, Dataset)
        else []
    )
    predictions = counted(_sum(row.prediction_counts), "prediction")
    maps = counted(_sum(row.map_counts), "heat map") + " with their metric scores"
    return Going([*texts, predictions, maps, counted(row.runs.count(), "run")], list(row.campaigns.order_by("name")))


def _sum(counts: Any) -> int:
    return int(counts.aggregate(all=Sum("n"))["all"] or 0)


def delete_dataset(dataset: Dataset, by: User) -> Removal:
    """With texts, predictions, explanations, metric scores and runs. DeletingError."""
    return _delete(dataset, Removal.Kind.DATASET, by)


def delete_classifier(classifier: Classifier, by: User) -> Removal:
    """With predictions, explanations, metric scores and runs. DeletingError."""
    return _delete(classifier, Removal.Kind.CLASSIFIER, by)


def _delete(row: Dataset | Classifier, kind: Removal.Kind, by: User) -> Removal:
    with transaction.atomic():
        # Whoever makes a campaign of it at the same moment waits here, or is found.
        if not type(row)._default_manager.select_for_update().filter(pk=row.pk):
            raise DeletingError(GONE)
        _refuse(row)
        maps = _sum(row.map_counts)
        hold_role(by, row.team, OWNING)
        record(by, row.team, Act.DELETED, row, explanations=maps)
        texts = row.n_texts() if isinstance(row, Dataset) else 0
        removal = begin(row, kind, by, texts + maps + _sum(row.prediction_counts))
    return go_on(removal, REMOVING)


def _refuse(row: Dataset | Classifier) -> None:
    if row.runs.filter(state=Run.State.RUNNING).exists():
        raise DeletingError(WORKING)
    if isinstance(row, Dataset) and row.imports.filter(state=Import.State.WAITING).exists():
        raise DeletingError(BRINGING)
    campaigns = row.campaigns(manager="all_objects").order_by("removed_at", "name")
    if any(one.removed_at for one in campaigns):
        raise DeletingError(LEAVING)
    if campaigns:
        names = ", ".join(f"{one.name} (campaign)" for one in campaigns[:5])
        raise DeletingError(f"Others stand on it, such as {names}: delete them first.")


def _dataset(key: int) -> Batches:
    """What points at others before what is pointed at: edits before the texts that they are of."""
    for texts in (Text.objects.filter(dataset=key, edit_of__isnull=False), Text.objects.filter(dataset=key)):
        for ids in batches(texts):
            yield partial(_texts, ids)
    yield partial(_rest, Dataset, key, Run.objects.filter(dataset=key), [Import.objects.filter(dataset=key)])


def _texts(ids: list[int]) -> int:
    maps, predictions = Explanation.objects.filter(text__in=ids), Prediction.objects.filter(text__in=ids)
    failures = Failure.objects.filter(text__in=ids)
    raw_delete(MetricScore.objects.filter(explanation__in=maps), failures)
    return raw_delete(maps, predictions, Text.objects.filter(pk__in=ids))


def _classifier(key: int) -> Batches:
    for ids in batches(Explanation.objects.filter(classifier=key)):
        yield partial(_maps, ids)
    for ids in batches(Prediction.objects.filter(classifier=key)):
        yield partial(raw_delete, Prediction.objects.filter(pk__in=ids))
    yield partial(_rest, Classifier, key, Run.objects.filter(classifier=key), [])


def _maps(ids: list[int]) -> int:
    raw_delete(MetricScore.objects.filter(explanation__in=ids))
    return raw_delete(Explanation.objects.filter(pk__in=ids))


def _rest(model: type[Dataset] | type[Classifier], key: int, runs: QuerySet[Run], more: list[QuerySet[Any]]) -> int:
    raw_delete(Failure.objects.filter(run__in=runs), Chunk.objects.filter(run__in=runs), runs, *more)
    raw_delete(model._base_manager.filter(pk=key))
    return 0


PLANS: Plans = {Removal.Kind.DATASET: _dataset, Removal.Kind.CLASSIFIER: _classifier}
REMOVING = procedure(TASKS[Removal.Kind.DATASET], PLANS)


def batches(rows: QuerySet[Any], size: int = BATCH) -> Iterator[list[int]]:
    """Their numbers, so that each is looked at once."""
    after = 0
    while ids := list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:size]):
        yield ids
        after = ids[-1]


def raw_delete(*kinds: QuerySet[Any]) -> int:
    return sum(rows._raw_delete(rows.db) for rows in kinds)
