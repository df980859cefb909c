import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from accounts.access import (
    editable_teams,
    found_team,
    get_editable,
    get_owned,
    get_readable,
    get_supervised,
    may_edit,
    may_own,
    may_supervise,
    readable,
)
from accounts.models import Membership, Team, User
from materials.models import Dataset


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return Dataset.objects.create(team=team, name="Films", slug="films")


def test_it_works(alice: User, dataset: Dataset) -> None:
    assert get_editable(Dataset.objects.all(), alice, slug="films") == dataset
    assert list(readable(Dataset.objects.all(), alice)) == [dataset]


def test_an_editor_edits(team: Team, eve: User) -> None:
    assert may_edit(eve, team) and list(editable_teams(eve)) == [team]


def test_an_analyst_only_reads(bob: User, dataset: Dataset) -> None:
    assert get_readable(Dataset.objects.all(), bob, slug="films") == dataset
    with pytest.raises(PermissionDenied, match="Ask an owner"):
        get_editable(Dataset.objects.all(), bob, slug="films")
    assert not editable_teams(bob).exists()


@pytest.mark.parametrize(
    ("role", "edits", "supervises", "owns"),
    [("owner", True, True, True), ("editor", True, True, False), ("analyst", False, False, False)],
)
def test_each_role_does_its_acts(
    team: Team, dataset: Dataset, role: str, edits: bool, supervises: bool, owns: bool
) -> None:
    member = User.objects.create_user("member")
    Membership.objects.create(team=team, user=member, role=role)
    for find, may in ((get_editable, edits), (get_supervised, supervises), (get_owned, owns)):
        if may:
            assert find(Dataset.objects.all(), member, slug="films") == dataset
            assert find(Team.objects.all(), member, pk=team.pk) == team
        else:
            with pytest.raises(PermissionDenied):
                find(Dataset.objects.all(), member, slug="films")
    assert (may_edit(member, team), may_supervise(member, team), may_own(member, team)) == (edits, supervises, owns)


@pytest.mark.parametrize("find", [get_readable, get_editable, get_supervised, get_owned])
def test_others_do_not_even_know_of_it(charlie: User, dataset: Dataset, find: object) -> None:
    with pytest.raises(Http404):
        find(Dataset.objects.all(), charlie, slug="films")  # type: ignore[operator]


def test_a_visitor_reaches_nothing(dataset: Dataset) -> None:
    assert not readable(Dataset.objects.all(), AnonymousUser()).exists()
    assert not may_edit(AnonymousUser(), dataset.team)


def test_two_memberships_show_a_thing_once(alice: User, bob: User, dataset: Dataset) -> None:
    other = found_team(alice, "Another")
    Dataset.objects.create(team=other, name="Films", slug="films-2")
    assert readable(Dataset.objects.all(), alice).count() == 2
    assert readable(Dataset.objects.all(), bob).count() == 1
