"""Name a classifier, have a worker process read what it is, and give its labels other names."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Value, When

from accounts.models import Team
from materials.enqueuing import enqueue
from materials.models import Classifier, Prediction, Run
from materials.naming import insert_named

NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can read it: try again once the queue is back."


class LabelError(Exception):
    """Why labels cannot be renamed so."""


def add_classifier(
    team: Team,
    name: str,
    source: str,
    revision: str = "",
    kind: str = "",
    options: Mapping[str, Any] | None = None,
) -> Classifier:
    """`source` is a hub id, or a folder on the machine of the worker processes; without a kind, its files say it."""
    with transaction.atomic():
        classifier = Classifier(
            team=team, name=name, source=source, revision=revision, kind=kind, options=dict(options or {})
        )
        insert_named(classifier)
        register(classifier)
    return classifier


def register(classifier: Classifier) -> None:
    """Have its files read: the labels, the problem type and the hash, or the reason why not."""
    Classifier.objects.filter(pk=classifier.pk).update(state=Classifier.State.LOADING, error="")
    transaction.on_commit(lambda: _send(classifier))
    classifier.refresh_from_db()


def _send(classifier: Classifier) -> None:
    if not enqueue("workers.register_classifier", [classifier.pk]):
        Classifier.objects.filter(pk=classifier.pk).update(state=Classifier.State.FAILED, error=NO_QUEUE)


def rename_labels(classifier: Classifier, names: list[str], before: list[str] | None = None) -> None:
    """Call the outputs by other names, in their order; predictions made so far are renamed too.

    `before` are the names as they were shown. LabelError where they are others by now.
    """
    folded = {name.casefold() for name in names}
    if len(names) != len(classifier.label_names) or len(folded) != len(names) or not all(names):
        raise LabelError(f"Expected {len(classifier.label_names)} different names, one for each label.")
    renamed = [When(label=old, then=Value(new)) for old, new in zip(classifier.label_names, names, strict=True)]
    with transaction.atomic():
        locked = Classifier.objects.select_for_update().get(pk=classifier.pk)
        if locked.label_names != (before or classifier.label_names):
            raise LabelError("Somebody else has just renamed them: look again.")
        if locked.runs.filter(state=Run.State.RUNNING).exists():
            raise LabelError("It is at work just now, under the names it has: wait for the run to end, or cancel it.")
        Prediction.objects.filter(classifier=classifier).update(label=Case(*renamed, default=F("label")))
        Classifier.objects.filter(pk=classifier.pk).update(label_names=names)
    classifier.refresh_from_db()
