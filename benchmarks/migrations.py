"""Does anybody wait while migrations run? 1,000,000 judgments under an older schema, and workers who go on judging.

    python benchmarks/migrations.py [--judgments 1000000] [--threads 8] [--seconds 5]

Starts an embedded Postgres, brings it to the schema of `BASELINE`, fills it, and lets `--threads` workers judge without
a pause, by the statements of the worker's page: one transaction leases an item, one keeps the answer. For `--seconds`
they do so alone; then `manage.py migrate` runs beside them until it is done. Printed are the longest and the 99th
percentile of these transactions before, during and after, and whether every judgment that was acknowledged is there.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["PEEKAWORD_VAR"] = tempfile.mkdtemp(prefix="pw")

import django  # noqa: E402
import psycopg2  # noqa: E402
from django.core.management import call_command  # noqa: E402

from config.embedded import services  # noqa: E402

BASELINE = {"accounts": "0001", "materials": "0010", "campaigns": "0016", "judging": "0009", "reports": "0001"}
CONDITIONS, PLACES, EACH = 10, 10, 40
WHATEVER = {
    "text": "''", "varchar": "''", "int4": "0", "int8": "0", "bool": "false", "jsonb": "'{}'", "timestamptz": "now()",
    "numeric": "0", "float8": "0", "_varchar": "'{}'", "_int4": "'{}'", "_float8": "'{}'",
}  # fmt: skip
LEASE = """
WITH next AS (
    SELECT id, stimulus_id, text_id FROM campaigns_place
    WHERE state = 'open' AND condition_id = %(condition)s ORDER BY list, number, rank LIMIT 1 FOR UPDATE SKIP LOCKED
), leased AS (
    UPDATE campaigns_place SET state = 'leased', leased_until = now() + interval '10 minutes'
    WHERE id = (SELECT id FROM next) RETURNING id
)
INSERT INTO judging_assignment (participation_id, stimulus_id, text_id, place_id, step, leased_at, deadline)
SELECT %(worker)s, stimulus_id, text_id, id, 0, now(), now() + interval '10 minutes' FROM next
RETURNING id, place_id
"""
ANSWER = """
WITH filled AS (UPDATE campaigns_place SET state = 'filled', leased_until = NULL WHERE id = %(place)s)
INSERT INTO judging_judgment (assignment_id, place_id, answer, presentation, shown, late, received_at)
VALUES (%(assignment)s, %(place)s, '{"answer": "positive"}', '{}', '{}', false, now())
"""

HOLDING = """
SELECT left(regexp_replace(holder.query, '\\s+', ' ', 'g'), 90),
    extract(epoch FROM clock_timestamp() - waiting.query_start)::float
FROM pg_stat_activity waiting CROSS JOIN unnest(pg_blocking_pids(waiting.pid)) AS blocking (pid)
JOIN pg_stat_activity holder ON holder.pid = blocking.pid
WHERE waiting.wait_event_type = 'Lock' AND waiting.query LIKE '%INTO judging_%'
    AND holder.query NOT LIKE '%INTO judging_%'
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args(arguments)
    with services():
        django.setup()
        for app, number in BASELINE.items():
            call_command("migrate", app, number, verbosity=0)
        started = time.perf_counter()
        fill(max(1, options.judgments // (CONDITIONS * PLACES)))
        print(f"{options.judgments:,} judgments written in {time.perf_counter() - started:.0f} s")
        measure(options.threads, options.seconds)


def fill(texts: int) -> None:
    """Texts x conditions x places, all filled; of texts after these, places that are open."""
    with _connected() as connection, connection.cursor() as cursor:
        more = texts + max(2_000, texts // 10)
        _insert(cursor, "accounts_team", {"id": "1"}, "1")
        _insert(cursor, "materials_dataset", {"id": "1", "team_id": "1", "name": "'d'", "slug": "'d'"}, "1")
        _insert(cursor, "materials_classifier", {"id": "1", "team_id": "1", "slug": "'c'"}, "1")
        text = {"id": "n", "dataset_id": "1", "key": "n::text", "content": "'Film ' || n", "content_hash": "n::text"}
        _insert(cursor, "materials_text", text, str(more))
        campaign = {"id": "1", "team_id": "1", "dataset_id": "1", "classifier_id": "1", "slug": "'c'"}
        campaign |= {"state": "'live'", "judgments_per_stimulus": str(PLACES), "minutes_per_item": "10"}
        _insert(cursor, "campaigns_campaign", campaign, "1")
        condition = {"id": "n", "campaign_id": "1", "method": "'m' || n", "position": "n"}
        _insert(cursor, "campaigns_condition", condition, str(CONDITIONS))
        text_of = f"(n - 1) / {CONDITIONS} + 1"
        stimulus = {"id": "n", "campaign_id": "1", "text_id": text_of, "condition_id": f"(n - 1) % {CONDITIONS} + 1"}
        _insert(cursor, "campaigns_stimulus", stimulus | {"role": "'item'"}, str(more * CONDITIONS))
        stimulus_of = f"(n - 1) / {PLACES} + 1"
        judged = texts * CONDITIONS * PLACES
        place = {
            "id": "n", "campaign_id": "1", "stimulus_id": stimulus_of, "number": f"(n - 1) % {PLACES} + 1",
            "text_id": f"(n - 1) / {CONDITIONS * PLACES} + 1", "list": "0", "rank": "n",
            "condition_id": f"((n - 1) / {PLACES}) % {CONDITIONS} + 1",
            "state": f"CASE WHEN n <= {judged} THEN 'filled' ELSE 'open' END",
        }  # fmt: skip
        _insert(cursor, "campaigns_place", place, str(more * CONDITIONS * PLACES))
        # Of the 100 judgments of a text, each is somebody else's; everybody judged 40 texts.
        worker = (
            f"(n - 1) % {CONDITIONS * PLACES} + {CONDITIONS * PLACES} * ((n - 1) / {CONDITIONS * PLACES * EACH}) + 1"
        )
        workers = CONDITIONS * PLACES * (texts // EACH + 1)
        participation = {"id": "n", "campaign_id": "1", "worker_hash": "n::text", "state": "'practised'"}
        _insert(cursor, "judging_participation", participation, str(workers))
        assignment = {
            "id": "n", "participation_id": worker, "stimulus_id": stimulus_of, "place_id": "n",
            "text_id": f"(n - 1) / {CONDITIONS * PLACES} + 1",
        }  # fmt: skip
        _insert(cursor, "judging_assignment", assignment, str(judged))
        _insert(cursor, "judging_judgment", {"id": "n", "assignment_id": "n", "place_id": "n"}, str(judged))
    connection = _connected()
    connection.autocommit = True
    connection.cursor().execute("VACUUM ANALYZE")
    connection.close()


def _insert(cursor: "psycopg2.extensions.cursor", table: str, known: dict[str, str], rows: str) -> None:
    """Columns that are not known get whatever may stand there."""
    cursor.execute(
        "SELECT column_name, udt_name FROM information_schema.columns WHERE table_schema = 'public' "
        "AND table_name = %s AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'",
        [table],
    )
    columns = {name: WHATEVER[kind] for name, kind in cursor.fetchall()} | known
    cursor.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns.values())} "
        f"FROM generate_series(1, {rows}) n"
    )
    cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")


def _connected() -> "psycopg2.extensions.connection":
    return psycopg2.connect(os.environ["DATABASE_URL"])


class Worker(threading.Thread):
    """People one after the other, forty items each."""

    def __init__(self, number: int, ending: threading.Event) -> None:
        super().__init__(daemon=True)
        self.number, self.ending = number, ending
        self.times, self.acknowledged, self.errors = list[tuple[float, float]](), set[int](), list[str]()

    def run(self) -> None:
        connection = _connected()
        worker = 0
        for item in range(10**9):
            if self.ending.is_set():
                return
            if item % EACH == 0:
                worker = self._arrive(connection, item)
            try:
                condition = (self.number + item) % CONDITIONS + 1
                found = self._timed(connection, LEASE, {"worker": worker, "condition": condition})
                if found is None:
                    return
                self._timed(connection, ANSWER, {"assignment": found[0], "place": found[1]})
                self.acknowledged.add(found[0])
            except psycopg2.IntegrityError:  # They have seen the text: the page would offer another.
                connection.rollback()
                worker = self._arrive(connection, item)
            except psycopg2.Error as error:
                connection.rollback()
                self.errors.append(str(error).splitlines()[0])

    def _arrive(self, connection: "psycopg2.extensions.connection", item: int) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO judging_participation (campaign_id, worker_hash, named, state, person_hash, parameters, "
                "language, arm, quota, arrived_at, consent_version, screening, answers, exclusion_reason, counted) "
                "VALUES (1, %s, true, 'practised', '', '{}', 'en', '', 40, now(), '', '{}', '{}', '', 0) RETURNING id",
                [f"{self.number} {item} {time.monotonic_ns()}"],
            )
            (worker,) = cursor.fetchone() or (0,)
        connection.commit()
        return int(worker)

    def _timed(
        self, connection: "psycopg2.extensions.connection", statement: str, values: dict[str, int]
    ) -> tuple[int, ...] | None:
        started = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            found = cursor.fetchone() if cursor.description else None
        connection.commit()
        self.times.append((started, time.perf_counter() - started))
        return found


class Watch(threading.Thread):
    """Looks whom workers wait for, and how long."""

    def __init__(self, ending: threading.Event) -> None:
        super().__init__(daemon=True)
        self.ending, self.held = ending, dict[str, float]()

    def run(self) -> None:
        connection = _connected()
        connection.autocommit = True
        with connection.cursor() as cursor:
            while not self.ending.wait(0.02):
                cursor.execute(HOLDING)
                for query, waited in cursor.fetchall():
                    self.held[query] = max(waited, self.held.get(query, 0.0))


def measure(threads: int, seconds: float) -> None:
    ending = threading.Event()
    watch = Watch(ending)
    watch.start()
    workers = [Worker(number, ending) for number in range(threads)]
    for worker in workers:
        worker.start()
    time.sleep(seconds)
    began = time.perf_counter()
    command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "1", "--no-input"]
    migrated = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    ended = time.perf_counter()
    time.sleep(seconds)
    ending.set()
    for worker in workers:
        worker.join()
    if migrated.returncode:
        raise SystemExit(migrated.stderr)
    applied = migrated.stdout.count("... OK")
    print(f"{applied} migrations in {ended - began:.1f} s, with the start of the command")
    times = [one for worker in workers for one in worker.times]
    spans = {"before": (0.0, began), "during": (began, ended), "after": (ended, ended + 10**6)}
    print("transactions of workers        n    p50    p99  longest (ms)")
    for name, (start, end) in spans.items():
        print(_line(name, [1000 * took for at, took in times if start <= at < end]))
    for query, waited in sorted(watch.held.items(), key=lambda one: -one[1])[:5]:
        print(f"{1000 * waited:>38,.0f} ms behind {query}")
    print(_stored(workers))


def _line(name: str, found: list[float]) -> str:
    cuts = quantiles(found, n=100)
    return f"{name:>21} {len(found):>10,} {cuts[49]:>6.1f} {cuts[98]:>6.1f} {max(found):>8.1f}"


def _stored(workers: list[Worker]) -> str:
    with _connected() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT assignment_id FROM judging_judgment")
        stored = {row[0] for row in cursor.fetchall()}
    acknowledged = set[int]().union(*(one.acknowledged for one in workers))
    errors = [error for worker in workers for error in worker.errors]
    told = f"; {len(errors)} errors, the first: {errors[0]}" if errors else "; no errors"
    return f"{len(acknowledged):,} acknowledged meanwhile, {len(acknowledged - stored)} of them lost{told}"


if __name__ == "__main__":
    main()
