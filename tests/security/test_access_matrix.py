"""Every address, by every method, as everybody: nothing more is to be had than the table says."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from tests.api.reaching import operations
from tests.security.outcomes import NO_METHOD, OK, Outcomes, outcome_of
from tests.security.table import METHODS, ROWS, TABLE, Row
from tests.security.walking import address, patterns
from tests.security.world import TEAMS_OWN, WORKERS_OWN, World, browsers, build

API = "api/v1/"
FORM = "application/x-www-form-urlencoded"

pytestmark = pytest.mark.django_db


def test_every_address_has_its_line_in_the_table() -> None:
    routes = {route for route, _ in patterns()}
    assert {route for route in routes if not route.startswith(API)} == set(TABLE)
    told = {re.sub(r"{\w+}", "<>", path).lstrip("/") for _, path, _ in operations()}
    api = {re.sub(r"<\w+>", "<>", route) for route in routes if route.startswith(API)}
    assert api == told, "each is held by tests/api/test_access.py"


@pytest.mark.parametrize("part", ROWS)
def test_it_works(world: World, charlie: User, part: str) -> None:
    people = browsers(world, charlie)
    wrong = [fault for pattern, row in ROWS[part].items() for fault in _faults(pattern, row, world, people)]
    assert not wrong, "\n".join(wrong)


def _faults(pattern: str, row: Row, world: World, people: dict[str, Client]) -> Iterator[str]:
    where = address(pattern, world)
    for method in METHODS:
        for who, client in people.items():
            allowed = getattr(row[method], who) if method in row else NO_METHOD
            if method not in row and who != "owner":
                continue  # What the owner may not is seen by the others' rows.
            with undone():
                sent = urlencode(world.sent.get(pattern, {}))
                query = sent if method == "GET" else ""
                response = client.generic(method, where, sent, content_type=FORM, QUERY_STRING=query)
                yield from _compared(f"{method} {pattern} as {who}", response, allowed, who)


def _compared(what: str, response: Any, allowed: str, who: str) -> Iterator[str]:
    found = outcome_of(response)
    if found != allowed:
        yield f"{what}: {found}, expected {allowed}"
    body = response.getvalue() if response.streaming else response.content
    worker = what.split()[1].startswith("w/")
    if who in ("anonymous", "stranger") and not worker and TEAMS_OWN.encode() in body:
        yield f"{what}: shows what is the team's"
    if who in ("anonymous", "stranger", "analyst") and WORKERS_OWN.encode() in body:
        yield f"{what}: shows what is known of a worker"


@contextmanager
def undone() -> Iterator[None]:
    """Each request meets the world as it was built."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _naming_two(table: dict[str, Row]) -> list[tuple[str, str, Outcomes]]:
    """Addresses within a campaign or dataset that name another row too."""
    inner = ("<int:number>", "<int:pk>", "<str:code>")
    return [
        (pattern, method, outcomes)
        for pattern, row in table.items()
        for method, outcomes in row.items()
        if "<slug:slug>" in pattern and any(part in pattern for part in inner)
    ]


@pytest.mark.parametrize(("pattern", "method", "outcomes"), _naming_two(TABLE))
def test_a_campaign_of_ones_own_is_no_way_to_anothers_rows(pattern: str, method: str, outcomes: Outcomes) -> None:
    ours, theirs = build("ours"), build("theirs")
    theirs_by_our_slug = _crossed(pattern, ours, theirs)
    client = Client()
    client.force_login(ours.people["owner"])
    response = client.generic(method, theirs_by_our_slug, content_type=FORM)
    assert outcomes.owner == OK
    assert response.status_code in (302, 404), "302 is for what says that there is no such row"
    assert TEAMS_OWN not in response.headers.get("Location", "")
    assert not theirs.campaign.invitations.exclude(revoked_at=None).exists()
    assert not theirs.campaign.class_codes.exclude(revoked_at=None).exists()
    assert not theirs.campaign.participations.exclude(excluded_at=None).exists()


def _crossed(pattern: str, ours: World, theirs: World) -> str:
    return address(pattern, theirs).replace("-theirs/", "-ours/", 1)
