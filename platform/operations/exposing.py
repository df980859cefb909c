"""What Prometheus reads. Whatever costs something is counted here, when somebody asks, and never in a request."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from campaigns.models import Place
from judging.models import Judgment
from materials.explaining import SIZE
from materials.models import Chunk, Run
from operations import tallying
from operations.beacons import BEAT, GPU, WORKER, seen, tally
from operations.models import FailedTask
from operations.queueing import depths

KEPT_SECONDS = 10
RECENT_SECONDS = 60


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS_TOKEN:
        raise Http404
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse("The METRICS_TOKEN is needed as a bearer token.\n", status=401, content_type="text/plain")
    tallying.send()
    registry = CollectorRegistry()
    registry.register(Everything())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Everything(Collector):
    def collect(self) -> Iterator[Metric]:
        reachable = GaugeMetricFamily("peekaword_reachable", "Whether this could be asked just now", labels=["part"])
        for part, made, fault in (("redis", _of_redis, redis.RedisError), ("database", _of_database, DatabaseError)):
            try:
                yield from list(made())
                reachable.add_metric([part], 1)
            except fault:
                reachable.add_metric([part], 0)
        yield reachable


def _of_redis() -> Iterator[Metric]:
    yield _requests(tally(tallying.REQUESTS))
    tasks = CounterMetricFamily("peekaword_tasks", "Tasks that came to an end, by outcome", labels=["task", "outcome"])
    for field, count in tally(tallying.TASKS).items():
        tasks.add_metric(field.split("|"), count)
    yield tasks
    yield _gauges("queue_depth", "Tasks that wait", "queue", depths().items())
    workers = seen(WORKER)
    yield GaugeMetricFamily("peekaword_workers", "Worker processes that live", value=len(workers))
    yield GaugeMetricFamily("peekaword_running_tasks", "Tasks in workers' hands", value=_running(workers))
    yield GaugeMetricFamily("peekaword_beat_alive", "Whether recurring tasks are sent", value=bool(seen(BEAT)))
    memory = GaugeMetricFamily("peekaword_gpu_memory_bytes", "After a GPU's last task", labels=["gpu", "kind"])
    for gpu, told in seen(GPU).items():
        for kind in ("used", "total", "ours"):
            memory.add_metric([gpu, kind], told[kind])
    yield memory


def _requests(tallied: Mapping[str, int]) -> Metric:
    """Of all web processes together, whichever of them is asked."""
    family = HistogramMetricFamily("peekaword_request_seconds", "Requests", labels=["view", "method", "status"])
    counts: dict[str, dict[str, int]] = {}
    for field, count in tallied.items():
        labels, _, part = field.rpartition("|")
        counts.setdefault(labels, {})[part] = count
    for labels, parts in sorted(counts.items()):
        below, buckets = 0, []
        for number, bound in enumerate(tallying.BOUNDS):
            below += parts.get(str(number), 0)
            buckets.append(("+Inf" if bound == float("inf") else str(bound), float(below)))
        family.add_metric(labels.split("|"), buckets, parts.get("us", 0) / 1_000_000)
    return family


def _running(workers: Mapping[str, Any]) -> int:
    return sum(len(told["tasks"]) for told in workers.values())


def _of_database() -> Iterator[Metric]:
    counts = cache.get_or_set("metrics:counts", _count, KEPT_SECONDS) or {}
    yield CounterMetricFamily("peekaword_judgments", "Judgments stored", value=counts["judgments"])
    yield GaugeMetricFamily("peekaword_leases", "Items in workers' hands", value=counts["leases"])
    yield CounterMetricFamily("peekaword_explained_texts", "Texts explained, by runs", value=counts["explained"])
    yield GaugeMetricFamily(
        "peekaword_explained_texts_per_second", "Over the last minute", value=counts["explained_recently"]
    )
    yield GaugeMetricFamily("peekaword_failed_tasks", "Failed tasks that nobody sent again", value=counts["failed"])


def _count() -> dict[str, float]:
    explained = Chunk.objects.filter(run__kind=Run.Kind.EXPLAIN, state=Chunk.State.DONE)
    recently = explained.filter(finished_at__gte=timezone.now() - timedelta(seconds=RECENT_SECONDS))
    return {
        "judgments": Judgment.objects.count(),
        "leases": Place.objects.filter(state=Place.State.LEASED).count(),
        "explained": explained.aggregate(n=Sum(SIZE, default=0))["n"],
        "explained_recently": recently.aggregate(n=Sum(SIZE, default=0))["n"] / RECENT_SECONDS,
        "failed": FailedTask.objects.filter(retried_at=None).count(),
    }


def _gauges(name: str, says: str, label: str, values: Iterable[tuple[str, int]]) -> Metric:
    family = GaugeMetricFamily(f"peekaword_{name}", says, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family
