"""The texts of a dataset as its page lists them: a constant number of queries, quick at hundreds of thousands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Trim

from materials.finding import texts_like
from materials.models import Classifier, Dataset, Prediction, Text, TextCount
from materials.showing import with_map_counts

ON_A_PAGE = 50
EXCERPT = 240
# Filtered texts are counted up to here: nobody pages further, and a count of all would take as long as reading them.
MOST_COUNTED = 2_500
RIGHT, WRONG, MISSING = "right", "wrong", "missing"
MARKED, UNMARKED = "marked", "unmarked"


@dataclass(frozen=True)
class Piece:
    """A run of an excerpt's characters; `why` where people marked them as the reason of the label."""

    content: str
    why: bool


@dataclass(frozen=True)
class Line:
    text: Text
    pieces: Sequence[Piece]
    maps: int
    language: str


class TextFilters(forms.Form):
    q = forms.CharField(label="In the text", max_length=200, required=False, widget=forms.SearchInput)
    label = forms.ChoiceField(required=False)
    language = forms.ChoiceField(required=False)
    rationale = forms.ChoiceField(
        choices=[("", "Any"), (MARKED, "With a rationale"), (UNMARKED, "Without")], required=False
    )
    prediction = forms.ChoiceField(required=False)

    def __init__(
        self,
        data: Mapping[str, Any],
        labels: Sequence[str],
        languages: Sequence[str],
        classifiers: Mapping[Classifier, bool],
    ) -> None:
        """`classifiers` that have predicted some of the texts, and whether they have predicted all."""
        super().__init__(data)
        self._offer("label", [(label, label) for label in labels if label], len(labels) > 1)
        self._offer("language", [(tag, tag) for tag in languages if tag], len(languages) > 1)
        outcomes = ((RIGHT, "right"), (WRONG, "wrong"), (MISSING, "not predicted"))
        pairs = [(f"{one.slug}:{key}", f"{one.name}: {words}") for one in classifiers for key, words in outcomes]
        self._offer("prediction", pairs, bool(classifiers))
        self.classifiers = {one.slug: one for one in classifiers}
        self.finished = {one.slug for one, whole in classifiers.items() if whole}

    def _offer(self, name: str, choices: list[tuple[str, str]], useful: bool) -> None:
        """What offers no choice is no field."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "Any"), *choices]
        if not useful:
            del self.fields[name]

    def narrow(self, texts: QuerySet[Text]) -> QuerySet[Text]:
        """What makes no sense filters nothing."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if value}
        texts = texts.filter(**{name: given[name] for name in ("label", "language") if name in given})
        if "rationale" in given:
            texts = texts.filter(rationale__isnull=given["rationale"] == UNMARKED)
        if "prediction" in given:
            slug, outcome = given["prediction"].rsplit(":", 1)
            # Among hundreds of thousands it takes long to find none.
            missed = outcome == MISSING and slug in self.finished
            texts = texts.none() if missed else texts.filter(predicted_as(self.classifiers[slug], outcome))
        return texts_like(texts, given["q"]) if "q" in given else texts


def predicted_as(classifier: Classifier, outcome: str) -> Q:
    """Right and wrong as accuracies have it: of texts with a label, capitals aside."""
    made = Prediction.objects.filter(classifier=classifier, text=OuterRef("pk"))
    if outcome == MISSING:
        return ~Q(Exists(made))
    same = made.annotate(gold=Trim(OuterRef("label"))).filter(label__iexact=F("gold"))
    right = Q(Exists(same))
    return ~Q(label="") & (right if outcome == RIGHT else Q(Exists(made)) & ~right)


def browse(dataset: Dataset, form: TextFilters, counts: Mapping[str, int], page: str | None) -> dict[str, Any]:
    """`counts` are the dataset's texts by label, which tell how many there are without counting them again."""
    texts = form.narrow(dataset.texts.order_by("pk"))
    asked = set(form.changed_data)
    pages = Paginator(texts, ON_A_PAGE)
    if asked <= {"label"}:
        wanted = form.cleaned_data.get("label", "")
        pages.count = counts.get(wanted, 0) if wanted else sum(counts.values())
    else:
        pages.count = texts.order_by()[: MOST_COUNTED + 1].count()
    found = pages.get_page(page)
    return {"page": found, "lines": _lines(dataset, found), "found": _found(pages.count, asked)}


def _found(count: int, asked: set[str]) -> str:
    if not asked:
        return ""
    return f"More than {MOST_COUNTED:,} texts" if count > MOST_COUNTED else f"{count:,} text{'' if count == 1 else 's'}"


def _lines(dataset: Dataset, page: Page[Text]) -> list[Line]:
    return [
        Line(text, list(pieces_of(text)), maps, text.language or dataset.language)
        for text, maps in with_map_counts(page)
    ]


def pieces_of(text: Text) -> Iterator[Piece]:
    """The first characters, cut where a rationale begins and ends."""
    shown = text.content[:EXCERPT]
    marked = [(start, min(end, len(shown))) for start, end, *weight in text.rationale or () if weight != [0]]
    spans = [(start, end) for start, end in marked if start < end]
    cuts = sorted({0, len(shown), *(at for span in spans for at in span)})
    for start, end in pairwise(cuts):
        yield Piece(shown[start:end], any(first <= start < last for first, last in spans))
    if len(text.content) > EXCERPT:
        yield Piece("…", False)


def languages_of(dataset: Dataset) -> list[str]:
    return list(_known(dataset, "language"))


def label_counts(dataset: Dataset) -> dict[str, int]:
    return _known(dataset, "label")


def _known(dataset: Dataset, column: str) -> dict[str, int]:
    return dict(dataset.text_counts.values_list(column).annotate(all=Sum("n")).filter(all__gt=0).order_by(column))


def text_counts(datasets: QuerySet[Dataset]) -> dict[int, int]:
    """By dataset."""
    rows = TextCount.objects.filter(dataset__in=datasets.order_by().values("pk"))
    return dict(rows.values_list("dataset").annotate(all=Sum("n")))
