"""What people notice of faults: 32 workers judge without a pause while one thing after the other is broken.

    python benchmarks/faults.py [--workers 32] [--seconds 4] [--only NAME ...]

Starts everything that `serve` does (embedded Postgres and Valkey, gunicorn with 2 x 4 threads, a Celery worker) with a
tiny classifier, a researcher's browser that looks at pages all the time, and the crowd of `benchmarks/crowd.py`, which
sends again until it is answered. Then, each for `--seconds` after it is done:

`web` kills a web process, `task` the process that computes an explanation, `celery` the whole Celery worker in the
middle of a task (it is started anew, as under `serve`), `redis` Valkey, `postgres` the postmaster, all by
SIGKILL; `disk` leaves no room for uploads (the web's RLIMIT_FSIZE); `clock` lets an hour pass at once for every lease,
as a clock that jumps does; `drip` sends one byte a second from six slow clients, and then from three times as many as
there are threads; `queue` puts 10,000 tasks into the queue; `leases` lets 32 workers go away with an item in hand.

Printed for each: how long nobody was answered at most (silence), and one worker at most (longest), how many requests
had to be sent again, judgments acknowledged and stored, and in words what else had to come back. At the end, all
explanations have to be there, each once, and no page may have shown a traceback.
"""

import argparse
import json
import os
import re
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("PEEKAWORD_VAR", tempfile.mkdtemp(prefix="pw"))

import django  # noqa: E402
import httpx  # noqa: E402
from django.core.management import call_command  # noqa: E402

from benchmarks import crowd  # noqa: E402
from config.embedded import services  # noqa: E402

TEXTS, METHODS = 160, ("gradient", "integrated_gradients", "lime", "random")
QUEUED, PLACES = 10_000, 30
ROOM = 1 << 20
TRACES = re.compile(r'Traceback \(most recent|File "[^"]+", line \d+|psycopg2\.|redis\.exceptions')


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    options = parser.parse_args(arguments)
    with services():
        django.setup()
        call_command("migrate", verbosity=0)
        with Stage(options.workers, options.seconds) as stage:
            print(f"{'fault':<9} silence longest  again  acknowledged   stored")
            stage.row("nothing", lambda: "")
            for name in options.only:
                stage.row(name, lambda name=name: FAULTS[name](stage))  # type: ignore[misc]
            print(stage.told())


class Judge(crowd.Browser):
    """A browser of the crowd that goes on until it is told to end, and keeps when it was answered and by what."""

    def __init__(self, url: str, tokens: Iterator[str]) -> None:
        super().__init__(url, tokens, float("inf"))
        self.daemon = True
        self.answered, self.waits, self.broken = list[float](), list[tuple[float, float]](), list[str]()

    def _ask(self, client: httpx.Client, method: str, url: str, data: dict[str, str]) -> str:
        asked = time.monotonic()
        while True:
            try:
                response = client.request(method, url, data=data or None)
                if TRACES.search(response.text):
                    self.broken.append(f"{url}: {response.text[:300]}")
                if response.status_code < 500:
                    now = time.monotonic()
                    self.waits.append((now, now - asked))
                    self.answered.append(now)
                    return response.raise_for_status().text
            except httpx.TransportError:
                pass
            self.retries += 1
            if time.monotonic() > self.until:
                return ""
            time.sleep(0.1)


class Researcher(threading.Thread):
    """Signed in, and curious: one page after the other, whatever happens."""

    def __init__(self, url: str, session: str, pages: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self.url, self.session, self.pages, self.ending = url, session, pages, threading.Event()
        self.seen, self.refused, self.broken = 0, 0, list[str]()

    def run(self) -> None:
        with httpx.Client(base_url=self.url, cookies={"sessionid": self.session}, timeout=30) as client:
            while not self.ending.wait(0.5):
                page = self.pages[self.seen % len(self.pages)]
                self.seen += 1
                try:
                    response = client.get(page)
                except httpx.TransportError:
                    continue
                self.refused += response.status_code >= 500
                if TRACES.search(response.text):
                    self.broken.append(f"{page}: {response.text[:300]}")


class Stage:
    """Everything that runs while faults come."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.workers, self.seconds, self.stack = workers, seconds, ExitStack()

    def __enter__(self) -> "Stage":
        from config.servers import free_port
        from config.serving import web

        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.campaign = _campaign("faults", crowd.ITEMS, PLACES)
        self.run = _explanations(self.campaign.team, self.folder)
        self.port = free_port()
        self.url = self.stack.enter_context(web(self.port))
        self.celery = self.stack.enter_context(_celery())
        self.judges = self._crowd()
        self.researcher = self._researcher()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.stack.close()

    def stop(self) -> None:
        self.researcher.ending.set()
        for judge in self.judges:
            judge.until = 0.0
        for thread in [*self.judges, self.researcher]:
            thread.join()

    def _crowd(self) -> list[Judge]:
        tokens, lock = iter(_tokens(self.campaign, 900)), threading.Lock()

        def shared() -> Iterator[str]:
            while True:
                with lock:
                    token = next(tokens, None)
                if token is None:
                    return
                yield token

        judges = [Judge(f"{self.url}/w/{self.campaign.slug}/", shared()) for _ in range(self.workers)]
        for judge in judges:
            judge.start()
        return judges

    def _researcher(self) -> Researcher:
        from django.conf import settings
        from django.test import Client

        from accounts.models import Membership, User

        user = User.objects.create_superuser("faults", "faults@example.org", "a long enough pass phrase")
        Membership.objects.create(team=self.campaign.team, user=user, role=Membership.Role.OWNER)
        client = Client()
        client.force_login(user)
        # Not the campaign's own: the benchmark's methods are in no catalogue.
        pages = ["/", "/campaigns/", "/datasets/", "/classifiers/", "/explanations/", f"/w/{self.campaign.slug}/"]
        found = Researcher(self.url, client.cookies[settings.SESSION_COOKIE_NAME].value, pages)
        found.start()
        return found

    def row(self, name: str, fault: Callable[[], str]) -> None:
        """One line: what happened to people from the fault on, for as long as it takes and `seconds` more."""
        started, again = time.monotonic(), sum(judge.retries for judge in self.judges)
        told = fault()
        time.sleep(self.seconds)
        ended = time.monotonic()
        answered = sorted(at for judge in self.judges for at in judge.answered if started <= at <= ended)
        silence = max(after - before for before, after in zip([started, *answered], [*answered, ended], strict=True))
        waits = [wait for judge in self.judges for at, wait in judge.waits if started <= at <= ended]
        again = sum(judge.retries for judge in self.judges) - again
        acknowledged, stored = self.counted()
        lost = "" if acknowledged <= stored else f"  {len(acknowledged - stored)} LOST"
        figures = (
            f"{silence:>7.2f} {max(waits, default=0):>7.2f} {again:>6,} {len(acknowledged):>13,} {len(stored):>8,}"
        )
        print(f"{name:<9} {figures}{lost}  {told}", flush=True)

    def counted(self) -> tuple[set[int], set[int]]:
        """What was acknowledged by now, and then what is stored."""
        from django.db import connection

        from judging.models import Judgment

        acknowledged = set[int]().union(*(judge.acknowledged.copy() for judge in self.judges))
        connection.close()
        found = Judgment.objects.filter(assignment__participation__campaign=self.campaign)
        return acknowledged, set(found.values_list("assignment", flat=True))

    def told(self) -> str:
        """After the last fault: is all there, once, and did any page say more than it should?"""
        explained = _finished(self.run, 120)
        self.stop()
        acknowledged, _ = self.counted()
        broken = [one for judge in self.judges for one in judge.broken] + self.researcher.broken
        lines = [
            f"judgments: {crowd.exact(self.campaign.pk, acknowledged)}",
            f"explanations: {explained}",
            f"pages: {self.researcher.seen} looked at, {self.researcher.refused} answered with 5xx, "
            f"{len(broken)} with a traceback",
        ]
        return "\n".join([*lines, *broken[:3]])


def _campaign(slug: str, texts: int, places: int) -> Any:
    """With as many judgments of a text as it takes to keep the crowd busy to the end."""
    crowd.PLACES = places
    campaign = crowd.campaign_of(slug, texts)
    crowd.PLACES = PLACES
    return campaign


def _tokens(campaign: Any, number: int) -> list[str]:
    from judging.tokens import token_of
    from tests.judging.building import worker

    return [token_of(worker(campaign, f"faults {at} {time.monotonic_ns()}")) for at in range(number)]


def _explanations(team: Any, folder: Path) -> Any:
    """A run that is not asked for yet: it waits for the Celery worker to be there, and to be killed."""
    from materials.models import Classifier, Dataset, Text
    from tests.workers.tiny import WORDS, save_tiny
    from workers.registering import register

    dataset = Dataset.objects.create(team=team, name="Explained", slug="explained")
    contents = [
        " ".join(WORDS[(at * 7 + step * (1 + at % 5)) % len(WORDS)] for step in range(20)) for at in range(TEXTS)
    ]
    Text.objects.bulk_create(
        Text(dataset=dataset, key=str(at), content=f"{at} {one}", content_hash=str(at))
        for at, one in enumerate(contents)
    )
    classifier = Classifier.objects.create(team=team, name="Tiny", slug="tiny", source=str(save_tiny(folder / "tiny")))
    register(classifier.pk)
    classifier.refresh_from_db()
    return dataset, classifier, []


def _asked(stage: Stage) -> Any:
    """The run, asked for at the first fault that needs it."""
    from materials.explaining import explain

    dataset, classifier, runs = stage.run
    if not runs:
        wanted: dict[str, dict[str, Any]] = {name: {} for name in METHODS}
        runs.append(explain(dataset.texts.all(), dataset, classifier, wanted, {"sufficiency": {}}, None))
    return runs[0]


def _finished(found: Any, seconds: float) -> str:
    from materials.models import Explanation

    _, classifier, runs = found
    if not runs:
        return "none were asked for"
    run, until = runs[0], time.monotonic() + seconds
    while run.state == "running" and time.monotonic() < until:
        time.sleep(0.2)
        run.refresh_from_db()
    made, wanted = Explanation.objects.filter(classifier=classifier).count(), TEXTS * len(METHODS)
    return f"{made:,} of {wanted:,}, each once, {run.failures.count()} failed; the run is {run.state}"


@contextmanager
def _celery() -> Iterator[Any]:
    from celery import current_app

    from config.serving import celery_worker

    with celery_worker() as process:
        while not current_app.control.ping(timeout=1):
            assert process.alive(), "The Celery worker ended: see var/log/worker.log"
        yield process


def _done(run: Any) -> int:
    return int(run.chunks.filter(state="done").count())


def _within(seconds: float, is_so: Callable[[], bool]) -> float:
    """How long it took, or that it did not come about."""
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        if is_so():
            return time.monotonic() - started
        time.sleep(0.05)
    return float("nan")


# The faults, each of which says in words what came back


def web(stage: Stage) -> str:
    master = crowd._web_pid()
    children = crowd._children(master)
    os.kill(children[0], signal.SIGKILL)
    took = _within(20, lambda: len(set(crowd._children(master)) - {children[0]}) == len(children))
    return f"another process after {took:.1f} s"


def _celery_pids(stage: Stage) -> tuple[int, list[int]]:
    """Its main process and those that compute."""
    (main,) = crowd._children(stage.celery.pid)
    return main, crowd._children(main)


def task(stage: Stage) -> str:
    run = _asked(stage)
    _within(60, lambda: _done(run) >= 2)
    done, (_, children) = _done(run), _celery_pids(stage)
    os.kill(children[0], signal.SIGKILL)
    took = _within(60, lambda: _done(run) > done)
    return f"the next chunk after {took:.1f} s; {_done(run)} of {run.chunks.count()} done"


def celery(stage: Stage) -> str:
    run = _asked(stage)
    _within(60, lambda: _done(run) >= 2)
    done, (main, children) = _done(run), _celery_pids(stage)
    for pid in [main, *children]:
        os.kill(pid, signal.SIGKILL)
    answers = _within(60, lambda: _answers(stage.celery, dead=main))
    took = answers + _within(60, lambda: _done(run) > done)
    return f"started anew in {answers:.1f} s, the next chunk after {took:.1f} s"


def _answers(process: Any, dead: int) -> bool:
    """One that is not the dead one does, to whom it asks."""
    from celery import current_app

    return crowd._children(process.pid) != [dead] and bool(current_app.control.ping(timeout=1))


def redis(stage: Stage) -> str:
    run = _asked(stage)
    done, record = _done(run), Path(os.environ["PEEKAWORD_VAR"]) / "run" / "valkey.json"
    os.kill(json.loads(record.read_text())["pid"], signal.SIGKILL)
    ready = _within(30, lambda: _says(stage, "/readyz") == 200)
    if run.state == "running" and done < run.chunks.count():
        took = ready + _within(60, lambda: _done(run) > done)
        return f"ready after {ready:.1f} s, the next chunk after {took:.1f} s"
    return f"ready after {ready:.1f} s"


def postgres(stage: Stage) -> str:
    from django.db import connection

    pid = crowd._postgres_pid()
    connection.close()
    os.kill(pid, signal.SIGKILL)
    took = _within(60, lambda: _says(stage, "/readyz") == 200)
    return f"ready after {took:.1f} s"


def _says(stage: Stage, path: str) -> int:
    try:
        return httpx.get(stage.url + path, timeout=5).status_code
    except httpx.TransportError:
        return 0


def disk(stage: Stage) -> str:
    """Another web server with no room: uploads fail, judging goes on, and with room the same file is taken."""
    from config.servers import free_port
    from config.serving import web as start_web

    file = b"text,label\n" + b"a great film,positive\n" * (4 * ROOM // 22)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        full = start_web(free_port())
        url = full.__enter__()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    try:
        refused = _upload(stage, url, file)
        page = httpx.get(f"{url}/w/{stage.campaign.slug}/", follow_redirects=True).status_code
    finally:
        full.__exit__(None, None, None)
    return f"uploading: {refused}; judging there meanwhile: {page}; with room: {_upload(stage, stage.url, file)}"


def _upload(stage: Stage, url: str, file: bytes) -> str:
    with httpx.Client(base_url=url, cookies={"sessionid": stage.researcher.session}, timeout=60) as client:
        page = client.get("/datasets/import/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        data = {"csrfmiddlewaretoken": token[1] if token else "", "team": str(stage.campaign.team_id)}
        data |= {"name": f"Upload {time.monotonic_ns()}", "dataset_name": "Upload", "encoding": "", "quoting": "on"}
        try:
            response = client.post("/datasets/import/", data=data, files={"file": ("reviews.csv", file)})
        except httpx.TransportError as error:
            return f"cut off ({type(error).__name__})"
        if TRACES.search(response.text):
            stage.researcher.broken.append(response.text[:300])
        words = re.search(r"<h1>([^<]+)<", response.text)
        return f"{response.status_code}{f' “{words[1].strip()}”' if words else ''}"


def clock(stage: Stage) -> str:
    """All leases end at once, in the middle of the work: late answers are kept, and count where nobody was faster."""
    leases = _let_an_hour_pass(stage.campaign)
    time.sleep(1)
    from judging.models import Judgment

    late = Judgment.objects.filter(assignment__participation__campaign=stage.campaign, late=True)
    return f"{leases} leases ended at once, {late.count()} answers came late and are kept"


def _let_an_hour_pass(campaign: Any) -> int:
    """For all that holds a lease; how many there were."""
    from django.db.models import F

    from campaigns.models import Place
    from judging.models import Assignment

    hour = timedelta(hours=1)
    places = list(Place.objects.filter(campaign=campaign, state="leased").values_list("pk", flat=True))
    Assignment.objects.filter(place__in=places).update(deadline=F("deadline") - hour, leased_at=F("leased_at") - hour)
    held = Place.objects.filter(pk__in=places, state="leased")
    return held.update(leased_until=F("leased_until") - hour)


def drip(stage: Stage) -> str:
    """Answers whose bytes come one a second, of workers' own pages, so that a thread waits for each."""
    paths = [f"/w/{stage.campaign.slug}/{token}/" for token in _tokens(stage.campaign, 24)]
    told = []
    for clients in (6, 24):
        ending = threading.Event()
        threads = [
            threading.Thread(target=_drip, args=(stage.port, path, ending), daemon=True) for path in paths[:clients]
        ]
        for thread in threads:
            thread.start()
        started = time.monotonic()
        time.sleep(stage.seconds)
        answered = sum(started <= at for judge in stage.judges for at in judge.answered)
        told.append(f"{answered / (time.monotonic() - started):.0f} answers a second beside {clients}")
        ending.set()
        for thread in threads:
            thread.join()
    return ", ".join(told)


def _drip(port: int, path: str, ending: threading.Event) -> None:
    """A request that never comes to its end; a server may cut it off, and it begins anew."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    while not ending.is_set():
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                connection.sendall(f"{head}Content-Length: 1000\r\n\r\n".encode())
                while not ending.wait(1.0):
                    connection.sendall(b"a")
        except OSError:
            ending.wait(0.2)


def queue(stage: Stage) -> str:
    run = _asked(stage)
    chunk = run.chunks.order_by("number").first()
    _within(60, lambda: _done(run) >= 1)
    import redis as client

    server = client.Redis.from_url(os.environ["REDIS_URL"])
    started = time.monotonic()
    _send_often(server, chunk.pk)
    sent, most = time.monotonic() - started, server.llen("celery")
    page = _within(10, lambda: _says(stage, "/readyz") == 200)
    _within(90, lambda: server.llen("celery") == 0)
    taken, seconds = most - server.llen("celery"), time.monotonic() - started - sent
    return (
        f"sent in {sent:.1f} s, {most:,} waiting, ready said in {page:.2f} s, "
        f"{taken:,} of them done in {seconds:.0f} s ({taken / seconds:.0f} a second)"
    )


def _send_often(server: Any, chunk: int) -> None:
    """One task as Celery writes it, and copies under numbers of their own: at once, as one by one none would wait."""
    from celery import current_app

    aside = "faults"
    key = current_app.send_task("workers.explain_chunk", [chunk], queue=aside).id
    message = json.loads(server.rpop(aside))
    message["properties"]["delivery_info"]["routing_key"] = "celery"
    copies = []
    for at in range(QUEUED):
        message["properties"]["delivery_tag"] = f"{key}-{at}"
        message["headers"]["id"] = message["properties"]["correlation_id"] = f"{key[:-5]}{at:05}"
        copies.append(json.dumps(message))
    server.lpush("celery", *copies)


def leases(stage: Stage) -> str:
    """A small campaign of its own: 32 take an item and go; once their time is over, others get all of them."""
    from campaigns.models import Place

    small = _campaign("leases", 40, 3)
    with httpx.Client(timeout=60) as client:
        for token in _tokens(small, 32):
            client.get(f"{stage.url}/w/leases/{token}/")
    taken = _let_an_hour_pass(small)
    judges = [Judge(f"{stage.url}/w/leases/", iter([token])) for token in _tokens(small, 12)]
    started = time.monotonic()
    for judge in judges:
        judge.start()
    for judge in judges:
        judge.join(60)
    left = Place.objects.filter(campaign=small).exclude(state="filled").count()
    return f"{taken} abandoned, all given to others after {time.monotonic() - started:.1f} s: {left} places left"


FAULTS: dict[str, Callable[[Stage], str]] = {
    "web": web, "task": task, "celery": celery, "redis": redis, "postgres": postgres, "disk": disk, "clock": clock,
    "drip": drip, "queue": queue, "leases": leases,
}  # fmt: skip


if __name__ == "__main__":
    main()
