"""Which texts imported maps leave to choose from: computed methods explain any text, imported ones only theirs."""

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import CharField, Count, F, Func, QuerySet

from catalogue.imported import PREFIX, imported_label, is_imported
from catalogue.methods import Method
from materials.models import Classifier, Dataset, Explanation
from materials.resolving import resolve_all

EXPLAINED_LABEL = Func(
    F("classifier__label_names"),
    F("target"),
    template="(%(expressions)s)",
    arg_joiner=" ->> ",
    output_field=CharField(),
)


def offered(dataset: Dataset, classifier: Classifier) -> list[Method]:
    """The imported methods with a map of these texts under this classifier, each told how many."""
    maps = Explanation.objects.filter(text__dataset=dataset, classifier=classifier, method__startswith=PREFIX)
    counts = dict(maps.values_list("method").annotate(n=Count("text", distinct=True)).order_by("method"))
    total = dataset.n_texts()
    return [
        replace(method, description=f"{method.description[:-1]}: of {counts[name]:,} of the {total:,} texts.")
        for name, method in resolve_all(counts, dataset.team).items()
    ]


def covered(dataset: Dataset, classifier: Classifier, methods: Iterable[str]) -> set[int] | None:
    """Texts whose predicted label every imported method explains; None where no method is imported."""
    found = [set(_covered(dataset, classifier, name)) for name in methods if is_imported(name)]
    return set.intersection(*found) if found else None


def _covered(dataset: Dataset, classifier: Classifier, method: str) -> QuerySet[Explanation, int]:
    maps = Explanation.objects.filter(text__dataset=dataset, classifier=classifier, method=method)
    explaining = maps.alias(explained=EXPLAINED_LABEL).filter(
        text__predictions__classifier=classifier, text__predictions__label=F("explained")
    )
    return explaining.values_list("text", flat=True)


def uncovered(dataset: Dataset, classifier: Classifier, methods: Iterable[str]) -> str:
    """A sentence for each imported method that leaves out texts; empty where none does."""
    total = dataset.n_texts()
    counts = {name: len(set(_covered(dataset, classifier, name))) for name in methods if is_imported(name)}
    return " ".join(
        f"{imported_label(name)} has maps of the predicted label for {n:,} of the {total:,} texts of {dataset} under "
        f"{classifier}; the others are not drawn."
        for name, n in counts.items()
        if n < total
    )
