import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts.acts import EDITORS, OWNERS
from accounts.auditing import Act, record
from accounts.models import AuditEntry, Membership, Team, User
from materials.deleting import delete_dataset
from materials.models import Dataset


def test_it_works(alice: User, team: Team) -> None:
    dataset = Dataset.objects.create(team=team, name="Films", slug="films")
    record(alice, team, Act.DELETED, dataset, texts=12, reason="a test")
    entry = AuditEntry.objects.get()
    assert (entry.team, entry.actor, entry.actor_name, entry.act) == (team, alice, "alice", Act.DELETED)
    assert (entry.subject_kind, entry.subject_key, entry.subject_name) == ("dataset", dataset.pk, "Films")
    assert entry.detail == {"texts": 12, "reason": "a test"}
    assert str(entry) == "alice deleted Films"


def test_it_needs_neither_an_actor_nor_a_row(team: Team) -> None:
    record(None, team, Act.CLOSED, "x" * 500, at=team)
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.actor_name, entry.subject_key) == (None, "", None)
    assert entry.subject_name == "x" * 200 and entry.detail == {"at": "Saliency lab"}


def test_a_name_outlives_its_person_and_thing(alice: User, team: Team) -> None:
    dataset = Dataset.objects.create(team=team, name="Films", slug="films")
    record(alice, team, Act.CREATED, dataset)
    dataset.delete()
    alice.delete()
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.actor_name, entry.subject_name) == (None, "alice", "Films")


def test_what_did_not_happen_is_not_recorded(alice: User, team: Team) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        record(alice, team, Act.LAUNCHED, team)
        raise ZeroDivisionError
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("act", sorted(EDITORS | OWNERS))
def test_who_has_lost_the_role_meanwhile_does_nothing(alice: User, bob: User, eve: User, team: Team, act: Act) -> None:
    """The page let them in before; the act is undone with its transaction."""
    who = [bob, eve] if act in OWNERS else [bob]
    for one in who:
        with pytest.raises(PermissionDenied, match="changed meanwhile"), transaction.atomic():
            Dataset.objects.create(team=team, name="Films", slug="films")
            record(one, team, act, team)
    assert not AuditEntry.objects.exists() and not Dataset.objects.exists()
    record(alice, team, act, team)
    assert AuditEntry.objects.get().actor == alice


def test_what_cannot_be_undone_asks_again_for_an_owner(alice: User, eve: User, team: Team) -> None:
    dataset = Dataset.objects.create(team=team, name="Films", slug="films")
    with pytest.raises(PermissionDenied):
        delete_dataset(dataset, eve)
    assert Dataset.objects.filter(pk=dataset.pk).exists()
    Membership.objects.filter(user=eve).update(role=Membership.Role.OWNER)
    delete_dataset(dataset, eve)
    assert not Dataset.objects.filter(pk=dataset.pk).exists()
