"""The passport of a classifier's methods on a dataset, and its figures: made anew only when there is more to say."""

from dataclasses import dataclass
from datetime import datetime
from zlib import crc32

from django.core.cache import cache
from django.db.models import Count, Max
from django.utils import timezone

from catalogue.answering import RECORDED, known_answers
from materials.models import Chunk, Classifier, Dataset, Explanation
from materials.passport.composing import Section, compose
from materials.passport.likening import liken
from materials.passport.loading import load
from reports.passport_charts import draw_passport

CACHED_SECONDS = 24 * 3600
# Raised when the passport's shape changes, so that no page shows one of the old shape.
SHAPE = 3


@dataclass(frozen=True)
class MadePassport:
    key: str
    passport: Section
    made_at: datetime


def passport_of(classifier: Classifier, dataset: Dataset) -> MadePassport:
    key = f"passport:{SHAPE}:{classifier.pk}:{dataset.pk}:{_state(classifier, dataset)}"
    made: MadePassport | None = cache.get(key)
    if made is None:
        evidence = load(classifier, dataset)
        made = MadePassport(key, compose(evidence, liken(evidence), known_answers()), timezone.now())
        cache.set(key, made, CACHED_SECONDS)
    return made


def figures_of(made: MadePassport) -> dict[str, str]:
    """SVG by figure name. Drawing takes seconds where methods and metrics are many, so that the page does not wait."""
    figures: dict[str, str] | None = cache.get(f"{made.key}:figures")
    if figures is None:
        figures = draw_passport(made.passport)
        cache.set(f"{made.key}:figures", figures, CACHED_SECONDS)
    return figures


def of_method(passport: Section, name: str) -> Section | None:
    """That of the one method alone, with every setting that it has."""
    methods = [one for one in passport["methods"] if one["method"] == name]
    return {part: passport[part] for part in ("meta", "metrics")} | {"methods": methods} if methods else None


def dataset_of(classifier: Classifier, slug: str) -> Dataset | None:
    """The one asked for, else the one whose texts this classifier explained last, else the team's newest."""
    datasets = Dataset.objects.filter(team=classifier.team_id)
    if slug:
        # Postgres refuses a NUL in what it is asked for, and an address may hold one.
        return datasets.filter(slug=slug.replace("\0", "\ufffd")).first()
    latest = Explanation.objects.filter(classifier=classifier).order_by("-pk").values("text__dataset")[:1]
    return datasets.filter(pk__in=latest).first() or datasets.first()


def _state(classifier: Classifier, dataset: Dataset) -> str:
    """What changes when a map, a metric, a label's name or a known answer does. Metrics are written by chunks alone."""
    maps = Explanation.objects.filter(text__dataset=dataset).aggregate(newest=Max("pk"), n=Count("pk"))
    chunks = Chunk.objects.filter(run__dataset=dataset).aggregate(last=Max("finished_at"))
    recorded = RECORDED.stat().st_mtime_ns if RECORDED.exists() else 0
    names = crc32("/".join(classifier.label_names).encode())
    last = chunks["last"].timestamp() if chunks["last"] else 0
    return f"{maps['newest']}:{maps['n']}:{last}:{names}:{recorded}"
