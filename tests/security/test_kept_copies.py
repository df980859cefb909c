"""No copy of what somebody was let in to see outlives the sign-out, in a browser or in a proxy on the way."""

from collections.abc import Iterator

import pytest
from django.test import Client

from accounts.models import User
from tests.api.reaching import Speaker
from tests.security.table import METHODS, ROWS
from tests.security.test_access_matrix import FORM, undone
from tests.security.walking import address
from tests.security.world import World, browsers

pytestmark = pytest.mark.django_db
# The library of charts and the colours of a replay: the same for everybody, and nobody's.
PUBLIC = {"charts/<str:name>", "replay/<str:scheme>.css"}


@pytest.mark.parametrize("part", ROWS)
def test_it_works(world: World, charlie: User, part: str) -> None:
    people = {who: client for who, client in browsers(world, charlie).items() if who != "anonymous"}
    wrong = [fault for pattern in ROWS[part] for fault in _kept(pattern, world, people)]
    assert not wrong, "\n".join(wrong)


def _kept(pattern: str, world: World, people: dict[str, Client]) -> Iterator[str]:
    """By whatever method: refusals and redirects name what is there, too."""
    for method in METHODS:
        for who, client in people.items():
            with undone():
                said = client.generic(method, address(pattern, world), content_type=FORM).get("Cache-Control", "")
            if (pattern in PUBLIC and "public" in said) or "no-store" in said:
                continue
            yield f"{method} {pattern} as {who}: Cache-Control: {said!r}"


DOWNLOADS = [
    "participants/participants.csv", "participants/pay.csv", "participants/review.csv", "report/judgments.csv",
    "report/report.zip", "archive/archive.zip",
]  # fmt: skip


@pytest.mark.parametrize("name", DOWNLOADS)
def test_files_to_take_home_are_kept_by_nobody_on_the_way(world: World, charlie: User, name: str) -> None:
    client = browsers(world, charlie)["owner"]
    assert client.get(f"/campaigns/{world.campaign.slug}/{name}")["Cache-Control"] == "private, no-store"


def test_a_program_may_keep_only_what_it_can_compare(world: World) -> None:
    campaign = f"/api/v1/campaigns/{world.campaign.slug}/"
    owner = Speaker(world.people["owner"])
    tagged, streamed = owner.get(campaign), owner.get(f"{campaign}judgments/all/")
    assert (tagged["Cache-Control"], "ETag" in tagged) == ("private, no-cache", True)
    assert (streamed["Cache-Control"], "ETag" in streamed) == ("private, no-store", False)
    assert owner.get("/api/docs/")["Cache-Control"] == "private, no-store"
    assert owner.get("/api/schema/")["Cache-Control"].startswith("private, no-")


def test_pages_for_anybody_say_nothing_of_it(client: Client, db: None) -> None:
    assert "no-store" not in client.get("/styleguide/").headers.get("Cache-Control", "")
