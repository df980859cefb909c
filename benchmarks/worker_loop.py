"""The worker's core loop: submit a judgment, get the next stimulus. How many a second, how long, and is it exact?

    python benchmarks/worker_loop.py [--workers 1 8 32] [--seconds 20]

Starts embedded Postgres and gunicorn (2 processes x 4 threads), makes a live campaign of 2,000 stimuli with 3 places
each, and lets simulated browsers judge as fast as they can over keep-alive connections, one request a judgment. The
client runs on the same machine and its CPU is taken out of nobody's account, so compare ratios of runs made in one
sitting, never single figures. After each round it counts what the database holds: judgments acknowledged against
judgments stored, more than three that count of one stimulus, a text twice for one worker.
"""

import argparse
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("PEEKAWORD_VAR", tempfile.mkdtemp(prefix="pw"))

import django  # noqa: E402
import httpx  # noqa: E402
from django.core.management import call_command  # noqa: E402

from config.embedded import services  # noqa: E402

ASSIGNMENT = re.compile(r'name="assignment" value="(\d+)"')
TEXTS, PLACES = 250, 3


class Browser(threading.Thread):
    """One worker past the practice, who answers at once."""

    def __init__(self, url: str, until: float) -> None:
        super().__init__()
        self.url, self.until, self.seconds = url, until, list[float]()

    def run(self) -> None:
        with httpx.Client(timeout=60) as client:
            page = client.get(self.url).text
            while (found := ASSIGNMENT.search(page)) and time.monotonic() < self.until:
                started = time.perf_counter()
                data = {"assignment": found[1], "answer": "positive", "response_ms": "900"}
                page = client.post(self.url, data=data).raise_for_status().text
                self.seconds.append(time.perf_counter() - started)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args(arguments)
    with services():
        django.setup()
        call_command("migrate", verbosity=0)
        print(f"{'workers':>8} {'judgments/s':>12} {'p50 ms':>8} {'p95 ms':>8} {'stored':>8}  exact")
        for number in options.workers:
            print(measure(number, options.seconds))


def measure(number: int, seconds: float) -> str:
    from accounts.models import Team
    from config.servers import free_port
    from config.serving import web
    from judging.models import Judgment
    from judging.tokens import token_of
    from tests.judging.building import live_campaign, worker

    slug = f"bench-{number}"
    design = {"texts": TEXTS, "methods": ("gradient", "random"), "ks": (1, 2, 3, 5), "judgments": PLACES}
    campaign = live_campaign(Team.objects.create(name=slug), slug=slug, most_per_worker=TEXTS, **design)  # type: ignore[arg-type]
    tokens = [token_of(worker(campaign, f"bench {at}")) for at in range(number)]
    with web(free_port()) as url:
        until = time.monotonic() + seconds
        browsers = [Browser(f"{url}/w/{slug}/{token}/", until) for token in tokens]
        started = time.perf_counter()
        for browser in browsers:
            browser.start()
        for browser in browsers:
            browser.join()
        took = time.perf_counter() - started
    times = [one * 1000 for browser in browsers for one in browser.seconds]
    stored = Judgment.objects.filter(assignment__participation__campaign=campaign).count()
    exact = "yes" if stored == len(times) and not faults(campaign.pk) else "NO"
    rate, p95 = len(times) / took, quantiles(times, n=20)[-1]
    return f"{number:>8} {rate:>12.1f} {median(times):>8.1f} {p95:>8.1f} {stored:>8}  {exact}"


def faults(campaign: int) -> int:
    """Stimuli with more counting judgments than places, and texts that a worker met twice."""
    from django.db.models import Count

    from campaigns.models import Stimulus
    from judging.models import Assignment

    over = Stimulus.objects.filter(campaign=campaign).annotate(n=Count("places__judgment")).filter(n__gt=PLACES)
    given = Assignment.objects.filter(participation__campaign=campaign).values("participation", "text")
    return over.count() + given.annotate(n=Count("pk")).filter(n__gt=1).count()


if __name__ == "__main__":
    main()
