from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.arriving import arrive
from judging.inviting import NotAdmitted, add_code, hash_of, invite, revoke, revoke_code
from judging.models import ClassCode, Invitation, Participation
from judging.tokens import token_of
from tests.judging.building import live_campaign


@pytest.fixture
def invited(team: Team) -> Campaign:
    return live_campaign(team, recruitment="invitation")


@pytest.fixture
def classroom(team: Team) -> Campaign:
    return live_campaign(team, recruitment="class_code", worker_parameter="id")


def come(campaign: Campaign, cookie: str = "", **query: str) -> Participation:
    participation = arrive(campaign, query, cookie)
    assert participation is not None
    return participation


def refusal(campaign: Campaign, **query: str) -> str:
    with pytest.raises(NotAdmitted) as refused:
        arrive(campaign, query)
    return refused.value.reason


@pytest.mark.django_db
def test_it_works(invited: Campaign) -> None:
    (first, ticket), (second, other) = invite(invited, 2)
    wanda = come(invited, invitation=ticket)
    assert (first, second) == (1, 2) and wanda.named and wanda.parameters == {}
    assert Invitation.objects.get(number=1).participation == wanda
    assert come(invited, invitation=other) != wanda


@pytest.mark.django_db
def test_only_a_hash_of_an_invitation_is_stored(invited: Campaign) -> None:
    ((_, ticket),) = invite(invited, 1)
    stored = str(Invitation.objects.values().get())
    assert ticket not in stored and hash_of(ticket) in stored
    assert ticket not in str(Participation.objects.filter(pk=come(invited, invitation=ticket).pk).values())


@pytest.mark.django_db
def test_numbers_go_on_where_they_stopped(invited: Campaign) -> None:
    invite(invited, 3)
    assert [number for number, _ in invite(invited, 2)] == [4, 5]


@pytest.mark.django_db
def test_the_same_invitation_brings_the_same_person_back_from_any_browser(invited: Campaign) -> None:
    ((_, ticket),) = invite(invited, 1)
    wanda = come(invited, invitation=ticket)
    assert come(invited, invitation=ticket) == wanda
    assert come(invited, token_of(wanda)) == wanda
    assert Participation.objects.count() == 1


@pytest.mark.django_db
def test_an_invitation_wins_over_the_cookie_of_whoever_used_the_computer_before(invited: Campaign) -> None:
    (_, one), (_, two) = invite(invited, 2)
    before = come(invited, invitation=one)
    assert come(invited, token_of(before), invitation=two) != before


@pytest.mark.django_db(transaction=True)
def test_two_arrivals_at_once_by_one_invitation_are_one_participation(invited: Campaign) -> None:
    ((_, ticket),) = invite(invited, 1)

    def enter(_: int) -> int:
        try:
            return come(invited, invitation=ticket).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(enter, range(16)))) == 1
    assert Participation.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("query", [{}, {"invitation": ""}, {"invitation": "made-up"}, {"PROLIFIC_PID": "wanda"}])
def test_nobody_comes_in_uninvited(invited: Campaign, query: dict[str, str]) -> None:
    invite(invited, 1)
    assert refusal(invited, **query) == "uninvited"
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_nobody_can_name_themselves_after_an_invitation(invited: Campaign) -> None:
    ((_, ticket),) = invite(invited, 1)
    come(invited, invitation=ticket)
    assert refusal(invited, PROLIFIC_PID=f"invitation {hash_of(ticket)}") == "uninvited"


@pytest.mark.django_db
def test_an_invitation_of_another_campaign_is_none_here(team: Team, invited: Campaign) -> None:
    ((_, ticket),) = invite(live_campaign(team, slug="other", recruitment="invitation"), 1)
    assert refusal(invited, invitation=ticket) == "uninvited"


@pytest.mark.django_db
def test_one_that_was_taken_back_lets_nobody_in(invited: Campaign) -> None:
    ((number, ticket),) = invite(invited, 1)
    assert revoke(invited, number) and not revoke(invited, number)
    assert refusal(invited, invitation=ticket) == "revoked"


@pytest.mark.django_db
def test_one_in_use_is_not_taken_back(invited: Campaign) -> None:
    ((number, ticket),) = invite(invited, 1)
    wanda = come(invited, invitation=ticket)
    assert not revoke(invited, number)
    assert come(invited, invitation=ticket) == wanda


@pytest.mark.django_db
def test_an_invitation_waits_where_the_study_is_not_open(invited: Campaign) -> None:
    ((_, ticket),) = invite(invited, 1)
    invited.state = Campaign.State.PAUSED
    assert arrive(invited, {"invitation": ticket}) is None
    invited.state = Campaign.State.LIVE
    invited.places.update(state=Place.State.FILLED)
    assert arrive(invited, {"invitation": ticket}) is None
    assert Invitation.objects.get().participation is None


@pytest.mark.django_db
def test_a_code_lets_in_as_many_as_it_has_uses(classroom: Campaign) -> None:
    code = add_code(classroom, 2)
    come(classroom, code=code.code)
    come(classroom, code=code.code.lower())
    assert refusal(classroom, code=code.code) == "spent"
    assert ClassCode.objects.get().used == 2 and Participation.objects.count() == 2


@pytest.mark.django_db
def test_who_comes_back_uses_a_code_up_once(classroom: Campaign) -> None:
    code = add_code(classroom, 1)
    wanda = come(classroom, code=code.code, id="wanda")
    assert come(classroom, code=code.code, id="wanda") == wanda == come(classroom, id="wanda")
    assert come(classroom, token_of(wanda)) == wanda
    assert ClassCode.objects.get().used == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "reason"), [({}, "no_code"), ({"code": "-"}, "no_code"), ({"code": "X"}, "wrong_code")]
)
def test_without_a_code_nobody_comes_in(classroom: Campaign, query: dict[str, str], reason: str) -> None:
    add_code(classroom, 1)
    assert refusal(classroom, **query) == reason
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_a_code_that_was_taken_back_lets_nobody_in(classroom: Campaign) -> None:
    code = add_code(classroom, 2)
    wanda = come(classroom, code=code.code, id="wanda")
    assert revoke_code(classroom, code.code) and not revoke_code(classroom, code.code)
    assert refusal(classroom, code=code.code) == "wrong_code"
    assert come(classroom, code=code.code, id="wanda") == wanda


@pytest.mark.django_db(transaction=True)
def test_a_crowd_at_the_door_gets_no_more_places_than_the_code_has(classroom: Campaign) -> None:
    code = add_code(classroom, 3)

    def enter(_: int) -> bool:
        try:
            return arrive(classroom, {"code": code.code}) is not None
        except NotAdmitted:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(enter, range(16))) == 3
    assert ClassCode.objects.get().used == 3 and Participation.objects.count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize("recruitment", ["prolific", "panel", "mturk_protocol"])
def test_who_must_be_named_is_not_let_in_without_a_name(team: Team, recruitment: str) -> None:
    assert refusal(live_campaign(team, recruitment=recruitment)) == "unnamed"
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_a_preview_takes_nobody_in(team: Team) -> None:
    campaign = live_campaign(team, recruitment="mturk_protocol")
    assert refusal(campaign, assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE", workerId="A1B2C3") == "preview"
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_the_same_worker_with_a_new_assignment_goes_back_with_the_new_one(team: Team) -> None:
    campaign = live_campaign(team, recruitment="mturk_protocol")
    came = {"workerId": "A1B2C3", "hitId": "h", "turkSubmitTo": "https://www.mturk.com"}
    first = come(campaign, **came, assignmentId="one")
    again = come(campaign, **came, assignmentId="two")
    assert again == first and Participation.objects.get().parameters["assignmentId"] == "two"
