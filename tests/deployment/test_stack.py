"""The services of docker-compose.yml, started as the file says, do real work together. See stack.py for what stands in
for Docker here."""

import json
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from config.beat import app as beat
from tests.conftest import PASSWORD
from tests.deployment.composing import example
from tests.deployment.stack import POSTGRES, REDIS, Stack
from tests.workers.tiny import save_tiny

HOST = "peekaword.example"
METRICS_TOKEN = secrets.token_hex(16)
PATIENCE = 240.0


class Proxy(httpx.BaseTransport):
    """Ends TLS and hands on, as the proxy in front of a deployment does."""

    def __init__(self, port: int) -> None:
        self.port, self.inner = port, httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self.port)
        headers = {**request.headers, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        # The request itself stays as it is: where it was sent is what redirects and cookies go by.
        handed = httpx.Request(
            request.method, url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        return self.inner.handle_request(handed)


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    if not POSTGRES or not REDIS:
        pytest.skip("no Postgres or no Redis found: install Debian's packages postgresql and redis-server")
    # Not in pytest's folder, into which Postgres's own user may not look.
    folder = Path(tempfile.mkdtemp(prefix="peekaword-stack-"))
    folder.chmod(0o755)
    chosen = {name: secrets.token_hex(32) for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")}
    chosen |= {"METRICS_TOKEN": METRICS_TOKEN, "CLASSIFIER_FOLDERS": str(folder / "volumes" / "classifiers")}
    try:
        with Stack(folder, {**example(), **chosen}) as stack:
            for name in ("web", "worker", "beat"):
                stack.start(name)
            for name in ("web", "worker", "beat"):
                stack.wait_healthy(name)
            yield stack
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def client(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"https://{HOST}", transport=Proxy(stack.ports["web"]), timeout=60) as client:
        yield client


def until_done(client: httpx.Client, path: str) -> Any:
    """What is under way is asked for until it is not."""
    deadline = time.monotonic() + PATIENCE
    while (row := client.get(path).raise_for_status().json())["state"] in {"waiting", "loading", "running"}:
        assert time.monotonic() < deadline, row
        time.sleep(0.1)
    return row


def sign_in(client: httpx.Client) -> None:
    page = client.get("/", follow_redirects=True)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert page.url.path == "/sign-in/" and token
    form = {"csrfmiddlewaretoken": token[1], "username": "alice", "password": PASSWORD}
    answer = client.post(str(page.url), data=form, headers={"Referer": str(page.url)}, follow_redirects=True)
    assert answer.status_code == 200 and answer.url.path != "/sign-in/", answer.text
    client.headers.update({"X-CSRFToken": client.cookies["csrftoken"], "Referer": f"https://{HOST}/"})


def bring_texts(client: httpx.Client) -> httpx.Response:
    """By upload and worker; the answer to what was asked last."""
    file = b"text,label\nA really great film.,positive\nBoring and awful.,negative\n"
    new = {"file": "reviews.csv", "size": len(file)}
    upload = client.post("/api/v1/uploads/", json=new).raise_for_status().json()
    path = f"/api/v1/uploads/{upload['id']}/"
    headers = {"Content-Type": "application/octet-stream", "Upload-Offset": "0"}
    client.patch(path, content=file, headers=headers).raise_for_status()
    asked = client.post(f"{path}complete/", json={"dataset": "Reviews"}).raise_for_status()
    brought = until_done(client, f"/api/v1/imports/{asked.json()['id']}/")
    assert (brought["state"], brought["taken"]) == ("done", 2), brought
    return asked


@pytest.mark.long
def test_it_works(stack: Stack, client: httpx.Client) -> None:
    """Sign in, bring texts, add a classifier, explain one text, and look at what it all left behind."""
    stack.run("web", "python", "manage.py", "createsuperuser", "--no-input", "--username=alice",
              "--email=alice@lab.example", DJANGO_SUPERUSER_PASSWORD=PASSWORD)  # fmt: skip
    sign_in(client)
    asked = bring_texts(client)
    source = str(save_tiny(stack.folder / "volumes" / "classifiers" / "critic"))
    made = client.post("/api/v1/classifiers/", json={"name": "Critic", "source": source}).raise_for_status().json()
    critic = until_done(client, f"/api/v1/classifiers/{made['slug']}/")
    assert critic["state"] == "ready", critic
    wanted = {
        "dataset": "reviews",
        "classifier": made["slug"],
        "kind": "explain",
        "texts": 1,
        "methods": {"gradient": {}},
    }
    run = client.post("/api/v1/runs/", json=wanted).raise_for_status().json()
    assert until_done(client, f"/api/v1/runs/{run['id']}/")["state"] == "done"
    (explanation,) = client.get("/api/v1/datasets/reviews/explanations/").raise_for_status().json()["results"]
    assert explanation["method"] == "gradient"

    lines = [json.loads(line) for line in stack.log("worker").splitlines() if line.startswith("{")]
    imported = [line for line in lines if line.get("request_id") == asked.headers["X-Request-ID"]]
    assert imported and all(line["task_id"] for line in imported)
    said = stack.log("web") + stack.log("worker") + stack.log("beat")
    assert not [one for one in ("Traceback", PASSWORD, "alice@lab.example", "192.0.2.7") if one in said], said


def test_the_web_is_ready_with_all_that_it_needs_and_without_torch(stack: Stack, client: httpx.Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, set(answer.json().values())) == (200, {"ok"})
    looked = "import importlib.util as u; print([n for n in ('torch', 'transformers', 'pytest') if u.find_spec(n)])"
    assert stack.run("web", "python", "-c", looked) == "[]\n"
    assert stack.run("worker", "python", "-c", looked) == "['torch', 'transformers']\n"


def test_static_files_are_hashed_and_kept_by_browsers(stack: Stack, client: httpx.Client) -> None:
    page = client.get("/sign-in/")
    found = re.search(r'href="(/static/css/peekaword\.[0-9a-f]{12}\.css)"', page.text)
    assert found and "immutable" in client.get(found[1]).headers["Cache-Control"]
    assert page.headers["Strict-Transport-Security"]


def test_beat_ticks_for_a_worker_that_knows_what_it_sends(stack: Stack) -> None:
    """What comes every minute is sent after a minute; that beat lives is seen at once."""
    assert stack.healthy("beat") and "beat: Starting" in stack.log("beat")
    for entry in beat.conf.beat_schedule.values():
        assert f"  . {entry['task']}\n" in stack.log("worker")


def test_every_web_process_is_in_the_metrics(stack: Stack, client: httpx.Client) -> None:
    """The requests of both are counted, whichever of them is asked in the end."""
    for _ in range(30):
        httpx.get(f"http://127.0.0.1:{stack.ports['web']}/healthz", headers={"Host": HOST}).raise_for_status()
    deadline, counted, workers = time.monotonic() + 30, 0.0, 0.0
    while counted < 30 and time.monotonic() < deadline:
        text = client.get("/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}).raise_for_status().text
        samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
        counted = sum(one.value for one in samples if one.name.endswith("_count") and one.labels["view"] == "healthz")
        (workers,) = [one.value for one in samples if one.name == "peekaword_workers"]
        time.sleep(0.2)
    assert (counted, workers) == (30, 1)


def test_a_worker_s_pass_is_in_no_log(stack: Stack, client: httpx.Client) -> None:
    given = f"7.{secrets.token_hex(16)}"
    client.get(f"/w/nowhere/{given}/", params={"PROLIFIC_PID": given})
    deadline, paths = time.monotonic() + 30, dict[str, Any]()
    while "/w/nowhere/[hidden]/" not in paths and time.monotonic() < deadline:  # It is written after the answer.
        time.sleep(0.1)
        lines = [json.loads(line) for line in stack.log("web").splitlines() if line.startswith("{")]
        paths = {line["path"]: line for line in lines if "path" in line}
    assert paths["/w/nowhere/[hidden]/"]["status"] == 404 and given not in stack.log("web")


def test_what_is_not_a_volume_is_left_as_it_was(stack: Stack) -> None:
    """A read-only root file system is no obstacle: all that was written lies in volumes and in temporary folders."""
    for target, app in stack.apps.items():
        made = app.parent / "made"
        newer = [
            path for path in app.rglob("*") if not path.is_symlink() and os.stat(path).st_mtime > made.stat().st_mtime
        ]
        assert newer == [], f"{target}: {newer}"
    for home in (stack.folder / "home").iterdir():
        assert {path.name for path in home.iterdir()} <= {"tmp", ".cache"}, home
