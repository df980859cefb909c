"""What is filled in of the wizard is saved as it is filled in; pages that meet lose nothing of each other."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign, Sketch
from campaigns.sketching import keep
from campaigns.tasks import forget_sketches
from tests.campaigns.actors import draft
from tests.campaigns.test_campaign_edit import filled
from tests.conftest import signed_in

NEW = "/campaigns/autosave/"
EDIT = "/campaigns/which-words-matter/edit/"
SAVE = "/campaigns/which-words-matter/autosave/"
HTMX = {"HX-Request": "true"}
ONE, OTHER = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


def saved(client: Client, address: str, page: str = ONE, sketch: Sketch | None = None, **given: Any) -> str:
    """As the page sends what is filled in, with what it knows of its sketch."""
    known = {"sketch": str(sketch.key), "sketch_version": sketch.version} if sketch else {}
    response = client.post(address, {"page": page, **known, **given}, headers=HTMX)
    assert response.status_code == 200
    return response.content.decode()


def test_it_works(alice: User, team: Team) -> None:
    """A new campaign, half filled in, is there again."""
    client = signed_in(alice)
    draft(team)
    shown = saved(client, NEW, protocol="rating", name="Half a thought", question="What  do you see?")
    sketch = Sketch.objects.get()
    assert "Saved at" in shown and str(sketch.key) in shown and sketch.name == "Half a thought"
    page = client.get(sketch.get_absolute_url()).content.decode()
    assert 'value="Half a thought"' in page and "What  do you see?" in page and "not a draft yet" in page


def test_the_address_of_the_page_becomes_the_sketch_s(alice: User, team: Team) -> None:
    response = signed_in(alice).post(NEW, {"page": ONE, "name": "A"}, headers=HTMX)
    assert response.headers["HX-Replace-Url"] == Sketch.objects.get().get_absolute_url()


def test_a_page_goes_on_with_its_sketch(alice: User, team: Team) -> None:
    client = signed_in(alice)
    saved(client, NEW, name="A")
    saved(client, NEW, sketch=Sketch.objects.get(), name="A b")
    sketch = Sketch.objects.get()
    assert (sketch.name, sketch.version) == ("A b", 2)


def test_a_page_that_never_heard_of_its_first_save_goes_on_with_it(alice: User, team: Team) -> None:
    """The tab was hidden, and the answer came to nobody."""
    client = signed_in(alice)
    saved(client, NEW, name="A")
    saved(client, NEW, name="A b")
    assert Sketch.objects.get().name == "A b"


def test_two_pages_of_one_draft_lose_nothing(alice: User, team: Team) -> None:
    client, campaign = signed_in(alice), draft(team)
    assert "beside" not in saved(client, SAVE, page=ONE, question="One?")
    shown = saved(client, SAVE, page=OTHER, question="Another?")
    assert "Another page of yours saved its own text" in shown and "Both are kept" in shown
    later, first = Sketch.objects.filter(campaign=campaign)
    assert (later.beside, "One" in first.filled_in, "Another" in later.filled_in) == (first, True, True)
    assert first.get_absolute_url() in shown
    assert 'value="One?"' in client.get(first.get_absolute_url()).content.decode()
    assert 'value="Another?"' in client.get(EDIT).content.decode()


def test_the_page_that_loaded_it_may_go_on_and_the_older_one_is_told(alice: User, team: Team) -> None:
    client = signed_in(alice)
    draft(team)
    saved(client, SAVE, page=ONE, question="One?")
    loaded = Sketch.objects.get()
    saved(client, SAVE, page=OTHER, sketch=loaded, question="Another?")
    assert Sketch.objects.count() == 1
    assert "Both are kept" in saved(client, SAVE, page=ONE + "", sketch=loaded, question="One more?")
    assert sorted("more" in one.filled_in for one in Sketch.objects.all()) == [False, True]


def test_saving_the_design_takes_the_sketch_away(alice: User, team: Team) -> None:
    client, campaign = signed_in(alice), draft(team)
    saved(client, SAVE, question="Half")
    known = {"page": ONE, "edits": "0"}
    assert client.post(EDIT, filled(alice, campaign, question="Whole?") | known).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.question, campaign.edits, Sketch.objects.count()) == ("Whole?", 1, 0)
    assert AuditEntry.objects.get().act == "edited"


def test_answers_that_do_not_fit_are_kept(alice: User, team: Team) -> None:
    client, campaign = signed_in(alice), draft(team)
    page = client.post(EDIT, filled(alice, campaign, ks="0", question="Kept?")).content.decode()
    assert "from 1 to 10,000" in page
    again = client.get(EDIT).content.decode()
    assert 'name="ks" value="0"' in again and 'value="Kept?"' in again


def test_a_draft_that_changed_meanwhile_is_not_written_over(alice: User, team: Team) -> None:
    client, campaign = signed_in(alice), draft(team)
    mine, theirs = (filled(alice, campaign, question=said) | {"edits": "0"} for said in ("Mine?", "Theirs?"))
    assert client.post(EDIT, theirs).status_code == 302
    page = client.post(EDIT, mine | {"page": ONE}).content.decode()
    assert "has changed since you opened it" in page and "Theirs?" in page and 'value="Mine?"' in page
    campaign.refresh_from_db()
    assert campaign.question == "Theirs?" and "Mine" in Sketch.objects.get().filled_in
    assert 'name="edits" value="1"' in page
    client.post(EDIT, mine | {"page": ONE, "edits": "1"})
    campaign.refresh_from_db()
    assert (campaign.question, campaign.edits, Sketch.objects.count()) == ("Mine?", 2, 0)


def test_what_is_thrown_away_is_gone_and_the_draft_stays(alice: User, team: Team) -> None:
    client = signed_in(alice)
    draft(team)
    saved(client, SAVE, question="Half")
    drop = f"/campaigns/sketches/{Sketch.objects.get().key}/drop/"
    assert client.get(drop).status_code == 405
    assert client.post(drop).headers["Location"] == EDIT
    assert not Sketch.objects.exists() and "Half" not in client.get(EDIT).content.decode()


def test_a_sketch_is_one_s_own(alice: User, bob: User, charlie: User, team: Team) -> None:
    draft(team)
    saved(signed_in(alice), SAVE, question="Half")
    sketch = Sketch.objects.get()
    for other, status in ((bob, 403), (charlie, 404)):
        client = signed_in(other)
        assert client.post(SAVE, {"question": "Mine"}).status_code == status
        assert client.post(f"/campaigns/sketches/{sketch.key}/drop/").status_code == 404
        assert "Half" not in client.get(f"/campaigns/new/?sketch={sketch.key}").content.decode()
    assert signed_in(bob).post(NEW, {"name": "A"}).status_code == 403
    assert Client().post(NEW, {"name": "A"}).status_code == 302
    assert Sketch.objects.count() == 1


@pytest.mark.parametrize("key", ["", "x", "\0", ONE])
def test_odd_keys_begin_a_new_one(alice: User, team: Team, key: str) -> None:
    client = signed_in(alice)
    draft(team)
    assert client.post(NEW, {"sketch": key, "sketch_version": key, "page": key, "name": "A"}).status_code == 200
    assert Sketch.objects.get().version == 1
    assert client.get("/campaigns/new/", {"sketch": key}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_pages_that_save_at_once_lose_nothing(alice: User, team: Team) -> None:
    campaign, first = draft(team), QueryDict(f"page={ONE}&question=0")
    sketch = keep(alice, campaign, first)

    def save(number: int) -> None:
        said = f"page=3333333{number}-1111-4111-8111-111111111111&question=q{number}"
        try:
            keep(alice, campaign, QueryDict(f"{said}&sketch={sketch.key}&sketch_version={sketch.version}"))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, range(4)))
    found = "&".join(Sketch.objects.values_list("filled_in", flat=True))
    assert all(f"question=q{number}" in found for number in range(4)) and Campaign.objects.count() == 1


@pytest.mark.parametrize(("days", "left"), [(180, {"young"}), (0, {"young", "old", "of a draft"})])
def test_what_nobody_touched_for_long_is_forgotten_and_no_draft(
    alice: User, team: Team, settings: Any, days: int, left: set[str]
) -> None:
    settings.SKETCH_DAYS = days
    campaign, now = draft(team), timezone.now()
    for name, of, age in (("young", None, 179), ("old", None, 181), ("of a draft", campaign, 181)):
        saved_at = now - timedelta(days=age)
        Sketch.objects.create(user=alice, campaign=of, filled_in=f"name={name}", saved_at=saved_at)
    forget_sketches()
    assert {sketch.name for sketch in Sketch.objects.all()} == left
    assert Campaign.objects.get() == campaign
