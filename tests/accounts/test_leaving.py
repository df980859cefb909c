import time
from collections.abc import Callable
from threading import Event

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts.inviting import find, invite, open_invitations, withdraw
from accounts.joining import TeamError, current_team
from accounts.leaving import change_role, found, remove, rename
from accounts.models import AuditEntry, Invitation, Membership, Team, User
from tests.accounts.racing import at_once

Role = Membership.Role


def of(user: User) -> Membership:
    return Membership.objects.get(user=user)


def acts() -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("actor_name", "act", "subject_name"))


def test_it_works(team: Team, alice: User, bob: User) -> None:
    change_role(of(bob), Role.EDITOR, alice)
    assert of(bob).role == Role.EDITOR
    remove(of(bob), alice)
    assert not Membership.objects.filter(user=bob).exists()
    assert acts() == [("alice", "role_changed", "bob"), ("alice", "removed", "bob")]
    assert AuditEntry.objects.filter(act="role_changed").get().detail == {"before": "analyst", "now": "editor"}


def test_one_leaves_by_oneself(team: Team, alice: User, bob: User) -> None:
    bob.current_team = team
    bob.save()
    remove(of(bob), bob)
    bob.refresh_from_db()
    assert bob.current_team is None and acts() == [("bob", "left", "Saliency lab")]


def test_the_last_owner_stays_owner(team: Team, alice: User, eve: User) -> None:
    losing: list[Callable[[], None]] = [
        lambda: remove(of(alice), alice),
        lambda: change_role(of(alice), Role.EDITOR, alice),
    ]
    for act in losing:
        with pytest.raises(TeamError, match="alice is the last owner of Saliency lab"):
            act()
    change_role(of(eve), Role.OWNER, alice)
    change_role(of(alice), Role.ANALYST, alice)
    assert (of(alice).role, of(eve).role) == (Role.ANALYST, Role.OWNER)


def test_the_same_role_again_is_no_act(team: Team, alice: User) -> None:
    change_role(of(alice), Role.OWNER, alice)
    assert acts() == []


def test_who_is_gone_is_not_changed(team: Team, alice: User, bob: User) -> None:
    gone = of(bob)
    remove(of(bob), alice)
    with pytest.raises(TeamError, match="no longer in the team"):
        change_role(gone, Role.OWNER, alice)


@pytest.mark.parametrize(
    "end",
    [
        lambda member, other: remove(member, other),
        lambda member, _: remove(member, member.user),
        lambda member, other: change_role(member, Role.EDITOR, other),
    ],
    ids=["removed", "left", "demoted"],
)
def test_who_is_no_owner_any_more_keeps_no_way_back(
    team: Team, alice: User, eve: User, end: Callable[[Membership, User], None]
) -> None:
    change_role(of(eve), Role.OWNER, alice)
    _, kept = invite(team, eve, Role.OWNER)
    _, others = invite(team, alice, Role.EDITOR)
    end(of(eve), alice)
    assert find(kept) is None and find(others)
    assert AuditEntry.objects.filter(act="uninvited").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_leave_at_once_one_stays(team: Team, alice: User, eve: User) -> None:
    Membership.objects.update(role=Role.OWNER)
    told = at_once(lambda: remove(of(alice), alice), lambda: remove(of(eve), eve))
    assert sorted(map(bool, told)) == [False, True]
    assert Membership.objects.get(team=team).role == Role.OWNER


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_demote_each_other_at_once_one_stays(team: Team, alice: User, eve: User) -> None:
    Membership.objects.update(role=Role.OWNER)
    first, second = of(alice), of(eve)
    told = at_once(lambda: change_role(second, Role.EDITOR, alice), lambda: change_role(first, Role.EDITOR, eve))
    assert sorted(map(bool, told)) == [False, True]
    assert Membership.objects.filter(team=team, role=Role.OWNER).count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_owner_who_is_demoted_at_the_same_moment_demotes_nobody(team: Team, alice: User, eve: User) -> None:
    """A third owner keeps the rule of the last one out of it."""
    dora = User.objects.create_user("dora", "dora@example.org")
    Membership.objects.create(team=team, user=dora, role=Role.OWNER)
    Membership.objects.update(role=Role.OWNER)
    first, second = of(alice), of(eve)
    told = at_once(lambda: change_role(second, Role.ANALYST, alice), lambda: change_role(first, Role.ANALYST, eve))
    assert sorted(map(bool, told)) == [False, True]
    assert Membership.objects.filter(team=team, role=Role.OWNER).count() == 2


def _owners_acts(team: Team, eve: User, bob: User) -> dict[str, Callable[[], object]]:
    invitation, _ = invite(team, eve, Role.EDITOR)
    return {
        "change_role": lambda: change_role(of(bob), Role.OWNER, eve),
        "remove": lambda: remove(of(bob), eve),
        "rename": lambda: rename(team, "Mine now", eve),
        "invite": lambda: invite(team, eve, Role.OWNER),
        "withdraw": lambda: withdraw(invitation, eve),
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["change_role", "remove", "rename", "invite", "withdraw"])
def test_what_an_owner_began_comes_to_nothing_once_the_role_is_gone(
    team: Team, alice: User, eve: User, bob: User, name: str
) -> None:
    """The page has found eve an owner; then alice's demotion commits while eve's act is on its way."""
    change_role(of(eve), Role.OWNER, alice)
    act, before = _owners_acts(team, eve, bob)[name], of(bob).role
    Membership.objects.filter(user=eve).update(role=Role.EDITOR)
    with pytest.raises(PermissionDenied, match="changed meanwhile"):
        act()
    team.refresh_from_db()
    assert (of(bob).role, team.name) == (before, "Saliency lab")
    assert Invitation.objects.count() == 1 and open_invitations(team).count() == 1


@pytest.mark.django_db(transaction=True)
def test_whoever_takes_a_role_away_waits_for_the_act_that_needs_it(team: Team, alice: User, eve: User) -> None:
    change_role(of(eve), Role.OWNER, alice)
    renamed, done = Event(), []

    def act() -> None:
        with transaction.atomic():
            rename(team, "Eve's lab", eve)
            renamed.set()
            time.sleep(0.5)
            done.append("renamed")

    def demote() -> None:
        renamed.wait(20)
        change_role(of(eve), Role.EDITOR, alice)
        done.append("demoted")

    assert at_once(act, demote) == ["", ""]
    assert done == ["renamed", "demoted"]


def test_a_team_is_founded_and_renamed(alice: User, team: Team) -> None:
    other = found(alice, "Second lab")
    rename(other, "Third lab", alice)
    other.refresh_from_db()
    assert other.name == "Third lab" and of_role(other, alice) == Role.OWNER
    assert acts() == [("alice", "team_founded", "Second lab"), ("alice", "team_renamed", "Second lab")]


def of_role(team: Team, user: User) -> str:
    return Membership.objects.get(team=team, user=user).role


def test_new_things_are_proposed_to_the_chosen_team(alice: User, bob: User, team: Team) -> None:
    assert current_team(alice) == team and current_team(bob) is None
    other = found(alice, "Second lab")
    assert current_team(alice) == team
    alice.current_team = other
    assert current_team(alice) == other
    Membership.objects.filter(team=other).update(role=Role.ANALYST)
    assert current_team(alice) == team
