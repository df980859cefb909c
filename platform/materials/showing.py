"""One text with what a classifier makes of it and all its explanations: a constant number of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet

from catalogue.imported import is_imported
from catalogue.methods import METHODS
from materials.models import Classifier, Explanation, Prediction, Text
from materials.picturing import HeatMap, Picture, about, chances, label_of, settings_of
from materials.resolving import resolve_made


@dataclass(frozen=True)
class Shown:
    """`classifiers` have explained or predicted the text; `targets` are the labels that are explained."""

    text: Text
    classifiers: Sequence[Classifier]
    classifier: Classifier | None
    targets: Sequence[str]
    target: str
    picture: Picture


def show(text: Text, classifier_slug: str, target: str) -> Shown:
    """By the classifier and label asked for, else by the newest with explanations and its prediction."""
    classifiers = list(_classifiers(text))
    chosen = next((one for one in classifiers if one.slug == classifier_slug), next(iter(classifiers), None))
    prediction = Prediction.objects.filter(text=text, classifier=chosen).first()
    rows = list(Explanation.objects.filter(text=text, classifier=chosen))
    names = chosen.label_names if chosen else []
    targets = [label_of(names, index) for index in sorted({row.target for row in rows})]
    predicted = prediction.label if prediction else ""
    shown = next((one for one in (target, predicted, *targets) if one in targets), "")
    maps = _heat_maps([row for row in rows if label_of(names, row.target) == shown], text, names)
    return Shown(text, classifiers, chosen, targets, shown, _picture(text, names, prediction, maps))


def _classifiers(text: Text) -> QuerySet[Classifier]:
    """Those with explanations first."""
    explained = Explanation.objects.filter(text=text, classifier=OuterRef("pk"))
    predicted = Prediction.objects.filter(text=text, classifier=OuterRef("pk"))
    known = Classifier.objects.annotate(explained=Exists(explained)).filter(Exists(explained) | Exists(predicted))
    return known.filter(team=text.dataset.team_id).order_by("-explained", "-created_at")


def _picture(text: Text, names: Sequence[str], prediction: Prediction | None, maps: Sequence[HeatMap]) -> Picture:
    values = prediction.probabilities if prediction else []
    predicted = prediction.label if prediction else ""
    # Labels that are not known by name, such as all words of a language model, are not listed.
    known = chances(names, values, predicted, text.label) if len(names) == len(values) else []
    language = text.language or text.dataset.language
    return Picture(text.key, text.content, language, text.label, predicted, known, maps, text.rationale or ())


def _heat_maps(rows: Sequence[Explanation], text: Text, names: Sequence[str]) -> list[HeatMap]:
    """In the catalogue's order, imported ones last."""
    methods = resolve_made([row.method for row in rows], text.dataset.team)
    order = {name: place for place, name in enumerate(METHODS)}
    rows = sorted(rows, key=lambda row: (order.get(row.method, len(order)), row.method, row.pk))
    return [
        HeatMap(
            key=str(row.pk),
            label=methods[row.method].label,
            settings=settings_of(methods[row.method], row.params),
            signed=methods[row.method].signed_with(row.params),
            target=label_of(names, row.target),
            content=text.content,
            starts=row.starts,
            ends=row.ends,
            scores=row.scores,
            special=[(piece, score) for piece, score in row.special],
            completeness_error=row.completeness_error,
            seconds=row.seconds,
            about=about(methods[row.method]),
            imported=is_imported(row.method),
        )
        for row in rows
    ]


def with_map_counts(texts: Iterable[Text]) -> list[tuple[Text, int]]:
    texts = list(texts)
    maps = Explanation.objects.filter(text__in=texts).values_list("text").annotate(n=Count("pk")).order_by()
    counts = dict(maps)
    return [(text, counts.get(text.pk, 0)) for text in texts]


def neighbours(text: Text, classifier: Classifier | None) -> tuple[Text | None, Text | None]:
    """The texts before and after, among those that the classifier has explained where it has explained this one."""
    explained = Explanation.objects.filter(classifier=classifier, text=OuterRef("pk"))
    texts = Text.objects.filter(dataset=text.dataset_id)
    if classifier and Explanation.objects.filter(classifier=classifier, text=text).exists():
        texts = texts.filter(Exists(explained))
    before = texts.filter(pk__lt=text.pk).order_by("-pk").first()
    return before, texts.filter(pk__gt=text.pk).order_by("pk").first()
