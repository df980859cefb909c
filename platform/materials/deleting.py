"""Datasets and classifiers go with all that was made of them, unless campaigns stand on them or work is under way.

What goes is deleted table by table, in SQL: a dataset may have hundreds of thousands of texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet, Sum

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
    Run,
    Text,
)  # fmt: skip

WORKING = "Something is being computed with it: wait for the run to end, or cancel it."
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


def delete_dataset(dataset: Dataset, by: User) -> None:
    """With texts, predictions, explanations, metric scores and runs. DeletingError."""
    _delete(dataset, by)


def delete_classifier(classifier: Classifier, by: User) -> None:
    """With predictions, explanations, metric scores and runs. DeletingError."""
    _delete(classifier, by)


def _delete(row: Dataset | Classifier, by: User) -> None:
    try:
        with transaction.atomic():
            # Whoever makes a campaign of it at the same moment waits here, or is found.
            type(row)._default_manager.select_for_update().get(pk=row.pk)
            _refuse(row)
            record(by, row.team, Act.DELETED, row, explanations=_sum(row.map_counts))
            for rows in _in_order(row):
                rows._raw_delete(rows.db)
    except IntegrityError as error:
        raise DeletingError("Something has come to stand on it just now: look again.") from error


def _refuse(row: Dataset | Classifier) -> None:
    if row.runs.filter(state=Run.State.RUNNING).exists():
        raise DeletingError(WORKING)
    if isinstance(row, Dataset) and row.imports.filter(state=Import.State.WAITING).exists():
        raise DeletingError(BRINGING)
    campaigns = row.campaigns.order_by("name")
    if campaigns:
        names = ", ".join(f"{one.name} (campaign)" for one in campaigns[:5])
        raise DeletingError(f"Others stand on it, such as {names}: delete them first.")


def _in_order(row: Dataset | Classifier) -> list[QuerySet[Any]]:
    """What points at others before what is pointed at."""
    runs, explanations = row.runs.all(), Explanation.objects.filter(_of(row))
    below: list[QuerySet[Any]] = [
        MetricScore.objects.filter(explanation__in=explanations),
        explanations,
        Prediction.objects.filter(_of(row)),
        Failure.objects.filter(run__in=runs),
        Chunk.objects.filter(run__in=runs),
        runs,
    ]
    if isinstance(row, Dataset):
        below += [row.imports.all(), Text.objects.filter(dataset=row)]
    return [*below, type(row)._default_manager.filter(pk=row.pk)]


def _of(row: Dataset | Classifier) -> Q:
    return Q(text__dataset=row) if isinstance(row, Dataset) else Q(classifier=row)
