import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.inviting import find, invite
from accounts.leaving import found
from accounts.models import AuditEntry, Invitation, Membership, Team, User
from tests.conftest import signed_in

Role = Membership.Role


def page(response: HttpResponse | Any) -> str:
    return str(response.content.decode())


def link_in(text: str) -> str:
    found = re.search(r"http://testserver(/invitations/[\w-]+/)", text)
    assert found
    return found[1]


def acts(team: Team, member: Membership, invitation: Invitation) -> list[tuple[str, dict[str, str]]]:
    """What owners alone do."""
    return [
        (reverse("team_rename", args=[team.pk]), {"name": "Other"}),
        (reverse("team_invite", args=[team.pk]), {"role": "owner"}),
        (reverse("team_invitation_withdraw", args=[team.pk, invitation.pk]), {}),
        (reverse("team_member_role", args=[team.pk, member.pk]), {"role": "owner"}),
        (reverse("team_member_remove", args=[team.pk, member.pk]), {}),
    ]


def test_it_works(alice: User, bob: User, team: Team) -> None:
    text = page(signed_in(alice).get(reverse("team", args=[team.pk])))
    assert "bob@example.org" in text and "Invite</button>" in text and f"/teams/{team.pk}/log/" in text


def test_an_owner_invites_by_mail(alice: User, team: Team, mailoutbox: list[Any]) -> None:
    data = {"email": "dora@example.org", "role": "analyst"}
    response = signed_in(alice).post(reverse("team_invite", args=[team.pk]), data)
    link = link_in(page(response))
    (mail,) = mailoutbox
    assert mail.to == ["dora@example.org"] and mail.subject == "[Peekaword] Join Saliency lab"
    assert link in mail.body and "as analyst" in mail.body and "alice invites you" in mail.body
    assert "no-store" in response["Cache-Control"]
    later = page(signed_in(alice).get(reverse("team", args=[team.pk])))
    assert link not in later and "dora@example.org" in later


def test_an_owner_invites_by_link(alice: User, team: Team, mailoutbox: list[Any]) -> None:
    text = page(signed_in(alice).post(reverse("team_invite", args=[team.pk]), {"role": "editor"}))
    token = link_in(text).split("/")[2]
    invitation = find(token)
    assert invitation and invitation.role == Role.EDITOR and mailoutbox == []


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"role": "king"}, "Select a valid choice"),
        ({"role": "editor", "email": "nobody"}, "Enter a valid email address"),
        ({"role": "editor", "email": "bob@example.org"}, "bob@example.org is in the team already"),
    ],
)
def test_a_wrong_invitation_is_told_beside_the_form(
    alice: User, bob: User, team: Team, data: dict[str, str], told: str
) -> None:
    response = signed_in(alice).post(reverse("team_invite", args=[team.pk]), data)
    assert response.status_code == 422 and told in page(response) and not Invitation.objects.exists()


def test_an_owner_changes_roles_and_removes(alice: User, bob: User, team: Team) -> None:
    client, member = signed_in(alice), Membership.objects.get(user=bob)
    client.post(reverse("team_member_role", args=[team.pk, member.pk]), {"role": "editor"})
    assert Membership.objects.get(user=bob).role == Role.EDITOR
    client.post(reverse("team_member_role", args=[team.pk, member.pk]), {"role": "king"})
    assert Membership.objects.get(user=bob).role == Role.EDITOR
    response = client.post(reverse("team_member_remove", args=[team.pk, member.pk]), follow=True)
    assert "bob is no longer in Saliency lab" in page(response)
    assert signed_in(bob).get(reverse("team", args=[team.pk])).status_code == 404


def test_the_last_owner_is_told_why_they_stay(alice: User, bob: User, team: Team) -> None:
    client, own = signed_in(alice), Membership.objects.get(user=alice)
    for path, data in (("leave/", {}), (f"members/{own.pk}/role/", {"role": "editor"})):
        response = client.post(f"/teams/{team.pk}/{path}", data, follow=True)
        assert "alice is the last owner of Saliency lab" in page(response)
    assert Membership.objects.get(user=alice).role == Role.OWNER


def test_a_member_leaves(alice: User, bob: User, team: Team) -> None:
    response = signed_in(bob).post(reverse("team_leave", args=[team.pk]), follow=True)
    assert "You have left Saliency lab" in page(response) and "You are in no team" in page(response)
    assert not Membership.objects.filter(user=bob).exists()


def test_an_owner_renames_and_withdraws(alice: User, team: Team) -> None:
    client, (invitation, token) = signed_in(alice), invite(team, alice, Role.EDITOR, "dora@example.org")
    client.post(reverse("team_rename", args=[team.pk]), {"name": "  New   name "})
    team.refresh_from_db()
    assert team.name == "New name"
    assert client.post(reverse("team_rename", args=[team.pk]), {"name": " "}).status_code == 422
    address = reverse("team_invitation_withdraw", args=[team.pk, invitation.pk])
    assert "lets nobody in any more" in page(client.post(address, follow=True)) and find(token) is None
    assert "was used or over before" in page(client.post(address, follow=True))


@pytest.mark.parametrize("who", ["eve", "bob"])
def test_only_owners_decide_who_is_in_it(request: pytest.FixtureRequest, alice: User, team: Team, who: str) -> None:
    client = signed_in(request.getfixturevalue(who))
    invitation, _ = invite(team, alice, Role.EDITOR, "dora@example.org")
    text = page(client.get(reverse("team", args=[team.pk])))
    assert "alice@example.org" in text and "dora@example.org" not in text and "Invite</button>" not in text
    for address, data in acts(team, Membership.objects.get(user=alice), invitation):
        assert client.post(address, data).status_code == 403
    assert client.get(reverse("team_log", args=[team.pk])).status_code == 403
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["invited"]


def test_strangers_do_not_know_of_it(alice: User, charlie: User, team: Team) -> None:
    client, visitor = signed_in(charlie), Client()
    invitation, _ = invite(team, alice, Role.EDITOR)
    for address, data in acts(team, Membership.objects.get(user=alice), invitation):
        assert client.post(address, data).status_code == 404
        assert visitor.post(address, data)["Location"].startswith("/sign-in/")
    for name in ("team", "team_log"):
        assert client.get(reverse(name, args=[team.pk])).status_code == 404
        assert visitor.get(reverse(name, args=[team.pk]))["Location"].startswith("/sign-in/")
    for name in ("team_leave", "team_choose"):
        assert client.post(reverse(name, args=[team.pk])).status_code == 404


def test_members_of_another_team_are_out_of_reach(alice: User, bob: User, charlie: User, team: Team) -> None:
    own = Team.objects.get(members=charlie)
    for name in ("team_member_role", "team_member_remove"):
        address = reverse(name, args=[own.pk, Membership.objects.get(user=bob).pk])
        assert signed_in(charlie).post(address, {"role": "owner"}).status_code == 404
    assert Membership.objects.get(user=bob).role == Role.ANALYST


def test_acts_need_a_post(alice: User, team: Team) -> None:
    invitation, _ = invite(team, alice, Role.EDITOR)
    for address, _ in acts(team, Membership.objects.get(user=alice), invitation):
        assert signed_in(alice).get(address).status_code == 405


def test_another_team_is_founded_and_chosen(alice: User, team: Team) -> None:
    client = signed_in(alice)
    client.post(reverse("team_list"), {"name": "Second lab"})
    other = Team.objects.get(name="Second lab")
    assert Membership.objects.get(team=other).role == Role.OWNER
    text = page(client.get(reverse("team_list")))
    assert "Second lab" in text and "Saliency lab" in text
    client.post(reverse("team_choose", args=[other.pk]))
    alice.refresh_from_db()
    assert alice.current_team == other
    chosen = re.search(r'<option value="(\d+)" selected>', page(client.get(reverse("classifier_add"))))
    assert chosen and int(chosen[1]) == other.pk
    assert client.post(reverse("team_list"), {"name": ""}).status_code == 422


def test_the_page_asks_the_database_as_often_for_many_as_for_few(
    alice: User, team: Team, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        Membership.objects.create(team=team, user=User.objects.create_user(f"m{number}"), role=Role.EDITOR)
        invite(team, alice, Role.EDITOR)
        found(alice, f"Team {number}")
    client = signed_in(alice)
    for address in (reverse("team", args=[team.pk]), reverse("team_list")):
        with django_assert_max_num_queries(11):
            client.get(address)
