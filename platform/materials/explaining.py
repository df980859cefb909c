"""Ask worker processes for predictions and explanations, by task name: this side has neither torch nor models."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Func, IntegerField, QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone

from accounts.models import User
from catalogue.imported import is_imported
from catalogue.methods import METHODS
from catalogue.parameters import complete_params
from materials.enqueuing import enqueue
from materials.models import Chunk, Classifier, Dataset, Run, Text

TASKS = {Run.Kind.PREDICT: "workers.predict_chunk", Run.Kind.EXPLAIN: "workers.explain_chunk"}
# A chunk is what a killed worker loses, and what progress counts in: small for the slow kind.
MOST_TEXTS = {Run.Kind.PREDICT: 512, Run.Kind.EXPLAIN: 16}
CHUNK_TOKENS = {Run.Kind.PREDICT: 32_768, Run.Kind.EXPLAIN: 4096}
CHARACTERS_PER_TOKEN = 4
# The speed is measured over this many of the latest chunks, so that a pause long ago does not count.
RECENT = 16

SIZE = Func(F("text_ids"), function="cardinality", output_field=IntegerField())

Asked = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Progress:
    """Counts of texts; `seconds_left` is None until a chunk is done."""

    state: str
    total: int
    done: int
    failed: int
    seconds_left: float | None

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100

    @property
    def time_left(self) -> str:
        seconds = self.seconds_left or 0
        return f"about {max(1, round(seconds / 60))} min" if seconds >= 50 else f"about {max(1, round(seconds))} s"


def evaluate(dataset: Dataset, classifier: Classifier, user: User | None) -> Run:
    """Predict every text that has no prediction yet. A run that is under way is given back, not doubled."""
    with transaction.atomic():
        Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
        running = Run.objects.filter(
            dataset=dataset, classifier=classifier, kind=Run.Kind.PREDICT, state=Run.State.RUNNING
        )
        missing = dataset.texts.exclude(predictions__classifier=classifier)
        return running.first() or _start(dataset, classifier, Run.Kind.PREDICT, user, missing)


def explain(
    texts: QuerySet[Text], dataset: Dataset, classifier: Classifier, methods: Asked, metrics: Asked, user: User | None
) -> Run:
    """Explain the texts by all methods and score the explanations; what is there already is skipped by the tasks.

    `methods` and `metrics` map names to the parameters that differ from the catalogue's; for imported methods to all.
    """
    with transaction.atomic():
        return _start(
            dataset,
            classifier,
            Run.Kind.EXPLAIN,
            user,
            texts,
            methods=[{"method": name, "params": full_params(name, params)} for name, params in methods.items()],
            metrics=[{"metric": name, "params": dict(params)} for name, params in metrics.items()],
        )


def start_again(run: Run, texts: QuerySet[Text], user: User | None) -> Run:
    """What the run computes, of these texts alone."""
    return _start(
        run.dataset, run.classifier, Run.Kind(run.kind), user, texts, methods=run.methods, metrics=run.metrics
    )


def full_params(method: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What `Explanation.params` holds for this method; of imported maps nothing is known but what is given."""
    if is_imported(method):
        return dict(given or {})
    return complete_params(method, METHODS[method].parameters, given or {})


def resume(run: Run) -> None:
    """Ask again for all that is not done: after a cancel, or where a queue was lost. Tasks that are done do nothing."""
    with transaction.atomic():
        locked = Run.objects.select_for_update().get(pk=run.pk)
        if locked.state != Run.State.DONE:
            Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING, finished_at=None)
            _enqueue(locked)
    run.refresh_from_db()


def cancel(run: Run) -> None:
    """Chunks that wait will do nothing; what is computed stays."""
    running = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING)
    running.update(state=Run.State.CANCELLED, finished_at=timezone.now())
    run.refresh_from_db()


def progress(run: Run) -> Progress:
    total = run.chunks.aggregate(n=Sum(SIZE, default=0))["n"]
    done = run.chunks.filter(state=Chunk.State.DONE).aggregate(n=Sum(SIZE, default=0))["n"]
    failed = run.failures.values("text").distinct().count()
    return Progress(run.state, total, done, failed, _seconds_left(run, total - done))


def _seconds_left(run: Run, left: int) -> float | None:
    finished = run.chunks.filter(finished_at__isnull=False).order_by("-finished_at")
    latest: list[tuple[Any, int]] = list(finished.annotate(n=SIZE).values_list("finished_at", "n")[:RECENT])
    if not latest:
        return None
    # The oldest of many chunks only marks the time; of few, the start of the run does.
    since, counted = (latest[-1][0], latest[:-1]) if len(latest) == RECENT else (run.created_at, latest)
    texts = sum(n for _, n in counted)
    return float((latest[0][0] - since).total_seconds() / texts * left)


def _start(
    dataset: Dataset,
    classifier: Classifier,
    kind: Run.Kind,
    user: User | None,
    texts: QuerySet[Text],
    **asked: list[dict[str, Any]],
) -> Run:
    run = Run.objects.create(dataset=dataset, classifier=classifier, kind=kind, started_by=user, **asked)
    sized = texts.order_by(Length("content"), "pk").values_list("pk", Length("content"))
    parts = chunked(sized.iterator(), CHUNK_TOKENS[kind], MOST_TEXTS[kind])
    Chunk.objects.bulk_create(
        [Chunk(run=run, number=number, text_ids=ids) for number, ids in enumerate(parts, start=1)], batch_size=500
    )
    if not run.chunks.exists():
        Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())
        run.refresh_from_db()
    _enqueue(run)
    return run


def chunked(sized: Iterable[tuple[int, int]], budget: int, most: int) -> Iterator[list[int]]:
    """Ids in runs of at most `most`, and of about `budget` tokens; `sized` has each id with its characters."""
    part: list[int] = []
    spent = 0
    for pk, characters in sized:
        tokens = 2 + characters // CHARACTERS_PER_TOKEN
        if part and (spent + tokens > budget or len(part) == most):
            yield part
            part, spent = [], 0
        part.append(pk)
        spent += tokens
    if part:
        yield part


def _enqueue(run: Run) -> None:
    pending = list(run.chunks.filter(state=Chunk.State.PENDING).values_list("pk", flat=True))
    transaction.on_commit(lambda: _send(run, pending))


def _send(run: Run, pending: Sequence[int]) -> None:
    """Without a queue the run stands as cancelled: nobody is at it, and it can be resumed."""
    if not enqueue(TASKS[Run.Kind(run.kind)], pending):
        cancel(run)
