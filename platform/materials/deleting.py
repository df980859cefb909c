"""Datasets and classifiers go with all that was made of them, unless campaigns stand on them or work is under way."""

from django.db import transaction
from django.db.models import ProtectedError, QuerySet

from accounts.auditing import Act, record
from accounts.models import User
from materials.models import Classifier, Dataset, Explanation, Run


class DeletingError(Exception):
    """Why it has to stay, and what to do."""


def delete_dataset(dataset: Dataset, by: User) -> None:
    """With texts, predictions, explanations, metric scores and runs."""
    _delete(dataset, by, Explanation.objects.filter(text__dataset=dataset))


def delete_classifier(classifier: Classifier, by: User) -> None:
    """With predictions, explanations, metric scores and runs."""
    _delete(classifier, by, classifier.explanations.all())


def _delete(row: Dataset | Classifier, by: User, maps: QuerySet[Explanation]) -> None:
    with transaction.atomic():
        type(row)._default_manager.select_for_update().get(pk=row.pk)
        if row.runs.filter(state=Run.State.RUNNING).exists():
            raise DeletingError("Something is being computed with it: wait for the run to end, or cancel it.")
        record(by, row.team, Act.DELETED, row, explanations=maps.count())
        try:
            row.delete()
        except ProtectedError as error:
            raise DeletingError(f"{_standing(error)}: delete them first.") from error


def _standing(error: ProtectedError) -> str:
    kinds = {str(one._meta.verbose_name_plural): str(one) for one in error.protected_objects}
    return "Others stand on it, such as " + ", ".join(f"{name} ({kind})" for kind, name in sorted(kinds.items()))
