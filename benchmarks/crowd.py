"""A crowd at work: how many judgments a second, how long each takes, and is every one there exactly once?

    python benchmarks/crowd.py [--floor FOLDER] [--workers 1 8 32] [--seconds 12] [--repeats 3] [--large 200000]

Starts embedded Postgres and gunicorn (2 processes x 4 threads) and makes four measurements, all on one machine that
also runs the client: compare figures of one sitting, and quote ratios.

1. **Against the floor**, where `--floor` names a folder with `load.py`, `drv_floor.py` and `floor/app.py`: a bare
   Django application with one request a judgment, under the same client. 2,000 items with 3 places each, of which one
   person of Peekaword's judges 100; in both, people have come before the clock starts, and judge until it ends or the
   pool is empty. Floor and Peekaword run in turn, `--repeats` times; medians are printed, with their ratio and the
   lowest and highest ratio of a round, the percentiles of a cycle and the CPU a judgment.
2. **A pool of 100 items drained** by 32 workers: every place filled, none twice.
3. **Faults**: 32 workers for `--seconds`, while web processes are killed (SIGKILL) every two seconds and the database
   once, in the middle. Clients send again until they are answered, as the worker's page does. What was acknowledged
   must be stored.
4. **Size**: the same 8 workers on 2,000 and on `--large` stimuli: the percentiles must not move.

After each it counts what the database holds. `--profile` tells where a judgment's time on the server goes.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("PEEKAWORD_VAR", tempfile.mkdtemp(prefix="pw"))

import django  # noqa: E402
import httpx  # noqa: E402
from django.core.management import call_command  # noqa: E402

from config.embedded import services  # noqa: E402

ITEMS, PLACES, EACH, DRAINED = 2_000, 3, 100, 100
ASSIGNMENT = re.compile(r'name="assignment" value="(\d+)"')
ANSWER = {"answer": "positive", "response_ms": "900"}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--floor", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--large", type=int, default=200_000)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args(arguments)
    with services():
        django.setup()
        call_command("migrate", verbosity=0)
        if options.profile:
            profile()
            return
        if options.floor:
            against_floor(options)
        print(drained())
        print(under_faults(options.seconds))
        for stimuli in (ITEMS, options.large):
            print(at_size(stimuli, options.seconds))


# The campaigns


def campaign_of(slug: str, texts: int, conditions: int = 1, most: int = EACH) -> Any:
    """A live one without practice, straight from rows; stimuli are texts x conditions."""
    from django.db import transaction

    from accounts.models import Team
    from tests.judging.building import live_campaign

    team, _ = Team.objects.get_or_create(name="Benchmark")
    methods = [f"method_{number}" for number in range(conditions)]
    design: dict[str, Any] = {"texts": texts, "methods": methods, "ks": (3,), "judgments": PLACES, "practice": 0}
    with transaction.atomic():
        campaign = live_campaign(team, slug=slug, most_per_worker=min(most, texts), design_hash="benchmark", **design)
    _analyse()
    return campaign


def _analyse() -> None:
    """As autovacuum does a while after a launch: what the launch left to do is no part of a judgment's cost."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def exact(campaign: int, acknowledged: set[int] | int | None = None) -> str:
    """What is wrong with what the database holds, or "exact"."""
    from django.db.models import Count, Q

    from campaigns.models import Stimulus
    from judging.models import Assignment, Judgment

    stored = set(
        Judgment.objects.filter(assignment__participation__campaign=campaign).values_list("assignment", flat=True)
    )
    counted = Count("places__judgment", filter=Q(places__state="filled"))
    over = Stimulus.objects.filter(campaign=campaign).annotate(n=counted).filter(n__gt=PLACES).count()
    given = Assignment.objects.filter(participation__campaign=campaign).values("participation", "text")
    twice = given.annotate(n=Count("pk")).filter(n__gt=1).count()
    lost = len(acknowledged - stored) if isinstance(acknowledged, set) else max(0, (acknowledged or 0) - len(stored))
    faults = {"over-assigned": over, "a text twice": twice, "acknowledged and lost": lost}
    found = ", ".join(f"{count} {name}" for name, count in faults.items() if count)
    return found or f"exact ({len(stored):,} stored)"


# 1. Against the floor


def against_floor(options: argparse.Namespace) -> None:
    from config.servers import free_port
    from config.serving import web

    print("workers               a second    p50    p95    p99 web CPU pg CPU  (milliseconds, of a cycle and a task)")
    for workers in options.workers:
        rounds: dict[str, list[dict[str, Any]]] = {"floor": [], "peekaword": []}
        for turn in range(options.repeats):
            with floor(options.floor, free_port()) as (url, pid):
                rounds["floor"].append(load(options, "floor", url, pid, workers, ["combined=1"]))
            slug = f"loop-{workers}-{turn}"
            campaign = campaign_of(slug, ITEMS)
            with web(free_port()) as url:
                people = [f"campaign={slug}", f"ahead={ITEMS * PLACES // EACH // workers}"]
                rounds["peekaword"].append(load(options, "peekaword", url, _web_pid(), workers, people))
            print(f"{workers:>7} peekaword round {turn + 1}: {exact(campaign.pk, rounds['peekaword'][-1]['acked'])}")
        rates = {name: median(one["tasks_per_s"] for one in found) for name, found in rounds.items()}
        for name, found in rounds.items():
            print(_line(workers, name, found))
        pairs = zip(rounds["peekaword"], rounds["floor"], strict=True)
        ratios = sorted(ours["tasks_per_s"] / bare["tasks_per_s"] for ours, bare in pairs)
        print(
            f"{workers:>7} peekaword / floor = {rates['peekaword'] / rates['floor']:.2f}"
            f" (by round {ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


def _line(workers: int, name: str, found: list[dict[str, Any]]) -> str:
    def middle(*path: str) -> float:
        values = []
        for one in found:
            value: Any = one
            for key in path:
                value = value[key]
            values.append(float(value or 0))
        return median(values)

    times = " ".join(f"{middle('cycle_ms', p):>6.0f}" for p in ("p50", "p95", "p99"))
    cpu = f"{middle('cpu', 'server_ms_per_task'):>7.1f} {middle('cpu', 'pg_ms_per_task'):>6.1f}"
    errors = sum(one["error_rate"] > 0 for one in found)
    return f"{workers:>7} {name:>10} {middle('tasks_per_s'):>8.1f} {times} {cpu}" + (
        f"  errors in {errors}" if errors else ""
    )


def load(
    options: argparse.Namespace, driver: str, url: str, pid: int, workers: int, given: Sequence[str]
) -> dict[str, Any]:
    """One run of the common client."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            str(options.floor / "load.py"),
            "--driver",
            driver,
            "--base",
            url,
            "-w",
            str(workers),
        ]
        command += ["-t", str(options.seconds), "--out", f"{folder}/out.json"]
        command += [word for option in given for word in ("--opt", option)]
        command += ["--srv", str(pid), "--pg", str(_postgres_pid())]
        path = os.pathsep.join([str(options.floor), str(Path(__file__).parent)])
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if found["errors"]:
        print(f"        {driver}: {found['errors']}")
    return found


@contextmanager
def floor(folder: Path, port: int) -> Iterator[tuple[str, int]]:
    """The floor with its items anew, on our Postgres."""
    import psycopg2

    host = unquote(urlsplit(os.environ["DATABASE_URL"]).netloc.split("@")[1])
    connection = psycopg2.connect(host=host, user="postgres", dbname="postgres")
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = 'floor'")
        if not cursor.fetchone():
            cursor.execute("CREATE DATABASE floor")
    connection.close()
    environment = os.environ | {"FLOOR_HOST": host}
    app = folder / "floor"
    subprocess.run(
        [sys.executable, "app.py", str(ITEMS), "64"], cwd=app, env=environment, check=True, capture_output=True
    )
    command = [sys.executable, "-m", "gunicorn", "-w", "2", "--threads", "4", "--keep-alive", "30"]
    command += ["-b", f"127.0.0.1:{port}", "--log-level", "error", "app:application"]
    process = subprocess.Popen(command, cwd=app, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/login/")
        yield url, process.pid
    finally:
        process.terminate()
        process.wait()


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            httpx.get(url)
            return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise SystemExit(f"{url} does not answer.")


# 2 to 4. Our own browsers, which send again until they are answered


class Browser(threading.Thread):
    """Workers one after the other, each past the practice, who answer at once."""

    def __init__(self, url: str, tokens: Iterator[str], until: float) -> None:
        super().__init__()
        self.url, self.tokens, self.until = url, tokens, until
        self.seconds, self.acknowledged, self.retries = list[float](), set[int](), 0

    def run(self) -> None:
        with httpx.Client(timeout=60) as client:
            for token in self.tokens:
                page = self._ask(client, "GET", f"{self.url}{token}/", {})
                while (found := ASSIGNMENT.search(page)) and time.monotonic() < self.until:
                    started = time.perf_counter()
                    page = self._ask(client, "POST", f"{self.url}{token}/", {"assignment": found[1], **ANSWER})
                    self.seconds.append(time.perf_counter() - started)
                    self.acknowledged.add(int(found[1]))
                if time.monotonic() >= self.until:
                    return

    def _ask(self, client: httpx.Client, method: str, url: str, data: dict[str, str]) -> str:
        while True:
            try:
                response = client.request(method, url, data=data or None)
                if response.status_code < 500:
                    return response.raise_for_status().text
            except httpx.TransportError:
                pass
            self.retries += 1
            time.sleep(0.1)


def crowd(campaign: Any, url: str, browsers: int, seconds: float, workers: int) -> list[Browser]:
    from judging.tokens import token_of
    from tests.judging.building import worker

    tokens = iter([token_of(worker(campaign, f"bench {at}")) for at in range(workers)])
    lock = threading.Lock()

    def shared() -> Iterator[str]:
        while True:
            with lock:
                token = next(tokens, None)
            if token is None:
                return
            yield token

    until = time.monotonic() + seconds
    found = [Browser(f"{url}/w/{campaign.slug}/", shared(), until) for _ in range(browsers)]
    for browser in found:
        browser.start()
    return found


def drained() -> str:
    from config.servers import free_port
    from config.serving import web

    campaign = campaign_of("drained", DRAINED)
    started = time.perf_counter()
    with web(free_port()) as url:
        browsers = _joined(crowd(campaign, url, 32, 120, 64))
    took, acknowledged = time.perf_counter() - started, set[int]().union(*(one.acknowledged for one in browsers))
    left = campaign.places.exclude(state="filled").count()
    return (
        f"drained: {len(acknowledged)} judgments of {DRAINED * PLACES} by 32 in {took:.1f} s, {left} places left; "
        + exact(campaign.pk, acknowledged)
    )


def under_faults(seconds: float) -> str:
    from django.db import connection as db

    from config.servers import free_port
    from config.serving import web

    campaign = campaign_of("faults", ITEMS)
    with web(free_port()) as url:
        browsers = crowd(campaign, url, 32, seconds, 640)
        kills, halfway, ending = 0, False, time.monotonic() + seconds
        while time.monotonic() < ending - 2:
            time.sleep(2)
            os.kill(random.choice(_children(_web_pid())), signal.SIGKILL)
            kills += 1
            if not halfway and time.monotonic() > ending - seconds / 2:
                os.kill(_postgres_pid(), signal.SIGQUIT)
                db.close()  # Ours died with it.
                halfway = True
        _joined(browsers)
    acknowledged = set[int]().union(*(one.acknowledged for one in browsers))
    retries = sum(one.retries for one in browsers)
    return (
        f"faults: {kills} web processes and the database killed under 32 workers; {len(acknowledged):,} acknowledged, "
        f"{retries:,} sent again; " + exact(campaign.pk, acknowledged)
    )


def at_size(stimuli: int, seconds: float) -> str:
    from config.servers import free_port
    from config.serving import web

    conditions = max(1, stimuli // ITEMS)
    campaign = campaign_of(f"size-{stimuli}", stimuli // conditions, conditions, most=40)
    with web(free_port()) as url:
        browsers = _joined(crowd(campaign, url, 8, seconds, 400))
    times = [1000 * one for browser in browsers for one in browser.seconds]
    cuts = quantiles(times, n=100)
    return (
        f"size: {stimuli:>7,} stimuli, {len(times):,} judgments, p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} ms, "
        f"p99 {cuts[98]:.0f} ms; " + exact(campaign.pk, set[int]().union(*(one.acknowledged for one in browsers)))
    )


def _joined(browsers: list[Browser]) -> list[Browser]:
    for browser in browsers:
        browser.join()
    return browsers


def profile() -> None:
    """One process, no network: what the server does for 500 judgments, by function."""
    import cProfile
    import pstats

    from django.test import Client

    from judging.tokens import token_of
    from tests.judging.building import worker

    campaign = campaign_of("profile", ITEMS)
    client, seen = Client(headers={"host": "localhost"}), cProfile.Profile(time.process_time)
    for number in range(6):
        url = f"/w/{campaign.slug}/{token_of(worker(campaign, f'profile {number}'))}/"
        page = client.get(url).content.decode()
        if number:
            seen.enable()
        while found := ASSIGNMENT.search(page):
            page = client.post(url, {"assignment": found[1], **ANSWER}).content.decode()
        seen.disable()
    pstats.Stats(seen).sort_stats("cumulative").print_stats(45)


# Processes


def _postgres_pid() -> int:
    """The first line of postmaster.pid in the data folder."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        folder = Path(cursor.fetchone()[0])
    return int((folder / "postmaster.pid").read_text().splitlines()[0])


def _web_pid() -> int:
    """Of gunicorn's master, which is of our own."""
    servers = [pid for pid in _below(os.getpid()) if "config.wsgi" in _command(pid)]
    return [pid for pid in servers if any(child in servers for child in _children(pid))][-1]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:  # It has just ended.
        return ""


def _below(pid: int) -> list[int]:
    found = _children(pid)
    return found + [one for child in found for one in _below(child)]


def _children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True)
    return [int(child) for child in found.stdout.split()]


if __name__ == "__main__":
    main()
