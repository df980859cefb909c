"""Other names for a dataset's labels, until a campaign has taken them into what it froze and showed."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Case, F, QuerySet, Value, When

from accounts.auditing import Act, record
from accounts.models import User
from materials.forms import LabelsForm
from materials.models import Dataset, Import, PredictionCount, Run

# More are not gone through by hand.
MOST = 100
WORKING = "Something is being computed with it: wait for the run to end, or cancel it."
BRINGING = "A file is being imported into it: wait for the import to end, or cancel it."
MEANWHILE = "Its labels have changed since this page was opened: here they are as they are now."
FROZEN = "A campaign was prepared with these labels just now, so they stay."


class RelabellingError(Exception):
    """Why the labels stay as they are."""


class SameName(RelabellingError):
    """Of names that cannot be, however things stand."""


class TextLabelsForm(LabelsForm):
    """One field for each label, under the name that it has."""

    def __init__(self, names: list[str], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(names, data)
        for name, field in zip(names, self.fields.values(), strict=True):
            field.label = name


def holding(dataset: Dataset) -> "QuerySet[Any]":
    """Campaigns past their draft: labels stand in their stimuli, in the answers and in what was registered."""
    return dataset.campaigns.exclude(state="draft").order_by("name")


def relabel(dataset: Dataset, before: list[str], names: list[str], by: User) -> None:
    """`before` are the labels as they were shown, `names` what each is to be called. RelabellingError."""
    if len({name.casefold() for name in names}) != len(names) or len(names) != len(before):
        raise SameName("Two labels cannot have the same name: they would become one for good.")
    to = {old: new for old, new in zip(before, names, strict=True) if old != new}
    with transaction.atomic():
        # Nobody adds texts, starts a run or makes a campaign of a dataset whose row is locked.
        locked = Dataset.objects.select_for_update().get(pk=dataset.pk)
        if refusal := _refusal(locked, before):
            raise RelabellingError(refusal)
        if to:
            locked.texts.filter(label__in=to).update(label=_renamed("label", to))
            PredictionCount.objects.filter(dataset=locked, gold__in=to).update(gold=_renamed("gold", to))
            record(by, locked.team, Act.EDITED, locked, labels=", ".join(f"{old}: {new}" for old, new in to.items()))


def _refusal(dataset: Dataset, before: list[str]) -> str:
    if holding(dataset).exists():
        return FROZEN
    if dataset.runs.filter(state=Run.State.RUNNING).exists():
        return WORKING
    if Import.objects.filter(dataset=dataset, state=Import.State.WAITING).exists():
        return BRINGING
    return MEANWHILE if dataset.label_names() != before else ""


def _renamed(column: str, to: dict[str, str]) -> Case:
    return Case(*(When(**{column: old}, then=Value(new)) for old, new in to.items()), default=F(column))
