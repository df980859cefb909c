import pytest
from django.test import Client

from accounts.models import Team
from judging.inviting import add_code, invite
from judging.models import Participation
from tests.judging.building import live_campaign
from tests.judging.walking import arrive, text_of


@pytest.mark.django_db
def test_it_works(client: Client, team: Team) -> None:
    """A code is asked for, typed, and lets its holder in with what else the link carried."""
    campaign = live_campaign(team, recruitment="class_code", worker_parameter="id")
    code = add_code(campaign, 1)
    asked = arrive(client, campaign, group='a"b')
    page = text_of(asked)
    assert asked.status_code == 200 and "Type the code you were given" in page
    assert '<input type="hidden" name="group" value="a&quot;b">' in page and 'name="code"' in page
    assert "We keep your answers." in text_of(arrive(client, campaign, group='a"b', code=code.code))
    assert Participation.objects.get().parameters == {"group": 'a"b'}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("recruitment", "query", "said", "status"),
    [
        ("class_code", {"code": "NO"}, "There is no such code", 403),
        ("invitation", {}, "This study is by invitation", 403),
        ("prolific", {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}, "Your id is missing from the link", 403),
        ("mturk_protocol", {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, "This is a preview", 200),
    ],
)
def test_what_stands_in_the_way_is_said(
    client: Client, team: Team, recruitment: str, query: dict[str, str], said: str, status: int
) -> None:
    response = arrive(client, live_campaign(team, recruitment=recruitment), **query)
    assert response.status_code == status and said in text_of(response)
    assert "lab@example.org" in text_of(response)
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_a_used_up_code_asks_for_another(client: Client, team: Team) -> None:
    campaign = live_campaign(team, recruitment="class_code")
    code = add_code(campaign, 1)
    arrive(client, campaign, code=code.code)
    page = text_of(arrive(Client(), campaign, code=code.code))
    assert "This code is used up" in page and 'name="code"' in page


@pytest.mark.django_db
def test_an_invitation_is_opened_by_its_link(client: Client, team: Team) -> None:
    campaign = live_campaign(team, recruitment="invitation")
    ((_, ticket),) = invite(campaign, 1)
    assert "We keep your answers." in text_of(arrive(client, campaign, invitation=ticket))
    assert ticket not in text_of(arrive(client, campaign, invitation=ticket))


@pytest.mark.django_db
def test_a_host_that_shows_our_pages_in_a_frame_may_and_nobody_else(client: Client, team: Team) -> None:
    framed = arrive(client, live_campaign(team, recruitment="mturk_protocol"), workerId="A1")
    assert "X-Frame-Options" not in framed
    policy = framed.headers["Content-Security-Policy"]
    assert "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com" in policy
    assert "default-src 'self'" in policy
    plain = arrive(client, live_campaign(team, slug="plain"))
    assert plain["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in plain["Content-Security-Policy"]
