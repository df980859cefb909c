from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.inviting import accept, find, invite, open_invitations, withdraw
from accounts.joining import TeamError
from accounts.models import AuditEntry, Invitation, Membership, Team, User
from tests.accounts.racing import at_once

Role = Membership.Role


def test_it_works(team: Team, alice: User, charlie: User) -> None:
    invitation, token = invite(team, alice, Role.ANALYST, "Carol@Example.org ")
    assert find(token) == invitation and invitation.email == "carol@example.org"
    assert accept(token, charlie).role == Role.ANALYST
    invitation.refresh_from_db()
    assert invitation.accepted_by == charlie and find(token) is None
    acts = AuditEntry.objects.filter(team=team).order_by("pk").values_list("act", "actor_name", "detail__role")
    assert list(acts) == [("invited", "alice", "analyst"), ("joined", "charlie", "analyst")]


def test_the_token_is_nowhere_in_the_database(team: Team, alice: User) -> None:
    invitation, token = invite(team, alice, Role.EDITOR)
    row = Invitation.objects.filter(pk=invitation.pk).values().get()
    assert token not in str(row) and len(invitation.token_hash) == 64
    assert token not in str(list(AuditEntry.objects.values()))
    assert len(token) == 43


def test_it_lets_one_person_in(team: Team, alice: User, charlie: User) -> None:
    _, token = invite(team, alice, Role.EDITOR)
    accept(token, charlie)
    with pytest.raises(TeamError, match="used, withdrawn or too old"):
        accept(token, User.objects.create_user("dora"))
    assert team.members.count() == 2


def test_it_ends_after_some_days(team: Team, alice: User, charlie: User) -> None:
    _, token = invite(team, alice, Role.EDITOR)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert find(token) is None and not open_invitations(team).exists()
    with pytest.raises(TeamError, match="too old"):
        accept(token, charlie)


def test_it_can_be_withdrawn_until_it_is_used(team: Team, alice: User, charlie: User) -> None:
    invitation, token = invite(team, alice, Role.EDITOR)
    assert withdraw(invitation, alice) and not withdraw(invitation, alice)
    with pytest.raises(TeamError):
        accept(token, charlie)
    used, token = invite(team, alice, Role.EDITOR)
    accept(token, charlie)
    assert not withdraw(used, alice)


def test_a_newer_one_to_the_same_address_takes_its_place(team: Team, alice: User) -> None:
    _, old = invite(team, alice, Role.EDITOR, "dora@example.org")
    _, new = invite(team, alice, Role.ANALYST, "DORA@example.org")
    assert find(old) is None and find(new) is not None
    assert open_invitations(team).count() == 1


def test_a_member_is_not_invited_again(team: Team, alice: User, bob: User) -> None:
    with pytest.raises(TeamError, match="bob@example.org is in the team already"):
        invite(team, alice, Role.OWNER, "Bob@example.org")


def test_a_member_who_opens_one_keeps_role_and_invitation(team: Team, alice: User, bob: User) -> None:
    _, token = invite(team, alice, Role.OWNER)
    with pytest.raises(TeamError, match="You are in Saliency lab already"):
        accept(token, bob)
    assert Membership.objects.get(user=bob).role == Role.ANALYST and find(token) is not None


@pytest.mark.parametrize("token", ["", "x", "\0", "é" * 50])
def test_a_guessed_token_opens_nothing(team: Team, alice: User, token: str) -> None:
    invite(team, alice, Role.EDITOR)
    assert find(token) is None


@pytest.mark.django_db(transaction=True)
def test_of_two_who_come_at_once_one_gets_in(team: Team, alice: User, charlie: User) -> None:
    dora = User.objects.create_user("dora")
    _, token = invite(team, alice, Role.EDITOR)
    told = at_once(lambda: accept(token, charlie), lambda: accept(token, dora))
    assert sorted(map(bool, told)) == [False, True]
    assert team.members.count() == 2 and AuditEntry.objects.filter(act="joined").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_person_who_clicks_twice_joins_once(team: Team, alice: User, charlie: User) -> None:
    _, token = invite(team, alice, Role.EDITOR)
    told = at_once(*[lambda: accept(token, charlie)] * 2)
    assert sorted(map(bool, told)) == [False, True]
    assert Membership.objects.filter(team=team, user=charlie).count() == 1
