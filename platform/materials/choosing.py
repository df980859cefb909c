"""For commands: the dataset and the classifier that somebody names, or what there is to name."""

from collections.abc import Iterable

from django.db.models import Q

from accounts.models import Team
from materials.models import Classifier, Dataset


class ChoiceError(Exception):
    """Nothing is called so: names what is."""


def choose_dataset(team: Team, name: str) -> Dataset:
    """By its name, or its slug."""
    found = Dataset.objects.filter(Q(name=name) | Q(slug=name), team=team).order_by("pk").first()
    if found is None:
        known = named(team.datasets.order_by("name").values_list("name", flat=True)[:20], "import texts first")
        raise ChoiceError(f"{team} has no dataset called {name!r}: {known}.")
    return found


def choose_classifier(team: Team, slug: str) -> Classifier | None:
    """A ready one, by its slug; None where no slug is given."""
    if not slug:
        return None
    ready = Classifier.objects.filter(team=team, state=Classifier.State.READY)
    found = ready.filter(slug=slug).first()
    if found is None:
        known = named(ready.order_by("slug").values_list("slug", flat=True), "add one on the page of classifiers")
        raise ChoiceError(f"No ready classifier is called {slug!r}: {known}.")
    return found


def named(names: Iterable[str], otherwise: str) -> str:
    known = ", ".join(names)
    return f"there are {known}" if known else f"there is none yet; {otherwise}"
