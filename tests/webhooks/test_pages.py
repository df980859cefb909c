import uuid
from ipaddress import ip_network
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Membership, Team, User
from tests.conftest import signed_in
from webhooks.models import Attempt, Delivery, Endpoint
from webhooks.registering import MOST_ENDPOINTS
from webhooks.signing import secret_of

pytestmark = pytest.mark.django_db
ADDRESS = "/settings/webhooks/"


@pytest.fixture
def mine(team: Team) -> Endpoint:
    return Endpoint.objects.create(team=team, url="https://lab.example/hook", events=["report.ready"])


@pytest.fixture
def eve(team: Team) -> User:
    """An editor."""
    user = User.objects.create_user("eve", "eve@example.org")
    Membership.objects.create(team=team, user=user, role=Membership.Role.EDITOR)
    return user


def _add(client: Client, team: Team, **said: Any) -> Any:
    fields = {"team": team.pk, "url": "https://lab.example/hook", "events": ["report.ready", "campaign.closed"]}
    return client.post(f"{ADDRESS}new/", fields | said)


def test_it_works(alice: User, team: Team) -> None:
    client = signed_in(alice)
    assert "No webhooks yet" in client.get(ADDRESS).content.decode()
    response = _add(client, team)
    made = Endpoint.objects.get()
    assert secret_of(made) in response.content.decode()
    assert response.headers["Cache-Control"] == "no-store"
    assert (made.team, made.url, made.events) == (team, "https://lab.example/hook", ["report.ready", "campaign.closed"])
    listed = client.get(ADDRESS).content.decode()
    assert "lab.example" in listed and secret_of(made) not in listed
    assert secret_of(made) not in client.get(made.get_absolute_url()).content.decode()
    assert AuditEntry.objects.get().act == "webhook_made"


@pytest.mark.parametrize(
    "url",
    [
        "", "lab.example", "ftp://lab.example/", "http://lab.example/", "https://", "https://u:p@lab.example/",
        "https://lab.example/#x", "https://lab.example:0/", "https://lab.example:99999/", "https://lab example/",
        "https://[::1", "javascript:alert(1)", "https://läb.example/", "https://a.example/" + "x" * 500,
        "https://a.example/\r\nX-Other: 1", "https://127.0.0.1/", "https://127.1/", "https://2130706433/",
        "https://0x7f.0.0.1/", "https://0177.0.0.1./", "https://[::1]/", "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/", "https://localhost/", "https://LOCALHOST./", "https://db/",
        "https://metadata.google.internal/", "https://printer.local:8443/",
    ],
)  # fmt: skip
def test_an_address_that_leads_nowhere_is_refused(alice: User, team: Team, url: str) -> None:
    response = _add(signed_in(alice), team, url=url)
    assert response.status_code == 200 and "errorlist" in response.content.decode()
    assert not Endpoint.objects.exists()


def test_unknown_and_no_events_are_refused(alice: User, team: Team) -> None:
    for events in (["no.such"], []):
        assert "errorlist" in _add(signed_in(alice), team, events=events).content.decode()
    assert not Endpoint.objects.exists()


def test_a_team_has_only_so_many(alice: User, team: Team) -> None:
    Endpoint.objects.bulk_create(
        Endpoint(team=team, url="https://a.example", events=["ping"]) for _ in range(MOST_ENDPOINTS)
    )
    assert "delete one first" in _add(signed_in(alice), team).content.decode()
    assert Endpoint.objects.count() == MOST_ENDPOINTS


def test_an_editor_changes_tries_renews_and_deletes(eve: User, mine: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    client, before, address = signed_in(eve), secret_of(mine), mine.get_absolute_url()
    Endpoint.objects.update(active=False, failing_since=timezone.now(), switched_off_at=timezone.now())
    assert "Nothing is sent to it since" in client.get(address).content.decode()
    client.post(address, {"url": "https://new.example/", "events": ["campaign.paused"], "active": "on"})
    mine.refresh_from_db()
    assert (mine.url, mine.events, mine.active) == ("https://new.example/", ["campaign.paused"], True)
    assert mine.failing_since is None and mine.switched_off_at is None
    client.post(f"{address}ping/")
    assert Delivery.objects.get().event == "ping"
    renewed = client.post(f"{address}secret/").content.decode()
    mine.refresh_from_db()
    assert before not in renewed and secret_of(mine) in renewed
    assert client.post(f"{address}delete/").status_code == 302
    assert not Endpoint.objects.exists() and not Delivery.objects.exists()
    assert [entry.act for entry in AuditEntry.objects.order_by("pk")] == ["webhook_changed"] * 2 + ["webhook_deleted"]


def test_the_log_shows_what_came_of_it_and_sends_again(alice: User, mine: Endpoint) -> None:
    delivery = Delivery.objects.create(
        endpoint=mine, event="report.ready", body="{}", due_at=timezone.now(), state=Delivery.State.FAILED, tries=15
    )
    Attempt.objects.create(
        delivery=delivery, number=15, status=500, milliseconds=1234, response="<b>oh</b>", error="It answered 500."
    )
    client, address = signed_in(alice), mine.get_absolute_url()
    page = client.get(address).content.decode()
    assert "Given up" in page and "1,234 ms" in page and "It answered 500." in page and "&lt;b&gt;oh&lt;/b&gt;" in page
    assert client.post(f"{address}deliveries/{delivery.pk}/").status_code == 302
    delivery.refresh_from_db()
    assert delivery.state == Delivery.State.WAITING


def test_the_number_of_queries_does_not_grow(alice: User, mine: Endpoint, django_assert_max_num_queries: Any) -> None:
    Delivery.objects.bulk_create(
        Delivery(endpoint=mine, key=uuid.uuid4(), event="ping", body="{}", due_at=timezone.now()) for _ in range(60)
    )
    client = signed_in(alice)
    with django_assert_max_num_queries(12):
        assert client.get(mine.get_absolute_url()).status_code == 200


def test_wrong_methods_are_refused(alice: User, mine: Endpoint) -> None:
    client = signed_in(alice)
    for act in ("ping", "secret", "delete", "deliveries/1"):
        assert client.get(f"{mine.get_absolute_url()}{act}/").status_code == 405
    assert client.post(ADDRESS).status_code == 405


def test_strangers_find_nothing_and_analysts_may_not(bob: User, charlie: User, mine: Endpoint, client: Client) -> None:
    acts = ["", "ping/", "secret/", "delete/", "deliveries/1/"]
    for user, status in ((bob, 403), (charlie, 404)):
        answers = {signed_in(user).post(f"{mine.get_absolute_url()}{act}").status_code for act in acts}
        assert answers == {status}
        assert "lab.example" not in signed_in(user).get(ADDRESS).content.decode()
    assert signed_in(bob).get(f"{ADDRESS}new/").status_code == 403
    assert client.get(ADDRESS).status_code == 302
    assert Endpoint.objects.filter(pk=mine.pk).exists()


def test_the_delivery_of_another_s_endpoint_is_not_sent_again(charlie: User, mine: Endpoint) -> None:
    delivery = Delivery.objects.create(endpoint=mine, event="ping", body="{}", due_at=timezone.now())
    theirs = Endpoint.objects.create(team=charlie.teams.get(), url="https://t.example", events=["ping"])
    address = f"{theirs.get_absolute_url()}deliveries/{delivery.pk}/"
    assert signed_in(charlie).post(address).status_code == 404


def test_the_first_page_tells_those_who_edit_of_one_that_was_switched_off(
    alice: User, bob: User, charlie: User, mine: Endpoint
) -> None:
    Endpoint.objects.update(active=False, switched_off_at=timezone.now())
    told = signed_in(alice).get("/").content.decode()
    assert "The webhook at lab.example" in told and mine.get_absolute_url() in told
    for other in (bob, charlie):
        assert "The webhook at" not in signed_in(other).get("/").content.decode()


@pytest.mark.parametrize("url", ["https://10.0.0.7/hook", "https://db.internal/", "http://lab.example/"])
def test_who_names_an_address_inside_learns_who_can_open_it(alice: User, team: Team, url: str) -> None:
    page = _add(signed_in(alice), team, url=url).content.decode()
    assert page.count("WEBHOOK_NETWORKS") == 2, "in the help and in the error"
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("url", ["https://10.0.0.7/hook", "http://10.0.0.7/hook", "https://db.internal/"])
def test_a_network_that_was_opened_is_taken(alice: User, team: Team, settings: Any, url: str) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8")]
    _add(signed_in(alice), team, url=url)
    assert Endpoint.objects.get().url == url


@pytest.mark.parametrize("url", ["https://192.168.0.7/", "http://1.1.1.1/"])
def test_it_opens_nothing_else(alice: User, team: Team, settings: Any, url: str) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8")]
    _add(signed_in(alice), team, url=url)
    assert not Endpoint.objects.exists()
