from collections.abc import Callable

import pytest

from accounts.inviting import find, invite
from accounts.joining import TeamError, current_team
from accounts.leaving import change_role, found, remove, rename
from accounts.models import AuditEntry, Membership, Team, User
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
