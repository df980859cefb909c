"""Every method at every address, as everybody: a new one without an entry in the dicts of expectations fails here."""

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import transaction

from accounts.api.models import ApiToken
from accounts.api.scopes import SCOPES
from accounts.models import AuditEntry, Team, User
from tests.api.expecting import ACTORS, Expected, World
from tests.api.materials_access import MATERIALS
from tests.api.materials_access import furnish as furnish_materials
from tests.api.reaching import Speaker, operations
from tests.api.study_access import STUDY
from tests.api.study_access import furnish as furnish_study

EXPECTED: dict[str, Expected] = MATERIALS | STUDY


@pytest.fixture
def world(
    team: Team, alice: User, bob: User, charlie: User, eve: User, settings: LazySettings, tmp_path: Path
) -> World:
    cache.clear()
    settings.MEDIA_ROOT = tmp_path
    settings.API_STRANGER_REQUESTS_PER_MINUTE = 10_000
    world = World(alice, eve, bob, charlie)
    world.at.update(furnish_materials(team, alice))
    world.at.update(furnish_study(team, alice))
    return world


def test_every_address_says_who_gets_what() -> None:
    assert {f"{method} {path}" for method, path, _ in operations()} == set(EXPECTED)


@pytest.mark.django_db
def test_everybody_gets_what_is_theirs(world: World) -> None:
    speakers = {actor: Speaker(getattr(world, actor)) for actor in ACTORS}
    got = {name: {actor: _status(name, world, one) for actor, one in speakers.items()} for name in EXPECTED}
    assert got == {name: {actor: getattr(one, actor) for actor in ACTORS} for name, one in EXPECTED.items()}


@pytest.mark.django_db
def test_nobody_gets_in_without_credentials_or_scope(world: World) -> None:
    guarded = [name for name, one in EXPECTED.items() if not one.open_to_all]
    lacking = {scope: Speaker(world.owner, tuple(set(SCOPES) - {scope})) for scope in SCOPES}
    scopes = {f"{method} {path}": one["security"][0].get("token", []) for method, path, one in operations()}
    got = {
        name: (_status(name, world, Speaker()), *(_status(name, world, lacking[scope]) for scope in scopes[name]))
        for name in guarded
    }
    assert got == dict.fromkeys(guarded, (401, 403))


def _status(name: str, world: World, speaker: Speaker) -> int:
    """Of a request that is undone again."""
    method, path = name.split()
    expected = EXPECTED[name]
    address = path.format(**world.at.get(path.split("/")[3], {}))
    with transaction.atomic():
        response = speaker.ask(method, address, expected.body and expected.body(world), expected.headers)
        if response.streaming:
            list(response.streaming_content)
        transaction.set_rollback(True)
    return int(response.status_code)


READING = tuple(scope for scope in SCOPES if scope.endswith(":read"))


@pytest.mark.django_db
def test_a_token_that_only_reads_changes_nothing_anywhere(world: World) -> None:
    """Not even an owner's: each unsafe operation of the schema is refused for its scope, and nothing is written."""
    unsafe = [
        name for name, one in EXPECTED.items() if not name.startswith("GET") and not one.open_to_all
        and not _asks_to_read(name)
    ]  # fmt: skip
    reader = Speaker(world.owner, READING)
    before = AuditEntry.objects.count()
    assert len(unsafe) > 30
    assert {name: _status(name, world, reader) for name in unsafe} == dict.fromkeys(unsafe, 403)
    assert AuditEntry.objects.count() == before


def _asks_to_read(name: str) -> bool:
    """What is told by POST because the question is long."""
    scopes = {f"{method} {path}": one["security"][0].get("token", []) for method, path, one in operations()}
    return all(scope in READING for scope in scopes[name])


@pytest.mark.django_db
def test_no_token_makes_or_changes_a_token(world: World) -> None:
    """There is no such address; the pages that do it take no token, and trading a password is no power of one."""
    assert {path for _, path, _ in operations() if re.search(r"/tokens?/", path)} == {"/api/v1/token/"}
    whole = Speaker(world.owner)
    before = list(ApiToken.objects.order_by("pk").values_list("pk", "scopes"))
    form = {"name": "more", "days": 366, "scopes": list(SCOPES)}
    for path in ("/settings/tokens/", "/settings/tokens/new/"):
        answer = whole.client.post(path, form, headers=whole.credentials)
        assert answer.status_code in (302, 405) and "/sign-in/" in answer.get("Location", "/sign-in/")
    for method in ("POST", "PUT", "PATCH"):
        assert whole.ask(method, "/api/v1/token/", form).status_code in (400, 401, 405)
    assert list(ApiToken.objects.order_by("pk").values_list("pk", "scopes")) == before


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-Method-Override"])
def test_no_header_turns_reading_into_writing(world: World, header: str) -> None:
    reader = Speaker(world.owner, READING)
    answer = reader.ask("GET", "/api/v1/teams/", headers={header: "POST"})
    assert answer.status_code == 200 and "results" in answer.json()
