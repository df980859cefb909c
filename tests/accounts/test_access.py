import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from accounts.access import editable_teams, found_team, get_editable, get_readable, may_edit, readable
from accounts.models import Membership, Team, User
from materials.models import Dataset


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return Dataset.objects.create(team=team, name="Films", slug="films")


def test_it_works(alice: User, dataset: Dataset) -> None:
    assert get_editable(Dataset.objects.all(), alice, slug="films") == dataset
    assert list(readable(Dataset.objects.all(), alice)) == [dataset]


def test_an_editor_edits(team: Team, dataset: Dataset) -> None:
    editor = User.objects.create_user("eve")
    Membership.objects.create(team=team, user=editor, role=Membership.Role.EDITOR)
    assert may_edit(editor, team) and list(editable_teams(editor)) == [team]


def test_a_viewer_only_reads(bob: User, dataset: Dataset) -> None:
    assert get_readable(Dataset.objects.all(), bob, slug="films") == dataset
    with pytest.raises(PermissionDenied, match="Ask an owner"):
        get_editable(Dataset.objects.all(), bob, slug="films")
    assert not editable_teams(bob).exists()


@pytest.mark.parametrize("find", [get_readable, get_editable])
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
