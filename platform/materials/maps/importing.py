"""Saliency maps of a file into a dataset: every row is checked first, and all is written or nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, islice

from django.db import transaction

from accounts.models import Team
from catalogue.imported import PREFIX, imported_label
from materials.characters import UNSTORABLE
from materials.checking import Rejection
from materials.choosing import named
from materials.importing import Outcome
from materials.maps import staging
from materials.maps.checking import Asked, Checked, Explained, Known, MapError, check, rejected
from materials.maps.reading import Row
from materials.models import Classifier, Dataset, ImportedMethod, Prediction

BATCH = 200
# A file of more methods most likely has a params or source that is another in every row.
MOST_METHODS = 50


class MapsError(Exception):
    """Why maps cannot be imported at all, and what to do."""


class UnnamedClassifier(MapsError):
    """There are several, and neither the file nor anybody says which one is explained."""


@dataclass
class MapsOutcome(Outcome):
    """`known` rows are there already, bit for bit; `methods` are the names of the arms that the rows belong to."""

    known: int = 0
    methods: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = f"Maps: {self.taken:,} taken, {self.known:,} there already, {self.rejected:,} rejected."
        return f"{counts} Methods: {', '.join(self.labels)}." if self.written else counts

    @property
    def labels(self) -> list[str]:
        return [imported_label(name) for name in self.methods]


def import_maps(
    dataset: Dataset,
    rows: Iterable[Row],
    classifier: Classifier | None,
    asked: Asked,
    accept_rest: bool = False,
    on_rejected: Callable[[Rejection], None] = lambda rejection: None,
) -> MapsOutcome:
    """Write the good rows, if there are no others or `accept_rest` is set. FileError or MapsError for the file itself.

    Without a `classifier`, each row names its own by its slug (UnnamedClassifier where the first one does not), or
    there is only one. The same maps again change
    nothing. Memory does not grow with the file.
    """
    outcome = MapsOutcome()
    classifiers = _classifiers(dataset.team, classifier)
    rows = _checked_first(rows, classifiers)
    with transaction.atomic():
        # Methods are named a team at a time.
        Team.objects.select_for_update(no_key=True).get(pk=dataset.team_id)
        staging.create()
        iterator = iter(rows)
        while batch := list(islice(iterator, BATCH)):
            staging.copy(_check_batch(batch, dataset, classifiers, asked))
        outcome.methods = list(_name_methods(dataset.team))
        staging.find_doubles()
        for rejection in staging.rejections():
            outcome.reject(rejection)
            on_rejected(rejection)
        outcome.taken, outcome.known = staging.count()
        outcome.written = not outcome.rejected or (accept_rest and outcome.taken + outcome.known > 0)
        if outcome.written:
            staging.write()
        staging.drop()
        transaction.set_rollback(not outcome.written)
    return outcome


def _classifiers(team: Team, chosen: Classifier | None) -> dict[str, Explained]:
    """By slug; under the empty one that of rows which name none, or whatever they name."""
    if chosen:
        return {"": _explained(chosen)}
    ready = {row.slug: _explained(row) for row in Classifier.objects.filter(team=team, state=Classifier.State.READY)}
    if not ready:
        raise MapsError("No classifier is ready: add the one that the maps explain first.")
    return ready | ({"": next(iter(ready.values()))} if len(ready) == 1 else {})


def _checked_first(rows: Iterable[Row], classifiers: Mapping[str, Explained]) -> Iterator[Row]:
    """The rows again. What they all most likely lack is told once."""
    iterator = iter(rows)
    first = next(iterator, None)
    if first and "" not in classifiers and "classifier" not in first.values:
        raise UnnamedClassifier(
            "Nothing says which classifier the maps explain: choose it (--classifier SLUG), or add a column "
            f"classifier; {named(sorted(classifiers), '')}."
        )
    return chain([first] if first else [], iterator)


def _explained(row: Classifier) -> Explained:
    return Explained(row.pk, row.name, row.label_names)


def _check_batch(
    rows: list[Row], dataset: Dataset, classifiers: Mapping[str, Explained], asked: Asked
) -> Iterator[Checked]:
    finder = _Finder(rows, dataset, classifiers)
    for row in rows:
        try:
            if row.problem:
                raise MapError("", row.problem)
            classifier = finder.classifier(row)
            known = finder.text(row, classifier)
        except MapError as error:
            yield rejected(row, error)
        else:
            yield check(row, known, classifier, asked)


class _Finder:
    """The texts, classifiers and predictions of a batch of rows, in three queries."""

    def __init__(self, rows: list[Row], dataset: Dataset, classifiers: Mapping[str, Explained]) -> None:
        self.dataset, self.classifiers = dataset, classifiers
        keys = {str(row.values["text_id"]) for row in rows if "text_id" in row.values and "text" not in row.values}
        hashes = {_hash(row.values["text"]) for row in rows if "text" in row.values}
        by_key = dataset.texts.filter(key__in=[key for key in keys if not UNSTORABLE.search(key)])
        self.by_key = {text.key: text for text in by_key}
        self.by_hash = {text.content_hash: text for text in dataset.texts.filter(content_hash__in=hashes)}
        texts = [*self.by_key.values(), *self.by_hash.values()]
        predicted = Prediction.objects.filter(text__in=texts, classifier__in=[one.pk for one in classifiers.values()])
        self.predicted = {(one.classifier_id, one.text_id): one.label for one in predicted}

    def classifier(self, row: Row) -> Explained:
        """The one chosen for all rows, or the row's own."""
        own = row.values.get("classifier", "") if len(self.classifiers) > 1 else ""
        if not isinstance(own, str) or own not in self.classifiers:
            raise MapError(
                "classifier",
                f"is {own!r}: say which one the maps explain (--classifier SLUG); "
                f"{named(filter(None, self.classifiers), '')}",
            )
        return self.classifiers[own]

    def text(self, row: Row, classifier: Explained) -> Known:
        """By its content where that is given, or else by its id."""
        if "text" in row.values:
            text = self.by_hash.get(_hash(row.values["text"]))
            problem = f"is not among the texts of {self.dataset}, character for character"
        else:
            text = self.by_key.get(str(row.values.get("text_id", "")))
            problem = f"{row.values.get('text_id', '')!r} is the id of no text of {self.dataset}"
        if text is None:
            raise MapError("text" if "text" in row.values else "text_id", problem)
        language = text.language or self.dataset.language
        return Known(text.pk, text.content, language, self.predicted.get((classifier.pk, text.pk), ""))


def _hash(content: object) -> str:
    return sha256(str(content).encode(errors="replace")).hexdigest()


def _name_methods(team: Team) -> Iterator[str]:
    """Give every method of the file its name, making those that the team has not got."""
    found = staging.methods(MOST_METHODS + 1)
    if len(found) > MOST_METHODS:
        raise MapsError(
            f"The file makes more than {MOST_METHODS} methods: is params or source another in every row? What differs "
            "from row to row belongs into seed, seconds or versions."
        )
    for one in found:
        if one.any_signed != one.all_signed:
            raise MapsError(f"{one.title} is signed in some rows and unsigned in others: give it two names.")
        method = _find_or_make(team, one)
        if method.signed != one.any_signed:
            was, now = ("signed", "unsigned") if method.signed else ("unsigned", "signed")
            raise MapsError(
                f"{one.title} was imported as {was} before and would be {now} now: import it as before, or under "
                "another method name."
            )
        staging.name(one, method.name)
        yield method.name


def _find_or_make(team: Team, found: staging.Found) -> ImportedMethod:
    same = ImportedMethod.objects.filter(team=team, title=found.title, params=found.params, source=found.source)
    return same.first() or ImportedMethod.objects.create(
        team=team,
        name=_free_name(team, found.title),
        title=found.title,
        params=found.params,
        source=found.source,
        signed=found.any_signed,
    )


def _free_name(team: Team, title: str) -> str:
    """imported:TITLE, or with the first number that is free."""
    taken = set(team.imported_methods.filter(name__startswith=PREFIX + title).values_list("name", flat=True))
    name, number = PREFIX + title, 2
    while name in taken:
        name, number = f"{PREFIX}{title} {number}", number + 1
    return name
