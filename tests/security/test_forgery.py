"""No other site can have a researcher's browser do something here."""

from typing import Any

from django.test import Client

from tests.security.table import FREE_OF_CSRF, TABLE
from tests.security.test_access_matrix import FORM, undone
from tests.security.walking import address
from tests.security.world import PASSWORD, World

CHANGING = ("POST", "PUT", "PATCH", "DELETE")


def changing() -> list[tuple[str, str]]:
    return [(pattern, method) for pattern, row in TABLE.items() for method in CHANGING if method in row]


def _sent(client: Client, pattern: str, method: str, world: World, **headers: Any) -> Any:
    with undone():
        return client.generic(method, address(pattern, world), content_type=FORM, **headers)


def test_it_works(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.people["owner"])
    let_through = {pattern for pattern, method in changing() if not _is_refused(_sent(client, pattern, method, world))}
    assert let_through == set(FREE_OF_CSRF), "a new exemption needs its reason in tests/security/table.py"


def _is_refused(response: Any) -> bool:
    return response.status_code == 403 and (b"CSRF" in response.content or b"load the page anew" in response.content)


def test_a_cookie_alone_is_not_enough(world: World) -> None:
    """What another site can send along is the cookie, and never what stands in the page."""
    client = Client(enforce_csrf_checks=True)
    client.get("/sign-in/")
    form = {"username": "owner-ours", "password": PASSWORD, "login": "owner-ours"}
    assert _is_refused(client.post("/sign-in/", form))
    client.force_login(world.people["owner"])
    where = address("campaigns/<slug:slug>/<campaign_action:action>/", world)
    assert _is_refused(client.post(where, {"csrfmiddlewaretoken": "x" * 64}))
    world.campaign.refresh_from_db()
    assert world.campaign.state == "live"


def test_a_workers_cookie_does_nothing_by_itself(world: World) -> None:
    """Their pages need no check, as no other site knows their address; the cookie only leads back to it."""
    where = address("w/<slug:slug>/", world)
    client = Client(enforce_csrf_checks=True)
    arrived = client.get(where, {"PROLIFIC_PID": "somebody"})
    assert client.cookies["peekaword_worker"]["httponly"] and client.cookies["peekaword_worker"]["samesite"] == "Lax"
    assert client.cookies["peekaword_worker"]["path"] == where and arrived.status_code == 302
    assert client.post(where, {"choice": "decline"}).status_code in (403, 405)
