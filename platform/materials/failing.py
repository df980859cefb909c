"""Texts that could not be predicted or explained: which still cannot, why, and another try for them alone."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.auditing import Act, record
from accounts.models import User
from materials import explaining
from materials.models import Explanation, Failure, Prediction, Run, Text


class NothingFailed(Exception):
    """All that failed has been made since then."""


def still_failing(failures: QuerySet[Failure]) -> QuerySet[Failure]:
    """Without those whose prediction or map has been made since then."""
    ours = {"text": OuterRef("text"), "classifier": OuterRef("run__classifier")}
    made = Explanation.objects.filter(**ours, created_at__gte=OuterRef("run__created_at"))
    by_method = made.filter(method=OuterRef("method"))
    explain = Q(run__kind=Run.Kind.EXPLAIN)
    return failures.filter(
        Q(run__kind=Run.Kind.PREDICT) & ~Exists(Prediction.objects.filter(**ours))
        | explain & Q(method="") & ~Exists(made)
        | explain & ~Q(method="") & ~Exists(by_method)
    )


def failed_counts(runs: QuerySet[Run]) -> Mapping[int, int]:
    """Texts that still fail, by run; runs without any are not in it."""
    failing = still_failing(Failure.objects.filter(run__in=runs))
    return dict(failing.values_list("run").annotate(n=Count("text", distinct=True)).order_by())


def failures_of(run: Run) -> QuerySet[Failure]:
    return still_failing(run.failures.all()).select_related("text").order_by("text", "method")


def retry(run: Run, user: User) -> Run:
    """A new run over the texts that still fail, by the same methods and metrics. What is made already is skipped."""
    with transaction.atomic():
        # A second click waits here, and finds the first one's run.
        locked = Run.objects.select_for_update(no_key=True).get(pk=run.pk)
        texts = Text.objects.filter(pk__in=failures_of(locked).values("text"))
        if not texts.exists():
            raise NothingFailed
        again: dict[str, Any] = {"dataset": run.dataset, "classifier": run.classifier, "kind": run.kind}
        under_way = Run.objects.filter(**again, methods=run.methods, state=Run.State.RUNNING, pk__gt=run.pk)
        found = under_way.first() or explaining.start_again(locked, texts, user)
        record(user, run.dataset.team, Act.RETRIED, run.dataset, run=run.pk)
        return found
