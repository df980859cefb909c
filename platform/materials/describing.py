"""What the pages of datasets and classifiers say: a constant number of queries, whatever their size."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, F, QuerySet

from materials.agreeing import NUMBER, Accuracy, accuracies_by_dataset, accuracies_of, mismatch
from materials.explaining import Progress, progress
from materials.models import Classifier, Dataset, Failure, Prediction, Run

NONE = Accuracy(0, 0)
SHOWN_FAILURES = 5
# Texts; of more it takes longer to count predictions than a page may.
LARGE, COUNTED_SECONDS = 20_000, 60


@dataclass(frozen=True)
class Judged:
    """A classifier on a dataset."""

    dataset: Dataset
    classifier: Classifier
    predicted: int
    total: int
    accuracy: Accuracy
    mismatch: str = ""

    @property
    def complete(self) -> bool:
        return self.predicted >= self.total


@dataclass(frozen=True)
class Running:
    run: Run
    progress: Progress


def classifier_rows(dataset: Dataset, labels: Sequence[str], total: int) -> list[Judged]:
    """Every ready classifier of the team, on this dataset of so many texts with these labels."""
    ready = Classifier.objects.filter(team=dataset.team, state=Classifier.State.READY)
    counts, right = _predicted(dataset, total)
    return [
        Judged(dataset, row, counts.get(row.pk, 0), total, right.get(row.pk, NONE), _mismatch(labels, row))
        for row in ready
    ]


def _predicted(dataset: Dataset, total: int) -> tuple[dict[int, int], dict[int, Accuracy]]:
    """By classifier: how many texts, and how many rightly. Of many texts it is counted anew once a minute."""
    key = f"predicted:{dataset.pk}:{total}"
    found: tuple[dict[int, int], dict[int, Accuracy]] | None = cache.get(key) if total > LARGE else None
    if found is None:
        predictions = Prediction.objects.filter(text__dataset=dataset)
        counts = dict(predictions.values_list("classifier").annotate(n=Count("pk")).order_by())
        found = counts, accuracies_of(dataset)
        if total > LARGE:
            cache.set(key, found, COUNTED_SECONDS)
    return found


def _mismatch(labels: Sequence[str], classifier: Classifier) -> str:
    return "" if classifier.problem_type == NUMBER else mismatch(labels, classifier.label_names)


def dataset_rows(classifier: Classifier) -> list[Judged]:
    """The datasets that this classifier has predicted, in part or wholly."""
    counts = dict(
        Prediction.objects.filter(classifier=classifier).values_list("text__dataset").annotate(n=Count("pk")).order_by()
    )
    right = accuracies_by_dataset(classifier)
    datasets = Dataset.objects.filter(pk__in=counts).annotate(n=Count("texts"))
    return [Judged(row, classifier, counts[row.pk], row.n, right.get(row.pk, NONE)) for row in datasets]


def running(dataset: Dataset) -> list[Running]:
    """Predictions that are under way."""
    runs = Run.objects.filter(dataset=dataset, kind=Run.Kind.PREDICT, state=Run.State.RUNNING)
    return [Running(run, progress(run)) for run in runs.select_related("classifier")]


def failures(dataset: Dataset) -> QuerySet[Failure]:
    """Texts that could not be predicted, and still are not."""
    tried = Failure.objects.filter(run__dataset=dataset, run__kind=Run.Kind.PREDICT)
    still = tried.exclude(text__predictions__classifier=F("run__classifier"))
    return still.select_related("text", "run__classifier").order_by("-pk")[:SHOWN_FAILURES]
