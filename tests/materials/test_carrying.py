"""Jobs of every kind: done once, all or nothing, whatever dies, is taken back or comes twice."""

from collections.abc import Callable

import pytest
from celery import current_app
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from accounts.models import Team, User
from campaigns.starting import LAUNCHING
from materials import bringing, carrying, deleting
from materials.carrying import DIED, MOST_TRIES, REFUSED, JobError, Procedure, carry_out, end, telling, unfinished
from materials.claiming import ClaimedElsewhere
from materials.jobs import Job
from materials.models import Removal
from reports import building
from reports import deleting as campaigns_deleting
from reports.archiving import asking

PROCEDURES: tuple[Procedure[Job], ...] = (
    bringing.IMPORTING, deleting.REMOVING, LAUNCHING, building.BUILDING, asking.ARCHIVING, campaigns_deleting.REMOVING,
)  # type: ignore[assignment]  # fmt: skip


def procedure(do: Callable[[Removal], None], died: str = DIED) -> Procedure[Removal]:
    return Procedure("none", Removal, do, "tried", died)


@pytest.fixture
def job(team: Team, alice: User) -> Removal:
    return Removal.objects.create(team=team, kind="dataset", key=1, name="Films", total=10, asked_by=alice)


def done(job: Removal) -> None:
    end(job, Job.State.DONE)


def told(job: Removal) -> tuple[str, str, int]:
    job.refresh_from_db()
    return job.state, job.error, job.tries


def test_it_works(job: Removal) -> None:
    how = procedure(done)
    assert unfinished(how) == [job.pk]
    carry_out(how, job.pk)
    assert told(job) == ("done", "", 1) and job.finished_at and not job.under_way and unfinished(how) == []


def test_what_has_ended_is_not_done_again(job: Removal) -> None:
    for _ in range(3):
        carry_out(procedure(done), job.pk)
    assert told(job) == ("done", "", 1)


@pytest.mark.django_db
def test_what_is_not_there_is_not_done() -> None:
    carry_out(procedure(done), 4711)


def test_a_reason_is_told_and_nothing_raised(job: Removal) -> None:
    def refuse(job: Removal) -> None:
        raise JobError("There is no more room.")

    carry_out(procedure(refuse), job.pk)
    assert told(job) == ("failed", "There is no more room.", 1)


def test_a_fault_of_ours_is_told_and_raised(job: Removal) -> None:
    with pytest.raises(ZeroDivisionError):
        carry_out(procedure(lambda job: print(1 / 0)), job.pk)
    assert told(job) == ("failed", "It could not be tried: division by zero", 1)


def test_of_what_was_taken_back_nobody_hears(job: Removal) -> None:
    def lose(job: Removal) -> None:
        Removal.objects.all().delete()
        raise OSError

    carry_out(procedure(lose), job.pk)
    assert not Removal.objects.exists()


def test_what_kills_its_process_is_given_up(job: Removal) -> None:
    def die(job: Removal) -> None:
        raise SystemExit

    for tries in range(1, MOST_TRIES + 1):
        with pytest.raises(SystemExit):
            carry_out(procedure(die), job.pk)
        assert told(job) == ("waiting", "", tries)
    carry_out(procedure(die, "It is too large."), job.pk)
    assert told(job)[:2] == ("failed", "It is too large.")


def test_a_database_that_refuses_is_asked_again_and_not_for_ever(job: Removal) -> None:
    def refuse(job: Removal) -> None:
        raise DatabaseError("psycopg2 says much that helps nobody")

    for _ in range(MOST_TRIES):
        with pytest.raises(DatabaseError):
            carry_out(procedure(refuse), job.pk)
        assert job.under_way
    carry_out(procedure(refuse), job.pk)
    assert told(job)[:2] == ("failed", REFUSED)


def test_what_was_refused_once_and_then_done_tells_of_no_error(job: Removal) -> None:
    Removal.objects.update(error=REFUSED, tries=1)
    carry_out(procedure(done), job.pk)
    assert told(job) == ("done", "", 2)


@pytest.mark.django_db(transaction=True)
def test_one_process_at_a_time(job: Removal) -> None:
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(hashtext(%s), %s)", ["materials_removal", job.pk])
        with pytest.raises(ClaimedElsewhere):
            carry_out(procedure(done), job.pk)
    finally:
        other.close()
    assert told(job) == ("waiting", "", 0)


@pytest.mark.django_db(transaction=True)
def test_progress_is_seen_before_the_rest_is(job: Removal) -> None:
    seen: list[tuple[str, int, int, int]] = []

    def do(job: Removal) -> None:
        with telling(job) as tell:
            tell("Counting", 3, 12)
            job.refresh_from_db()
            seen.append((job.step, job.done, job.total, job.percent))
        done(job)

    carry_out(procedure(do), job.pk)
    assert seen == [("Counting", 3, 12, 25)]
    job.refresh_from_db()
    assert (job.state, job.step) == ("done", "")


@pytest.mark.django_db(transaction=True)
def test_a_job_that_holds_its_own_row_does_not_wait_for_itself(job: Removal) -> None:
    def do(job: Removal) -> None:
        with telling(job) as tell, transaction.atomic():
            done(job)
            tell("Counting", 3, 12)

    carry_out(procedure(do), job.pk)
    assert told(job) == ("done", "", 1) and job.step == ""


def test_every_kind_of_job_has_its_procedure_and_its_task() -> None:
    kinds = {model for model in apps.get_models() if issubclass(model, Job)}
    assert {one.model for one in PROCEDURES} == kinds
    current_app.loader.import_default_modules()
    assert {one.task for one in PROCEDURES} <= set(current_app.tasks)


def test_without_a_queue_what_is_left_stays_left(job: Removal, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: asked.append((task, list(ids))))
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)
    carrying.take_up(procedure(done))
    assert asked == [("none", [job.pk])] and told(job)[0] == "waiting"
