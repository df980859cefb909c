"""What Prometheus reads, and what it costs."""

from typing import Any

import pytest
import redis
from celery import current_app
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis.backoff import NoBackoff
from redis.retry import Retry

from accounts.models import Team
from materials.models import Chunk, Classifier, Dataset, Run
from operations import beacons, tallying
from operations.models import FailedTask

pytestmark = pytest.mark.django_db

TOKEN = "a token of at least so many characters"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture(autouse=True)
def fresh_tallies(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    beacons.client().delete(tallying.REQUESTS, tallying.TASKS)
    tallying.send()
    beacons.client().delete(tallying.REQUESTS)
    cache.delete("metrics:counts")


def read(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape(client: Client) -> Samples:
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    return read(response.content.decode())


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples[f"peekaword_{name}", tuple(sorted(labels.items()))]


def test_it_works(client: Client) -> None:
    """Requests by view and status, a worker's among them, whose token is in no label."""
    for path in ("/healthz", "/healthz", "/w/nowhere/", "/w/nowhere/7.a-token/", "/nowhere"):
        client.get(path)
    samples = scrape(client)
    assert value(samples, "request_seconds_count", view="healthz", method="GET", status="200") == 2
    assert value(samples, "request_seconds_bucket", view="healthz", method="GET", status="200", le="+Inf") == 2
    assert 0 < value(samples, "request_seconds_sum", view="healthz", method="GET", status="200") < 60
    assert value(samples, "request_seconds_count", view="worker_page", method="GET", status="404") == 1
    assert value(samples, "request_seconds_count", view="none", method="GET", status="404") == 1
    assert value(samples, "reachable", part="redis") == value(samples, "reachable", part="database") == 1


def test_it_counts_what_the_database_holds_when_it_is_asked(client: Client, team: Team) -> None:
    data = Dataset.objects.create(team=team, name="Reviews", slug="reviews")
    critic = Classifier.objects.create(team=team, name="Critic", slug="critic", source="org/critic")
    run = Run.objects.create(dataset=data, classifier=critic, kind=Run.Kind.EXPLAIN)
    done = {"run": run, "state": Chunk.State.DONE, "finished_at": timezone.now()}
    Chunk.objects.create(**done, number=1, text_ids=list(range(90)))
    Chunk.objects.create(**done, number=2, text_ids=list(range(30)))
    Chunk.objects.create(run=run, number=3, text_ids=[1])
    FailedTask.objects.create(task_id="1", name="reports.build_report", reason="ValueError")
    samples = scrape(client)
    assert (value(samples, "explained_texts_total"), value(samples, "explained_texts_per_second")) == (120, 2)
    assert (value(samples, "judgments_total"), value(samples, "leases"), value(samples, "failed_tasks")) == (0, 0, 1)


def test_it_tells_queues_tasks_workers_and_gpus(client: Client) -> None:
    current_app.control.purge()
    current_app.send_task("workers.explain_chunk", [0])
    beacons.light(beacons.WORKER + "celery@here", {"at": 0, "tasks": [{"name": "a"}, {"name": "b"}]}, seconds=9)
    beacons.light(beacons.GPU + "celery@here:0", {"used": 3, "total": 9, "ours": 2}, seconds=9)
    beacons.client().hincrby(tallying.TASKS, "reports.build_report|failed", 2)
    samples = scrape(client)
    current_app.control.purge()
    beacons.client().delete(beacons.WORKER + "celery@here", beacons.GPU + "celery@here:0")
    assert value(samples, "queue_depth", queue="compute") >= 1 and value(samples, "queue_depth", queue="celery") >= 0
    assert value(samples, "tasks_total", task="reports.build_report", outcome="failed") == 2
    assert value(samples, "workers") >= 1 and value(samples, "running_tasks") >= 2
    assert value(samples, "gpu_memory_bytes", gpu="celery@here:0", kind="used") == 3


@pytest.mark.parametrize("given", ["", "Bearer no", f"Token {TOKEN}", f"Bearer {TOKEN}x"])
def test_it_wants_its_token(client: Client, given: str) -> None:
    assert client.get("/metrics", headers={"Authorization": given} if given else {}).status_code == 401


def test_without_a_token_there_is_no_such_page_and_nothing_is_measured(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    tallying.send()
    assert beacons.tally(tallying.REQUESTS) == {}


def test_it_rejects_a_post(client: Client) -> None:
    assert client.post("/metrics").status_code == 405


def test_what_cannot_be_asked_is_told_and_counts_wait_for_it(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis.Redis(unix_socket_path="/nowhere/redis.sock", retry=Retry(NoBackoff(), 0))
    with monkeypatch.context() as patch:
        for module in ("beacons", "tallying", "queueing"):
            patch.setattr(f"operations.{module}.client", lambda: away)
        client.get("/healthz")
        samples = scrape(client)
        assert value(samples, "reachable", part="redis") == 0 and value(samples, "judgments_total") == 0
    assert value(scrape(client), "request_seconds_count", view="healthz", method="GET", status="200") == 1


def test_a_request_pays_one_entry_in_a_queue(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("A request asked Redis.")

    monkeypatch.setattr(tallying, "client", refuse)
    monkeypatch.setattr(tallying, "_keep_sending", lambda: None)
    client.get("/w/nowhere/7.a-token/")
    assert [seen[:3] for seen in tallying._seen] == [("worker_page", "GET", 404)]
    tallying._seen.clear()
