"""How long does a researcher wait for a page, where there is much of everything?

    python benchmarks/console.py [--texts 200000] [--judgments 100000] [--only NAME ...] [--plans]

Starts embedded Postgres and Valkey, and fills one team with a dataset of `--texts` texts of sixty words (each with a
rationale, a label and a prediction, every tenth with two heat maps), sixty further datasets, a live campaign on it with
`--judgments` judgments of forty a worker, 300 further campaigns, 50,000 lines of the log and 200 runs that are over.

Then every page is asked for through Django's test client, in this process: once unheeded, so that templates are
compiled; once with an empty cache (first); and `LOOKS` times more (warm, the median). Beside them stand the number of
queries of the first look, the time that the slowest of them took, and how much was sent. What takes more than
`SLOWEST` milliseconds is marked; with `--plans`, its slowest query is printed with what Postgres says of it. At the end
all judgments are read as NDJSON through the API: the peak of memory has to be after a tenth what it is at the end.
"""

import argparse
import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("PEEKAWORD_VAR", tempfile.mkdtemp(prefix="pw"))

import django  # noqa: E402
from django.core.management import call_command  # noqa: E402

from config.embedded import services  # noqa: E402

SLOWEST, LOOKS = 200, 5
METHODS, KS, PLACES, EACH = ("gradient", "integrated_gradients", "lime", "random"), (5, 10), 10, 40
CELLS = len(METHODS) * len(KS) * PLACES
LABELS = ["negative", "positive"]
LOCAL = {"host": "localhost"}

# Words as a language has them: a few are in every text, many in hardly any.
TEXTS = """
INSERT INTO materials_text
    (dataset_id, key, content, content_hash, label, language, rationale, warning, template)
SELECT %(dataset)s, 't' || n, said, md5(said), (ARRAY['negative', 'positive'])[1 + n %% 2],
    (ARRAY['', 'en', 'fr'])[1 + n %% 3], CASE WHEN n %% 5 > 0 THEN '[[0, 12], [20, 31]]'::jsonb END, '', ''
FROM generate_series(1, %(texts)s) n CROSS JOIN LATERAL (
    SELECT 'Film ' || n || ' common ' || string_agg('word' || floor(20000 * power(random(), 3))::int, ' ') AS said
    FROM generate_series(1, 58 + 0 * n)
) AS of_it
"""
PREDICTIONS = """
INSERT INTO materials_prediction (text_id, classifier_id, label, probabilities)
SELECT id, %(classifier)s, (ARRAY['negative', 'positive'])[1 + (id %% 10 > 4)::int], ARRAY[0.4, 0.6]
FROM materials_text WHERE dataset_id = %(dataset)s
"""
MAPS = """
INSERT INTO materials_explanation
    (text_id, classifier_id, method, params, target, starts, ends, scores, special, seconds, versions, created_at)
SELECT id, %(classifier)s, method, '{}', 1, array_agg(10 * at), array_agg(10 * at + 8), array_agg(random()), '[]', 0.1,
    '{}', now()
FROM materials_text, unnest(ARRAY['saliency', 'gradient']) method, generate_series(0, 59) at
WHERE dataset_id = %(dataset)s AND id %% 10 = 0 GROUP BY id, method
"""
# Forty items a worker, of each text one; of nine in ten all are in.
PEOPLE = """
INSERT INTO judging_participation
    (campaign_id, worker_hash, named, state, person_hash, parameters, language, arm, quota, arrived_at, consented_at,
     consent_version, screening, answers, exclusion_reason, counted, started_at, finished_at)
SELECT %(campaign)s, 'w' || n, true, CASE WHEN n %% 10 > 0 THEN 'completed' ELSE 'practised' END, '',
    jsonb_build_object('SESSION_ID', 'session' || n), 'en', '', 40, now() - n * interval '1 minute', now(), 'v', '{}',
    '{"survey": {"comment": "Well."}}', '', 40, now() - n * interval '1 minute',
    CASE WHEN n %% 10 > 0 THEN now() - n * interval '1 minute' + interval '9 minutes' END
FROM generate_series(1, %(workers)s) n
"""
ASSIGNMENTS = """
INSERT INTO judging_assignment (participation_id, stimulus_id, text_id, place_id, step, warned, leased_at, deadline)
SELECT first.id + %(cells)s * (p.text / %(each)s) + p.cell, p.stimulus_id, p.text_id, p.id, 0, '', now(), now()
FROM (
    SELECT id, stimulus_id, text_id, dense_rank() OVER (ORDER BY text_id) - 1 AS text,
        row_number() OVER (PARTITION BY text_id ORDER BY id) - 1 AS cell
    FROM campaigns_place WHERE campaign_id = %(campaign)s
) AS p, (SELECT min(id) AS id FROM judging_participation WHERE campaign_id = %(campaign)s) AS first
WHERE p.text < %(judged)s
"""
JUDGMENTS = """
INSERT INTO judging_judgment
    (assignment_id, place_id, answer, presentation, position, response_ms, active_ms, shown, late, received_at)
SELECT a.id, a.place_id,
    jsonb_build_object('answer', (ARRAY['negative', 'positive'])[1 + (random() < 0.7)::int]), '{}', 1,
    2000 + (a.id * 37) %% 9000, 2000, '{"away_ms": 0, "away_count": 0}', false, now() - random() * interval '2 hours'
FROM judging_assignment a JOIN judging_participation p ON p.id = a.participation_id WHERE p.campaign_id = %(campaign)s
"""
FILLED = """
UPDATE campaigns_place SET state = 'filled' WHERE id IN (SELECT place_id FROM judging_judgment)
"""
LOG = """
INSERT INTO accounts_auditentry
    (team_id, actor_id, actor_name, act, subject_kind, subject_key, subject_name, detail, at)
SELECT %(team)s, %(user)s, 'ada', 'edited', 'campaign', %(campaign)s, 'A campaign', '{}', now() - n * interval '1 hour'
FROM generate_series(1, 50000) n
"""


@dataclass
class Look:
    """At one page: `queries` are (seconds, SQL, values)."""

    seconds: float = 0.0
    sent: int = 0
    queries: list[tuple[float, str, Any]] = field(default_factory=list)

    def heed(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.queries.append((time.perf_counter() - started, sql, params))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--judgments", type=int, default=100_000)
    parser.add_argument("--only", nargs="+", default=[], help="names of pages, or their beginnings")
    parser.add_argument("--plans", action="store_true", help="what Postgres does for the slowest query of a slow page")
    options = parser.parse_args(arguments)
    with services():
        django.setup()
        call_command("migrate", verbosity=0)
        started = time.perf_counter()
        there = fill(options.texts, options.judgments)
        print(f"filled in {time.perf_counter() - started:.0f} s")
        print(f"{'page':<38} first ms   warm queries slowest ms    kB")
        for name, url in pages(there):
            if not options.only or any(name.startswith(one) for one in options.only):
                print(row(there, name, url, options.plans), flush=True)
        print(stream(there))


# What there is


def fill(texts: int, judgments: int) -> SimpleNamespace:
    from accounts.access import found_team
    from accounts.models import User
    from campaigns.models import Campaign
    from materials.models import Classifier, Dataset

    user = User.objects.create_user("ada", "ada@example.org", "a long enough password")
    team = found_team(user, "Benchmark")
    dataset = Dataset.objects.create(team=team, name="Films", slug="films", language="en")
    ready: dict[str, Any] = {"state": "ready", "label_names": LABELS}
    classifier = Classifier.objects.create(team=team, name="Model", slug="model", **ready)
    with _without_index():
        _run(TEXTS, dataset=dataset.pk, texts=texts)
        for number in range(60):
            other = Dataset.objects.create(team=team, name=f"Reviews {number}", slug=f"reviews-{number}")
            _run(TEXTS, dataset=other.pk, texts=200)
    _run(PREDICTIONS, dataset=dataset.pk, classifier=classifier.pk)
    _run(MAPS, dataset=dataset.pk, classifier=classifier.pk)
    campaign = _campaign(team, dataset, judgments)
    states = ["draft", "ready", "live", "paused", "closed", "closed"]
    Campaign.objects.bulk_create(
        Campaign(
            team=team, name=f"Study {number}", slug=f"study-{number}", state=states[number % 6], protocol="topk_guess",
            dataset=dataset, classifier=classifier, methods=["gradient"], ks=[5], completion_code="C0DE",
        ) for number in range(300)
    )  # fmt: skip
    _run(LOG, team=team.pk, user=user.pk, campaign=campaign.pk)
    _runs(dataset, classifier)
    _vacuum()
    known = {"user": user, "team": team, "dataset": dataset, "classifier": classifier, "campaign": campaign}
    return SimpleNamespace(**known, judgments=judgments)


def _campaign(team: Any, dataset: Any, judgments: int) -> Any:
    from tests.judging.building import live_campaign

    judged = max(EACH, judgments // CELLS)
    workers = CELLS * -(-judged // EACH)
    campaign = live_campaign(
        team, slug="large", texts=judged + 20, methods=METHODS, ks=KS, judgments=PLACES, practice=0,
        beside=SimpleNamespace(dataset=dataset), pay_per_worker=2, design_hash="benchmark",
    )  # fmt: skip
    _run(PEOPLE, campaign=campaign.pk, workers=workers)
    _run(ASSIGNMENTS, campaign=campaign.pk, cells=CELLS, each=EACH, judged=judged)
    _run(JUDGMENTS, campaign=campaign.pk)
    _run(FILLED)
    return campaign


def _runs(dataset: Any, classifier: Any) -> None:
    from django.utils import timezone

    from materials.models import Chunk, Run

    now = timezone.now()
    over = {"state": "done", "finished_at": now, "methods": [{"method": "gradient", "params": {}}]}
    runs = [Run(dataset=dataset, classifier=classifier, kind="explain", **over) for _ in range(200)]
    Run.objects.bulk_create(runs)
    texts = list(dataset.texts.order_by("pk").values_list("pk", flat=True)[:200])
    Chunk.objects.bulk_create(
        Chunk(run=run, number=number, text_ids=texts, state="done", finished_at=now - timedelta(seconds=number))
        for run in runs for number in range(20)
    )  # fmt: skip


@contextmanager
def _without_index() -> Iterator[None]:
    """The index of words is built once, after its texts: what is measured here is not how texts are written."""
    _run("DROP INDEX text_words")
    yield
    _run("CREATE INDEX text_words ON materials_text USING gin (to_tsvector('simple', COALESCE(content, '')))")


def _run(sql: str, **values: Any) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)


def _vacuum() -> None:
    _run("VACUUM ANALYZE")


# What is looked at


def pages(there: SimpleNamespace) -> Iterator[tuple[str, str]]:
    """Their names and addresses."""
    text = there.dataset.texts.filter(explanations__isnull=False).first()
    dataset, campaign, classifier = "/datasets/films/", "/campaigns/large/", "/classifiers/model/"
    yield from {
        "home": "/",
        "search, common word": "/search/?q=common",
        "search, two words": "/search/?q=common+film",
        "search, rare word": "/search/?q=word19990",
        "search, nothing": "/search/?q=nowhere",
        "search, id": "/search/?q=t777",
        "search, Japanese": "/search/?q=%E6%98%A0%E7%94%BB",
        "datasets": "/datasets/",
        "dataset": dataset,
        "dataset, last page": f"{dataset}?page=last",
        "dataset, page 2000": f"{dataset}?page=2000",
        "dataset, label": f"{dataset}?label=positive",
        "dataset, label, last page": f"{dataset}?label=positive&page=last",
        "dataset, language": f"{dataset}?language=fr",
        "dataset, with rationale": f"{dataset}?rationale=marked",
        "dataset, without rationale": f"{dataset}?rationale=unmarked",
        "dataset, wrongly predicted": f"{dataset}?prediction=model:wrong",
        "dataset, not predicted": f"{dataset}?prediction=model:missing",
        "dataset, common word": f"{dataset}?q=common",
        "dataset, rare word": f"{dataset}?q=word19990",
        "dataset, word and label": f"{dataset}?q=word19000&label=positive",
        "dataset settings": f"{dataset}settings/",
        "dataset, maps": f"{dataset}maps/",
        "text": f"{dataset}texts/{text.pk}/",
        "classifiers": "/classifiers/",
        "classifier": classifier,
        "classifier, settings": f"{classifier}settings/",
        "classifier, passport": f"{classifier}passport/",
        "explanations": "/explanations/",
        "explanations, run": f"/explanations/{there.dataset.runs.first().pk}/",
        "campaigns": "/campaigns/",
        "campaigns, last page": "/campaigns/?page=last",
        "campaigns, by state": "/campaigns/?order=state",
        "campaign": campaign,
        "campaign, draft": "/campaigns/study-0/",
        "campaign, preview": f"{campaign}preview/",
        "campaign, remove": f"{campaign}remove/",
        "campaign, archive": f"{campaign}archive/",
        "wizard, new": "/campaigns/new/",
        "wizard, draft": "/campaigns/study-0/edit/",
        "live": f"{campaign}live/",
        "live, asked again": f"{campaign}live/?seen=live",
        "participants": f"{campaign}participants/",
        "participants, last page": f"{campaign}participants/?page=last",
        "participants, completed": f"{campaign}participants/?state=completed",
        "participants, shortest": f"{campaign}participants/?order=shortest",
        "participants, a reference": f"{campaign}participants/?q=session77",
        "participants, pay": f"{campaign}participants/pay/",
        "judgments": f"{campaign}judgments/",
        "recruitment": f"{campaign}recruitment/",
        "report": f"{campaign}report/",
        "compare": "/campaigns/compare/",
        "plan": "/campaigns/plan/",
        "settings": "/settings/",
        "tokens": "/settings/tokens/",
        "webhooks": "/settings/webhooks/",
        "team": f"/teams/{there.team.pk}/",
        "log": f"/teams/{there.team.pk}/log/",
        "queue": "/queue/",
        "readyz": "/readyz",
        "metrics": "/metrics",
        **{f"API {name}": f"/api/v1/{path}" for name, path in _api().items()},
    }.items()


def _api() -> dict[str, str]:
    return {
        "datasets": "datasets/", "texts": "datasets/films/texts/",
        "texts, label": "datasets/films/texts/?label=positive",
        "texts, rationale": "datasets/films/texts/?has_rationale=true", "dataset": "datasets/films/",
        "explanations": "datasets/films/explanations/", "classifiers": "classifiers/", "runs": "runs/",
        "campaigns": "campaigns/", "campaign": "campaigns/large/", "progress": "campaigns/large/progress/",
        "participants": "campaigns/large/participants/", "judgments": "campaigns/large/judgments/",
    }  # fmt: skip


def row(there: SimpleNamespace, name: str, url: str, plans: bool) -> str:
    client = _client(there)
    headers = {"hx-request": "true"} if name == "live, asked again" else {}
    status, _ = _look(client, url, headers)
    if status != 200:
        return f"{name:<38} answered {status}"
    _empty_cache(there, client)
    _, first = _look(client, url, headers)
    warm = [_look(client, url, headers)[1] for _ in range(LOOKS)]
    slowest = max(first.queries, default=(0.0, "", None), key=lambda one: one[0])
    times = 1000 * first.seconds, 1000 * median(one.seconds for one in warm)
    slow = max(times) > SLOWEST
    line = (
        f"{name:<38} {times[0]:>8.0f} {times[1]:>6.0f} {len(first.queries):>7} {1000 * slowest[0]:>10.0f}"
        f" {first.sent / 1000:>5.0f}{'  slow' if slow else ''}"
    )
    return line + (_plan(slowest) if slow and plans else "")


def _client(there: SimpleNamespace) -> Any:
    from django.test import Client

    client = Client(headers=LOCAL)
    client.force_login(there.user)
    return client


def _empty_cache(there: SimpleNamespace, client: Any) -> None:
    from django.core.cache import cache

    cache.clear()
    client.force_login(there.user)


def _look(client: Any, url: str, headers: dict[str, str]) -> tuple[int, Look]:
    from django.db import connection

    look, started = Look(), time.perf_counter()
    with connection.execute_wrapper(look.heed):
        response = client.get(url, headers=headers)
        look.sent = sum(map(len, response)) if response.streaming else len(response.content)
    look.seconds = time.perf_counter() - started
    return response.status_code, look


def _plan(query: tuple[float, str, Any]) -> str:
    from django.db import connection

    _, sql, values = query
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", values)
        found = [line for (line,) in cursor.fetchall()]
    return "\n".join(["", sql, *found, ""])


def stream(there: SimpleNamespace) -> str:
    """The judgments of the campaign as the API streams them: what memory they take after a tenth, and at the end."""
    response = _client(there).get("/api/v1/campaigns/large/judgments/all/")
    tenth, lines, sent = there.judgments // 10, 0, 0
    peaks, started = list[float](), time.perf_counter()
    tracemalloc.start()
    for part in response:
        sent, lines = sent + len(part), lines + part.count(b"\n")
        if not peaks and lines >= tenth:
            peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
    peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
    tracemalloc.stop()
    told = " and ".join(f"{peak:.1f}" for peak in (peaks[0], peaks[-1]))
    seconds = time.perf_counter() - started
    return (
        f"{lines:,} judgments as NDJSON: {sent / 1e6:.0f} MB in {seconds:.1f} s under tracemalloc, peak {told} MiB"
        f" after a tenth and at the end"
    )


if __name__ == "__main__":
    main()
