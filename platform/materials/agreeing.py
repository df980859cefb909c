"""Whether a classifier and a dataset mean the same by their labels, and how often the classifier is right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Sum

from materials.models import Classifier, Dataset, PredictionCount

# Of a classifier whose one output is a number: it is neither right nor wrong about a label.
NUMBER = "regression"


@dataclass(frozen=True)
class Accuracy:
    """Of the texts that have both a label and a prediction."""

    right: int
    n: int

    @property
    def percent(self) -> str:
        return f"{100 * self.right / self.n:.1f}" if self.n else ""


def same_label(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def unmatched(labels: Iterable[str], names: Sequence[str]) -> list[str]:
    """The labels that no name equals, capitals aside."""
    known = {name.strip().casefold() for name in names}
    return [label for label in labels if label.strip().casefold() not in known]


def mismatch(labels: Sequence[str], names: Sequence[str]) -> str:
    """One sentence where a dataset has labels that a classifier never predicts; empty where all is well."""
    strange = unmatched(labels, names)
    if not strange:
        return ""
    return (
        f"The dataset's {_quoted(strange)} {'is' if len(strange) == 1 else 'are'} not among the classifier's labels "
        f"({_quoted(names)}). Give the classifier's labels the dataset's names on its page."
    )


def _quoted(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:6])
    return f"{shown} and {len(names) - 6} more" if len(names) > 6 else shown


def accuracies_of(dataset: Dataset) -> dict[int, Accuracy]:
    """By classifier. One query, however many texts."""
    return _accuracies("classifier_id", dataset=dataset)


def accuracies_by_dataset(classifier: Classifier) -> dict[int, Accuracy]:
    return _accuracies("dataset_id", classifier=classifier)


def _accuracies(by: str, **which: object) -> dict[int, Accuracy]:
    labelled = PredictionCount.objects.filter(**which).exclude(gold="").exclude(classifier__problem_type=NUMBER)
    found: dict[int, Accuracy] = {}
    for pk, gold, label, n in labelled.values_list(by, "gold", "label").annotate(all=Sum("n")).filter(all__gt=0):
        before = found.get(pk, Accuracy(0, 0))
        found[pk] = Accuracy(before.right + n * same_label(gold, label), before.n + n)
    return found
