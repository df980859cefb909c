import pytest
from django.db import transaction

from accounts.auditing import Act, record
from accounts.models import AuditEntry, Team, User
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
