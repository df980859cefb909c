import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign, Place
from judging import recruiting
from judging.arriving import arrive
from judging.inviting import add_code, invite
from judging.models import BonusPayment, ClassCode, Invitation, Participation, ProlificStudy, ProlificSubmission
from tests.conftest import signed_in
from tests.judging.building import CODE, live_campaign
from tests.recruitment.prolific_server import TOKEN, PlayedProlific, play_prolific

URL = "/campaigns/films/recruitment/"
State = Participation.State
# What is done from the page, each with a form that is right, by the recruitment it is for.
ACTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "invitations/": ("invitation", {"count": "2"}),
    "invitations/1/revoke/": ("invitation", {}),
    "codes/": ("class_code", {"uses": "5"}),
    "codes/K7QM2XPA/revoke/": ("class_code", {}),
    "study/": ("prolific", {"study": "abcdef12"}),
    "study/draft/": ("prolific", {"name": "Reading", "description": "Read.", "places": "5"}),
    "submissions/": ("prolific", {}),
    "submissions/approve/": ("prolific", {}),
    "submissions/returns/": ("prolific", {}),
    "places/": ("prolific", {"more": "2"}),
    "bonuses/": ("prolific", {"amounts": "sub1, 1.50"}),
    "bonuses/1/pay/": ("prolific", {}),
}


@pytest.fixture
def prolific(settings: Any) -> Iterator[PlayedProlific]:
    with play_prolific() as played:
        settings.PROLIFIC_API_URL, settings.PROLIFIC_API_TOKEN = played.url, TOKEN
        played.add_study("abcdef12")
        yield played


@pytest.fixture
def linked(team: Team, prolific: PlayedProlific) -> Campaign:
    campaign = live_campaign(team, recruitment="prolific", exit_redirect="")
    recruiting.link_study(campaign, "abcdef12")
    return campaign


def text(response: Any) -> str:
    return " ".join(str(response.content.decode()).split())


def came(campaign: Campaign, number: int, state: State) -> Participation:
    participation = arrive(campaign, {"PROLIFIC_PID": f"pid{number}", "SESSION_ID": f"sub{number}"})
    assert participation
    Participation.objects.filter(pk=participation.pk).update(state=state)
    return participation


@pytest.mark.django_db
def test_it_works(alice: User, linked: Campaign, prolific: PlayedProlific) -> None:
    """From the link to a paid bonus, by the page alone."""
    client = signed_in(alice)
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in text(client.get(URL))
    came(linked, 1, State.COMPLETED)
    prolific.add_submission("sub1", "pid1", "AWAITING REVIEW", entered_code=CODE, study="abcdef12")
    assert "Read from Prolific: 1 submission." in text(client.post(URL + "submissions/", follow=True))
    page = text(client.get(URL))
    assert "Approve 1 who completed" in page and "what Prolific says fits what is known here" in page
    assert "Prolific approves 1 submission" in text(client.post(URL + "submissions/approve/", follow=True))
    assert prolific.submissions["sub1"]["status"] == "APPROVED"
    assert "1 worker are set up" in text(client.post(URL + "bonuses/", {"amounts": "sub1, 1.50"}, follow=True))
    assert "Pay 2.00" in text(client.get(URL)) and prolific.paid == []
    payment = BonusPayment.objects.get()
    assert "Sent: Prolific pays" in text(client.post(f"{URL}bonuses/{payment.pk}/pay/", follow=True))
    assert prolific.paid == ["bonus1"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "recruitment", ["open_link", "panel", "mturk_protocol", "class_code", "invitation", "prolific"]
)
def test_every_recruitment_has_its_page(alice: User, team: Team, recruitment: str) -> None:
    live_campaign(team, recruitment=recruitment)
    for state in ("draft", "live", "closed"):
        Campaign.objects.update(state=state)
        response = signed_in(alice).get(URL)
        assert response.status_code == 200 and "How workers go back" in text(response) and CODE in text(response)


@pytest.mark.django_db
def test_places_are_held_against_what_is_needed(alice: User, linked: Campaign) -> None:
    linked.places.filter(number=1).update(state=Place.State.FILLED)
    page = text(signed_in(alice).get(URL))
    assert "of 48 wanted" in page and "taken of 10" in page
    assert "work for 4 more workers" in page  # 24 open judgments, 6 texts a worker.


@pytest.mark.django_db
def test_places_that_are_missing_are_proposed(alice: User, linked: Campaign) -> None:
    ProlificStudy.objects.update(places=5, taken=5)
    page = text(signed_in(alice).get(URL))
    assert "8 places more than Prolific has free" in page and 'name="more" value="8"' in page
    signed_in(alice).post(URL + "places/", {"more": "8"})
    assert ProlificStudy.objects.get().places == 18


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "status", "entered", "note"),
    [
        (State.COMPLETED, "ACTIVE", "", "Completed here, not handed in there yet."),
        (State.PRACTISED, "AWAITING REVIEW", "NOCODE", "Handed in there, not completed here."),
        (State.COMPLETED, "AWAITING REVIEW", "NOCODE", f"Came back with the code NOCODE, not {CODE}."),
        (State.SCREENED_OUT, "AWAITING REVIEW", "", "Not completed here: ask for a return."),
        (State.COMPLETED, "APPROVED", CODE, ""),
        (State.PRACTISED, "ACTIVE", "", ""),
        (None, "AWAITING REVIEW", "", "Nobody came here with this submission."),
        (None, "RETURNED", "", ""),
    ],
)
def test_what_does_not_fit_together_is_pointed_out(
    alice: User, linked: Campaign, state: State | None, status: str, entered: str, note: str
) -> None:
    if state:
        came(linked, 1, state)
    found = Participation.objects.first()
    ProlificSubmission.objects.create(
        campaign=linked,
        submission_id="sub1",
        worker_hash=found.worker_hash if found else "nobody",
        status=status,
        status_at="2026-11-30T10:00Z",
        entered_code=entered,
    )
    page = text(signed_in(alice).get(URL))
    assert f'<td data-head="To look at">{note}</td>' in page and ("1 of which to look at" in page) == bool(note)


@pytest.mark.django_db
def test_invitations_come_as_a_file_once(alice: User, team: Team) -> None:
    campaign = live_campaign(team, recruitment="invitation")
    response = signed_in(alice).post(URL + "invitations/", {"count": "3"})
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert (
        response["Content-Type"].startswith("text/csv")
        and "films-invitations-1.csv" in response.headers["Content-Disposition"]
    )
    assert [row["number"] for row in rows] == ["1", "2", "3"] and len({row["link"] for row in rows}) == 3
    assert Client().get(rows[1]["link"], follow=True).status_code == 200
    assert Invitation.objects.get(number=2).participation in campaign.participations.all()
    page = text(signed_in(alice).get(URL))
    assert "3 made, 1 in use" in page and not any(row["link"] in page for row in rows)


@pytest.mark.django_db
def test_an_invitation_is_taken_back(alice: User, team: Team) -> None:
    invite(live_campaign(team, recruitment="invitation"), 1)
    assert "Invitation 1 lets nobody in any more" in text(
        signed_in(alice).post(URL + "invitations/1/revoke/", follow=True)
    )
    assert "is in use or gone" in text(signed_in(alice).post(URL + "invitations/1/revoke/", follow=True))


@pytest.mark.django_db
def test_a_class_code_is_made_shown_and_taken_back(alice: User, team: Team) -> None:
    live_campaign(team, recruitment="class_code")
    client = signed_in(alice)
    client.post(URL + "codes/", {"uses": "25"})
    code = ClassCode.objects.get()
    page = text(client.get(URL))
    assert f"/w/films/?code={code.code}" in page and "0 / 25" in page
    assert "lets nobody new in" in text(client.post(f"{URL}codes/{code.code}/revoke/", follow=True))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "form", "says"),
    [
        ("invitations/", {"count": "0"}, "greater than or equal to 1"),
        ("invitations/", {"count": "2001"}, "less than or equal to 2000"),
        ("codes/", {"uses": "x"}, "Enter a whole number"),
        ("study/", {"study": "../users"}, "Expected the letters and digits after /studies/"),
        ("study/draft/", {"name": "", "places": "1"}, "This field is required"),
        ("places/", {"more": "0"}, "greater than or equal to 1"),
        ("bonuses/", {"amounts": "sub1 1.50"}, "Line 1: expected a submission, a comma and an amount"),
        ("bonuses/", {"amounts": "sub1, 1\nsub1, 2"}, "Line 2: sub1 stands above already."),
        ("bonuses/", {"amounts": "sub1, 1.555"}, "more than two decimals"),
        ("bonuses/", {"amounts": "sub1, 1e9"}, "from 0.01 to 1000"),
        ("bonuses/", {"amounts": "sub1, NaN"}, "Line 1"),
        ("bonuses/", {"amounts": "sub1\t=2, -1"}, "Line 1"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(
    alice: User, team: Team, prolific: PlayedProlific, action: str, form: dict[str, str], says: str
) -> None:
    recruitment, _ = ACTIONS[action]
    campaign = live_campaign(team, recruitment=recruitment)
    if recruitment == "prolific" and not action.startswith("study"):
        recruiting.link_study(campaign, "abcdef12")
    response = signed_in(alice).post(URL + action, form)
    assert response.status_code == 422 and says in text(response)


@pytest.mark.django_db
def test_what_prolific_says_is_told(alice: User, linked: Campaign, prolific: PlayedProlific) -> None:
    prolific.fail(400, body={"error": {"detail": "The study is stopped."}})
    page = text(signed_in(alice).post(URL + "submissions/", follow=True))
    assert "Prolific refused: The study is stopped." in page


@pytest.mark.django_db
def test_without_a_study_prolific_is_not_asked(alice: User, team: Team, prolific: PlayedProlific) -> None:
    live_campaign(team, recruitment="prolific")
    assert "Link the study on Prolific first." in text(signed_in(alice).post(URL + "submissions/", follow=True))
    assert prolific.asked == []


@pytest.mark.django_db
def test_without_a_token_the_page_says_how_to_go_on(alice: User, team: Team, settings: Any) -> None:
    settings.PROLIFIC_API_TOKEN = ""
    live_campaign(team, recruitment="prolific")
    page = text(signed_in(alice).get(URL))
    assert "No token is set." in page and "Link the study</button>" not in page


@pytest.mark.django_db
def test_what_is_done_stands_in_the_log(alice: User, linked: Campaign) -> None:
    client = signed_in(alice)
    client.post(URL + "places/", {"more": "2"})
    client.post(URL + "submissions/approve/")
    for recruitment, action, form in (
        ("invitation", "invitations/", {"count": "2"}),
        ("class_code", "codes/", {"uses": "5"}),
    ):
        Campaign.objects.update(recruitment=recruitment)
        client.post(URL + action, form)
    entries = AuditEntry.objects.filter(actor=alice, subject_name=str(linked)).order_by("pk")
    assert list(entries.values_list("act", "detail")) == [
        ("recruited", {"done": "2 places added on Prolific."}),
        ("approved", {"done": "Nobody waits."}),
        ("tickets_made", {"count": 2}),
        ("tickets_made", {"uses": 5}),
    ]


@pytest.mark.django_db
def test_who_only_reads_changes_nothing(bob: User, team: Team, prolific: PlayedProlific) -> None:
    live_campaign(team)
    client = signed_in(bob)
    for action, (recruitment, form) in ACTIONS.items():
        Campaign.objects.update(recruitment=recruitment)
        assert client.post(URL + action, form).status_code == 403
    assert prolific.asked == [] and not Invitation.objects.exists() and not ClassCode.objects.exists()


@pytest.mark.django_db
def test_an_analyst_does_not_see_who_was_recruited(bob: User, eve: User, linked: Campaign) -> None:
    assert signed_in(bob).get(URL).status_code == 403
    assert "The study on Prolific" in text(signed_in(eve).get(URL))


@pytest.mark.django_db
def test_strangers_do_not_know_of_it(charlie: User, team: Team) -> None:
    live_campaign(team)
    client = signed_in(charlie)
    assert client.get(URL).status_code == 404
    assert {client.post(URL + action, form).status_code for action, (_, form) in ACTIONS.items()} == {404}


@pytest.mark.django_db
def test_nobody_comes_in_without_signing_in(client: Client, team: Team) -> None:
    live_campaign(team)
    for response in (client.get(URL), *(client.post(URL + action, form) for action, (_, form) in ACTIONS.items())):
        assert response.status_code == 302 and response.headers["Location"].startswith("/sign-in/")


@pytest.mark.django_db
def test_looking_at_an_action_does_nothing(alice: User, team: Team) -> None:
    live_campaign(team)
    client = signed_in(alice)
    assert {client.get(URL + action).status_code for action in ACTIONS} == {405}
    assert client.post(URL).status_code == 405


@pytest.mark.django_db
def test_a_payment_of_another_campaign_is_not_to_be_had(alice: User, team: Team, linked: Campaign) -> None:
    other = live_campaign(team, slug="other")
    payment = other.bonus_payments.create(reference="b", amounts={}, total_cents=1)
    assert signed_in(alice).post(f"{URL}bonuses/{payment.pk}/pay/").status_code == 404


@pytest.mark.django_db
def test_a_code_can_be_used_from_the_link_on_the_page(alice: User, team: Team) -> None:
    code = add_code(live_campaign(team, recruitment="class_code"), 1)
    assert "We keep your answers." in text(Client().get(f"/w/films/?code={code.code}", follow=True))
