"""Half a design: begun by a program or on the page, filled in by either, and finished."""

from typing import Any

import pytest

from accounts.models import AuditEntry, Team, User
from campaigns.filling_in import _posted as form_data
from campaigns.models import Campaign, Sketch
from tests.api.reaching import Speaker, conforms
from tests.campaigns.actors import draft, ready
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right

pytestmark = pytest.mark.django_db
AT = "/api/v1/drafts/"


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


@pytest.fixture
def design(team: Team, speaker: Speaker) -> dict[str, list[str]]:
    """All that the wizard proposes: what its page would send of an unsaved campaign, taken from one that was saved."""
    dataset, classifier = films(team, {"neg": 30, "pos": 30}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return {"protocol": ["topk_guess"], "dataset": [str(dataset.pk)], "classifier": [str(classifier.pk)]}


def _begun(speaker: Speaker, fields: dict[str, Any], **more: Any) -> Any:
    answer = speaker.post(AT, {"filled_in": fields, **more})
    assert answer.status_code == 201, answer.content
    conforms(f"POST {AT}", answer)
    return answer


def test_it_works(speaker: Speaker) -> None:
    answer = _begun(speaker, {"name": ["Half"], "methods": ["gradient", "random"]})
    key, made = answer.json()["key"], answer.json()
    assert answer.headers["Location"] == f"{AT}{key}/"
    assert (made["name"], made["campaign"], made["version"]) == ("Half", None, 1)
    assert speaker.get(AT).json()["results"] == [made] == [speaker.get(f"{AT}{key}/").json()]
    changed = speaker.ask("PATCH", f"{AT}{key}/", {"filled_in": {"methods": [], "ks": ["3"]}}).json()
    assert changed["filled_in"] == {"name": ["Half"], "ks": ["3"]} and changed["version"] == 2
    assert speaker.ask("DELETE", f"{AT}{key}/").status_code == 204
    assert not Sketch.objects.exists()


def test_nobody_saves_onto_what_another_has_saved(speaker: Speaker) -> None:
    where = _begun(speaker, {"name": ["Half"]}).headers["Location"]
    etag = speaker.get(where).headers["ETag"]
    sent = {"filled_in": {"name": ["Mine"]}}
    assert speaker.ask("PATCH", where, sent, {"If-Match": etag}).status_code == 200
    assert speaker.ask("PATCH", where, sent, {"If-Match": etag}).status_code == 412
    assert speaker.ask("DELETE", where, headers={"If-Match": etag}).status_code == 412


def test_a_page_and_a_program_lose_nothing_of_each_other(alice: User, speaker: Speaker) -> None:
    """The page has seen version 1 when the program saves: it goes on beside."""
    made = _begun(speaker, {"name": ["Half"]}).json()
    seen = {"sketch": made["key"], "sketch_version": "1", "page": "7c2e9d4a-8f0b-4a53-9a0e-0c1f4c1f0a01"}
    speaker.ask("PATCH", f"{AT}{made['key']}/", {"filled_in": {"name": ["The program's"]}})
    signed_in(alice).post("/campaigns/autosave/", seen | {"name": "The page's"})
    told = speaker.get(AT).json()["results"]
    assert {(one["name"], one["beside"]) for one in told} == {("The program's", None), ("The page's", made["key"])}
    assert all("page" not in one["filled_in"] for one in told)


def test_the_wizard_goes_on_with_it(alice: User, speaker: Speaker, design: dict[str, list[str]]) -> None:
    key = _begun(speaker, design | {"name": ["From a program"]}).json()["key"]
    page = signed_in(alice).get(f"/campaigns/new/?sketch={key}").content.decode()
    assert 'value="From a program"' in page


def test_what_is_missing_is_told(speaker: Speaker, design: dict[str, list[str]]) -> None:
    where = _begun(speaker, design | {"name": ["Half"]}).headers["Location"]
    answer = speaker.post(f"{where}finish/")
    assert answer.status_code == 422 and "/consent" in {one["pointer"] for one in answer.json()["errors"]}
    assert speaker.get(where).status_code == 200, "what was filled in is still there"
    told = speaker.get(f"{where}estimate/")
    conforms(f"GET {AT}{{key}}/estimate/", told)
    assert told.json() == {"estimate": None, "computing_seconds": None}


def test_a_whole_one_becomes_a_campaign(team: Team, alice: User, speaker: Speaker) -> None:
    fields = _whole(team, alice)
    where = _begun(speaker, fields | {"name": ["Whole"]}).headers["Location"]
    told = speaker.get(f"{where}estimate/")
    conforms(f"GET {AT}{{key}}/estimate/", told)
    answer = speaker.post(f"{where}finish/", Idempotency_Key="once")
    assert answer.status_code == 201, answer.content
    conforms(f"POST {AT}{{key}}/finish/", answer)
    made = answer.json()
    assert (made["name"], made["state"], speaker.get(where).status_code) == ("Whole", "draft", 404)
    assert speaker.get(answer.headers["Location"]).json() == made
    estimate = speaker.get(f"{answer.headers['Location']}estimate/")
    conforms("GET /api/v1/campaigns/{slug}/estimate/", estimate)
    assert estimate.json()["workers"] == told.json()["estimate"]["workers"] > 0
    assert AuditEntry.objects.filter(act="created", subject_name="Whole").exists()


def test_it_is_saved_as_changes_of_a_draft(team: Team, alice: User, speaker: Speaker) -> None:
    fields = _whole(team, alice)
    row = Campaign.objects.get()
    where = _begun(speaker, fields | {"name": ["Other"], "edits": ["0"]}, campaign=row.slug).headers["Location"]
    answer = speaker.post(f"{where}finish/")
    assert (answer.status_code, answer.json()["name"], answer.json()["slug"]) == (200, "Other", row.slug)
    again = _begun(speaker, fields | {"name": ["Late"], "edits": ["0"]}, campaign=row.slug).headers["Location"]
    late = speaker.post(f"{again}finish/")
    assert late.status_code == 409 and "Somebody has changed the draft" in late.json()["detail"]


def test_what_is_prepared_is_not_changed(team: Team, speaker: Speaker) -> None:
    campaign = ready(team)
    assert speaker.post(AT, {"campaign": campaign.slug}).status_code == 409
    assert speaker.post(AT, {"campaign": "none"}).status_code == 422


@pytest.mark.parametrize("wrong", [{"name": "Half"}, {"name": [5]}, {"name": [None]}, {"name": ["a\0"]}, ["name"], 5])
def test_fields_have_lists_of_strings(speaker: Speaker, wrong: Any) -> None:
    assert speaker.post(AT, {"filled_in": wrong}).status_code == 400


def test_nobody_fills_in_more_than_a_page_can_send(speaker: Speaker) -> None:
    answer = speaker.post(AT, {"filled_in": {"a": ["x"] * 600, "b": ["x"] * 600}})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/filled_in")


def test_drafts_are_their_own(speaker: Speaker, team: Team, eve: User, bob: User, charlie: User) -> None:
    key = _begun(speaker, {"name": ["Half"]}).json()["key"]
    for user in (eve, bob, charlie):
        assert Speaker(user).get(f"{AT}{key}/").status_code == 404
        assert Speaker(user).get(AT).json()["results"] == []
        assert Speaker(user).ask("DELETE", f"{AT}{key}/").status_code == 404
    assert Speaker(bob).post(AT, {}).status_code == 403
    assert Speaker(charlie).post(AT, {"campaign": draft(team).slug}).status_code == 422


def _whole(team: Team, alice: User) -> dict[str, list[str]]:
    """What the page of a saved draft would send."""
    form = signed_in(alice).get(f"/campaigns/{draft(team).slug}/edit/").context["form"]
    posted = form_data(form, form.instance)
    return {name: posted.getlist(name) for name in posted}
