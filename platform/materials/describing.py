"""What the pages of datasets and classifiers say: a constant number of queries, whatever their size."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet, Sum

from materials.agreeing import NUMBER, Accuracy, accuracies_by_dataset, accuracies_of, mismatch
from materials.browsing import text_counts
from materials.explaining import Progress, progress
from materials.models import Classifier, Dataset, Failure, PredictionCount, Run

NONE = Accuracy(0, 0)
SHOWN_FAILURES = 5


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
    counts, right = _predicted("classifier", dataset=dataset), accuracies_of(dataset)
    return [
        Judged(dataset, row, counts.get(row.pk, 0), total, right.get(row.pk, NONE), _mismatch(labels, row))
        for row in ready
    ]


def _predicted(by: str, **which: object) -> dict[int, int]:
    """How many texts, by classifier or by dataset."""
    rows = PredictionCount.objects.filter(**which).values_list(by).annotate(all=Sum("n"))
    return dict(rows.filter(all__gt=0))


def _mismatch(labels: Sequence[str], classifier: Classifier) -> str:
    return "" if classifier.problem_type == NUMBER else mismatch(labels, classifier.label_names)


def dataset_rows(classifier: Classifier) -> list[Judged]:
    """The datasets that this classifier has predicted, in part or wholly."""
    counts = _predicted("dataset", classifier=classifier)
    right, datasets = accuracies_by_dataset(classifier), Dataset.objects.filter(pk__in=counts)
    texts = text_counts(datasets)
    return [Judged(row, classifier, counts[row.pk], texts[row.pk], right.get(row.pk, NONE)) for row in datasets]


def running(dataset: Dataset) -> list[Running]:
    """Predictions that are under way."""
    runs = Run.objects.filter(dataset=dataset, kind=Run.Kind.PREDICT, state=Run.State.RUNNING)
    return [Running(run, progress(run)) for run in runs.select_related("classifier")]


def failures(dataset: Dataset) -> QuerySet[Failure]:
    """Texts that could not be predicted, and still are not."""
    tried = Failure.objects.filter(run__dataset=dataset, run__kind=Run.Kind.PREDICT)
    still = tried.exclude(text__predictions__classifier=F("run__classifier"))
    return still.select_related("text", "run__classifier").order_by("-pk")[:SHOWN_FAILURES]
