"""A web server whose Postgres goes away and comes back: nobody is told that something broke, and no answer is lost."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import httpx
import pytest
from django.conf import LazySettings
from django.db import connection

from accounts.api.tokens import make_token
from accounts.models import Team, User
from config.servers import free_port
from config.serving import web
from judging.models import Judgment
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "peekaword-of-this-test"


@dataclass
class Site:
    """A real web server that reaches Postgres by a name that can be taken away."""

    url: str
    log: Path
    name: Path
    real: Path

    def lose_the_database(self) -> None:
        self.name.unlink()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [NAME])

    def find_it_again(self) -> None:
        self.name.symlink_to(self.real)


@pytest.fixture
def site(
    _test_database_url: str, tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    folder = Path(unquote(urlsplit(os.environ["DATABASE_URL"]).netloc.rpartition("@")[2]))
    assert folder.is_dir(), "the tests' own Postgres listens in a folder"
    socket = tmp_path / ".s.PGSQL.5432"
    socket.symlink_to(folder / socket.name)
    where = f"postgres://postgres@{quote(str(tmp_path), safe='')}/{connection.settings_dict['NAME']}"
    monkeypatch.setenv("DATABASE_URL", f"{where}?application_name={NAME}")
    monkeypatch.setenv("PEEKAWORD_VAR", str(settings.VAR))
    settings.VAR = tmp_path
    with web(free_port()) as url:
        yield Site(url, tmp_path / "log" / "web.log", socket, folder / socket.name)


def _speaking(site: Site, cookies: dict[str, str] | None = None) -> httpx.Client:
    return httpx.Client(base_url=site.url, cookies=cookies, timeout=60)


def test_pages_programs_and_workers_are_asked_to_wait(site: Site, alice: User, team: Team) -> None:
    campaign = live_campaign(team, protocol="rationale_marking", texts=4)
    wanda = worker(campaign)
    cookies = {name: morsel.value for name, morsel in signed_in(alice).cookies.items()}
    token = make_token(alice, "notebook")[1]
    with _speaking(site, cookies) as browser, _speaking(site) as other:
        item = other.get(page_of(wanda)).text
        answer = dict(re.findall(r'name="(\w+)" value="([^"]*)"', item)) | {"answer": "marked", "words": "0"}
        assert browser.get("/campaigns/").status_code == 200
        site.lose_the_database()
        for _ in range(3):
            asked = [
                browser.get("/campaigns/"),
                browser.get("/"),
                browser.post("/teams/", data={"name": "Second lab"}),
                other.get("/sign-in/", headers={"Cookie": "sessionid=0123456789abcdef0123456789abcdef"}),
                other.get(page_of(wanda)),
                other.get(f"/w/{campaign.slug}/?PROLIFIC_PID=p"),
                other.post(page_of(wanda), data=answer),
            ]
            for response in asked:
                assert (response.status_code, response.headers["Retry-After"]) == (503, "5"), response.url
                assert response.headers["Content-Type"].startswith("text/html") and "no-store" in str(response.headers)
                assert "Traceback" not in response.text and "OperationalError" not in response.text
                assert "Content-Security-Policy" in response.headers
        problem = other.get("/api/v1/datasets/", headers={"Authorization": f"Bearer {token}"})
        assert (problem.status_code, problem.json()["code"], problem.headers["Retry-After"]) == (
            503,
            "unavailable",
            "5",
        )
        assert problem.headers["Content-Type"] == "application/problem+json"
        assert other.get("/readyz").status_code == 503 and other.get("/healthz").status_code == 200
        resent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', asked[-1].text))
        assert {name: str(value) for name, value in answer.items()} == resent
        site.find_it_again()
        assert other.post(page_of(wanda), data=resent).status_code == 200
        assert browser.get("/campaigns/").status_code == 200
    assert Judgment.objects.count() == 1
    log = site.log.read_text()
    assert "Traceback" not in log and "_session_cache" not in log, log[:3000]
    assert "The database cannot be reached: GET /campaigns/" in log


def test_workers_read_it_in_their_language(site: Site, team: Team) -> None:
    site.lose_the_database()
    page = httpx.get(f"{site.url}/w/films/", headers={"Accept-Language": "de-AT"}, timeout=60)
    assert page.status_code == 503 and 'lang="de"' in page.text and "Nochmals versuchen" in page.text


def test_no_password_is_written_into_a_page(site: Site, team: Team) -> None:
    with _speaking(site) as client:
        page = client.get("/sign-in/").text
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert found
        site.lose_the_database()
        sent = {"csrfmiddlewaretoken": found[1], "username": "alice", "password": "a long enough pass phrase"}
        answer = client.post("/sign-in/", data=sent)
    assert answer.status_code == 503 and "pass phrase" not in answer.text and "go back" in answer.text
