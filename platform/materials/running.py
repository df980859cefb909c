"""Runs as their pages list them: how far, how long, at what cost, and with what failures."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.cache import cache
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from materials.estimating import Computing
from materials.explaining import SIZE
from materials.failing import failed_counts
from materials.models import Chunk, Explanation, Run
from materials.resolving import resolve_made

KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Row:
    run: Run
    done: int
    total: int
    failed: int

    @property
    def until(self) -> datetime:
        """Its end, or now."""
        return self.run.finished_at or timezone.now()


@dataclass(frozen=True)
class Made:
    """The maps of one method that a run has made. `seconds` are of computing, of all processes together."""

    label: str
    maps: int
    seconds: float

    @property
    def cost(self) -> Computing:
        return Computing(self.seconds)

    @property
    def price(self) -> Decimal:
        return self.cost.price


def rows_of(page: Iterable[Run]) -> list[Row]:
    """Of the runs on a page, in their order: a constant number of queries."""
    shown = [run.pk for run in page]
    runs = Run.objects.filter(pk__in=shown).select_related("dataset", "classifier", "started_by").order_by("-pk")
    failed = failed_counts(Run.objects.filter(pk__in=shown))
    return [Row(run, run.n_done, run.n_texts, failed.get(run.pk, 0)) for run in _summed(runs)]  # type: ignore[attr-defined]


def _summed(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Each with `n_texts` and `n_done`."""
    chunks = Chunk.objects.filter(run=OuterRef("pk")).order_by().values("run")
    return runs.annotate(n_texts=_sum(chunks), n_done=_sum(chunks.filter(state=Chunk.State.DONE)))


def _sum(chunks: QuerySet[Any]) -> Coalesce:
    return Coalesce(Subquery(chunks.annotate(n=Sum(SIZE)).values("n"), output_field=IntegerField()), 0)


def made_by(run: Run) -> list[Made]:
    """By method. Maps do not say which run made them: those of its time are its own, as nearly as can be told."""
    if run.kind != Run.Kind.EXPLAIN:
        return []
    key = f"made:{run.pk}:{run.state}"
    found: list[Made] | None = cache.get(key)
    if found is None:
        found = _made(run)
        if run.state == Run.State.DONE:
            cache.set(key, found, KEPT_SECONDS)
    return found


def _made(run: Run) -> list[Made]:
    ours = Explanation.objects.filter(
        classifier=run.classifier,
        text__dataset=run.dataset,
        method__in=[asked["method"] for asked in run.methods],
        created_at__range=(run.created_at, run.finished_at or timezone.now()),
    )
    rows = ours.values_list("method").annotate(n=Count("pk"), seconds=Sum("seconds")).order_by("method")
    found = list(rows)
    methods = resolve_made([method for method, _, _ in found], run.dataset.team)
    return [Made(methods[method].label, n, seconds) for method, n, seconds in found]
