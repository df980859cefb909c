"""What the page of a dataset's saliency maps lists: one query for all maps, and one for what was imported."""

from dataclasses import dataclass

from django.db.models import Count

from catalogue.imported import is_imported
from catalogue.methods import METHODS, Method
from materials.models import Dataset, Explanation
from materials.resolving import resolve_all


@dataclass(frozen=True)
class Shelf:
    """The maps of one method and classifier, with whatever parameters and targets."""

    name: str
    method: Method | None
    classifier: str
    n: int

    @property
    def label(self) -> str:
        return self.method.label if self.method else self.name

    @property
    def imported(self) -> bool:
        return is_imported(self.name)


def shelves(dataset: Dataset) -> list[Shelf]:
    """Computed ones in the catalogue's order, and then the imported ones."""
    maps = Explanation.objects.filter(text__dataset=dataset).values_list("classifier__name", "method")
    counts = list(maps.annotate(n=Count("pk")).order_by("classifier__name", "method"))
    names = [name for _, name, _ in counts if is_imported(name) or name in METHODS]
    methods = resolve_all(names, dataset.team)
    places = {name: at for at, name in enumerate(METHODS)}
    found = [Shelf(name, methods.get(name), classifier, n) for classifier, name, n in counts]
    return sorted(found, key=lambda shelf: (shelf.classifier, shelf.imported, places.get(shelf.name, len(places))))
