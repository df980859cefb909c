"""Nobody tries names and codes all day, and a class that comes at once comes in."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory

from accounts.models import Team
from judging import hearing_views
from judging.crowding import address_of
from judging.models import Participation
from tests.judging.building import live_campaign
from tests.judging.walking import text_of

pytestmark = pytest.mark.django_db
OUTSIDE = "203.0.113.7"


@pytest.fixture(autouse=True)
def nobody_has_come(db: None) -> None:
    cache.clear()


def come(name: str, slug: str = "films", address: str = OUTSIDE) -> Any:
    return Client(REMOTE_ADDR=address).get(f"/w/{slug}/", {"PROLIFIC_PID": name})


def test_it_works(team: Team, settings: Any) -> None:
    settings.ARRIVALS_PER_MINUTE = 3
    live_campaign(team)
    live_campaign(team, slug="other")
    assert [come(f"worker {at}").status_code for at in range(5)] == [302, 302, 302, 429, 429]
    assert "Please come back later" in text_of(come("worker 6")) and Participation.objects.count() == 3
    assert come("worker 6", address="203.0.113.8").status_code == 302
    assert come("worker 6", slug="other").status_code == 302


def test_a_class_behind_one_address_comes_in(team: Team) -> None:
    live_campaign(team, texts=40, judgments=5)
    assert {come(f"pupil {at}").status_code for at in range(60)} == {302}


def test_the_servers_own_crowd_is_not_counted(team: Team, settings: Any) -> None:
    settings.ARRIVALS_PER_MINUTE = 1
    live_campaign(team)
    assert {come(f"worker {at}", address="127.0.0.1").status_code for at in range(4)} == {302}


def test_at_work_nobody_is_counted(team: Team, settings: Any) -> None:
    settings.ARRIVALS_PER_MINUTE = 1
    live_campaign(team)
    page = come("wanda").headers["Location"]
    client = Client(REMOTE_ADDR=OUTSIDE)
    assert {client.get(page).status_code for _ in range(5)} == {200}


def test_codes_cannot_be_tried_all_day(team: Team, settings: Any) -> None:
    settings.ARRIVALS_PER_MINUTE = 2
    live_campaign(team, recruitment="class_code")
    client = Client(REMOTE_ADDR=OUTSIDE)
    tried = [client.get("/w/films/", {"code": f"GUESS{at}"}).status_code for at in range(4)]
    assert tried == [403, 403, 429, 429]


def test_no_header_of_the_senders_makes_another_address(settings: Any) -> None:
    request = RequestFactory().get("/", headers={"X-Forwarded-For": "198.51.100.1, 198.51.100.2"}, REMOTE_ADDR=OUTSIDE)
    settings.SECURE_PROXY_SSL_HEADER = None
    assert address_of(request) == OUTSIDE
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert address_of(request) == "198.51.100.2"


def test_hooks_take_what_a_hook_sends(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    large = client.post("/hooks/prolific/", b"x" * (2**18 + 1), content_type="application/json")
    assert large.status_code == 429
    monkeypatch.setattr(hearing_views, "PER_MINUTE", 2)
    outside = Client(REMOTE_ADDR=OUTSIDE)
    answers = [outside.post("/hooks/prolific/", b"{}", content_type="application/json").status_code for _ in range(4)]
    assert answers == [403, 403, 429, 429]
