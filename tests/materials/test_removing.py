"""What is deleted is nowhere to be found at once, and goes in batches, whatever is killed meanwhile."""

import os
import signal
import time
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Team, User
from config.serving import celery_worker
from materials import carrying, deleting, removing
from materials.carrying import carry_out, unfinished
from materials.claiming import ClaimedElsewhere
from materials.deleting import PLANS, REMOVING, delete_classifier, delete_dataset
from materials.importing import find_or_create_dataset
from materials.models import Classifier, Dataset, Explanation, Prediction, Removal, Text
from materials.removing import try_again
from reports.deleting import PLANS as REPORTS_PLANS
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right


@pytest.fixture
def dataset(team: Team, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    """Large, as far as anybody knows."""
    monkeypatch.setattr(removing, "AT_ONCE", 0)
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: True)
    made = films(team, {"pos": 3, "neg": 3})
    predict_right(made, judge(team, ["neg", "pos"]))
    return made


def wait_for(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 90
    while not done():
        assert time.monotonic() < until, "It did not come: see var/tests/log/worker.log"
        time.sleep(0.05)


def test_it_works(alice: User, team: Team, dataset: Dataset) -> None:
    client = signed_in(alice)
    response = client.post(reverse("dataset_delete", args=["films"]), {"typed": "Films"}, follow=True)
    removal = Removal.objects.get()
    page = response.content.decode()
    assert (removal.total, removal.name) == (12, "Films") and "You can close this page" in page and "of 12" in page
    assert client.get(dataset.get_absolute_url()).status_code == 404
    for address in (reverse("dataset_list"), reverse("home")):
        assert removal.get_absolute_url() in client.get(address).content.decode()
    assert client.get(reverse("search") + "?q=Films").content.decode().count(dataset.get_absolute_url()) == 0
    again = find_or_create_dataset(team, "Films")
    assert (again.slug, Text.objects.count()) == ("films-2", 6)
    carry_out(REMOVING, removal.pk)
    removal.refresh_from_db()
    assert (removal.state, removal.done, Text.objects.count()) == ("done", 12, 0)
    assert (
        list(Dataset.all_objects.all()) == [again]
        and "It is deleted" in client.get(removal.get_absolute_url()).content.decode()
    )
    assert removal.get_absolute_url() not in client.get(reverse("dataset_list")).content.decode()


def test_what_dies_half_way_goes_on_where_it_was(
    alice: User, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    removal, texts = delete_dataset(dataset, alice), deleting._texts
    left = [2]

    def die(ids: list[int]) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise SystemExit("killed")
        return texts(ids)

    monkeypatch.setattr(deleting, "_texts", die)
    monkeypatch.setattr(deleting.batches, "__defaults__", (2,))
    with pytest.raises(SystemExit):
        carry_out(REMOVING, removal.pk)
    removal.refresh_from_db()
    assert (removal.done, Text.objects.count(), unfinished(REMOVING)) == (8, 2, [removal.pk])
    left[0] = 9
    carry_out(REMOVING, removal.pk)
    removal.refresh_from_db()
    assert (removal.state, removal.done) == ("done", 12) and not Dataset.all_objects.exists()


def test_a_classifier_goes_the_same_way(alice: User, dataset: Dataset) -> None:
    removal = delete_classifier(Classifier.objects.get(), alice)
    assert not Classifier.objects.exists() and Prediction.objects.count() == 6
    carry_out(REMOVING, removal.pk)
    carry_out(REMOVING, removal.pk)
    assert not Classifier.all_objects.exists() and not Prediction.objects.exists() and not Explanation.objects.exists()
    assert Text.objects.count() == 6


def test_a_failure_is_told_and_tried_again(
    alice: User, bob: User, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    removal = delete_dataset(dataset, alice)

    def stands(*args: object) -> int:
        raise IntegrityError

    with monkeypatch.context() as patched:
        patched.setattr(deleting, "_rest", stands)
        carry_out(REMOVING, removal.pk)
    address, home = removal.get_absolute_url(), reverse("home")
    page = signed_in(alice).get(address).content.decode()
    assert "delete that first, and try again" in page and "is not wholly deleted" in (
        signed_in(alice).get(home).content.decode()
    )
    assert signed_in(bob).post(f"{address}retry/").status_code == 403
    assert signed_in(alice).post(f"{address}retry/").status_code == 302
    carry_out(REMOVING, removal.pk)
    removal.refresh_from_db()
    assert removal.state == "done" and not Dataset.all_objects.exists()


def test_what_kills_every_process_is_given_up_and_begun_anew_when_asked(alice: User, dataset: Dataset) -> None:
    removal = delete_dataset(dataset, alice)
    Removal.objects.update(tries=carrying.MOST_TRIES)
    carry_out(REMOVING, removal.pk)
    removal.refresh_from_db()
    assert (removal.state, removal.error) == ("failed", carrying.DIED) and Text.objects.count() == 6
    try_again(removal)
    carry_out(REMOVING, removal.pk)
    assert not Text.objects.exists()


def test_without_a_queue_it_says_so(
    alice: User,
    dataset: Dataset,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: False)
    with django_capture_on_commit_callbacks(execute=True):
        removal = delete_dataset(dataset, alice)
    removal.refresh_from_db()
    assert (removal.state, removal.error) == ("failed", carrying.NO_QUEUE)


def test_every_kind_has_its_plan_and_its_task() -> None:
    from materials.tasks import remove
    from reports.tasks import remove_campaign

    assert {*PLANS, *REPORTS_PLANS} == {*removing.TASKS} == {*Removal.Kind.values}
    assert {remove.name, remove_campaign.name} == {*removing.TASKS.values()}


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_a_worker_killed_half_way_is_followed_by_another(
    _test_database_url: str, alice: User, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removing, "AT_ONCE", 0)
    dataset, other = films(team, {"pos": 3}), connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("LOCK TABLE materials_chunk IN SHARE MODE")  # It gets past the texts, and waits.
        removal = delete_dataset(dataset, alice)
        with celery_worker() as worker:
            wait_for(lambda: Removal.objects.get(pk=removal.pk).done == 3)
            with pytest.raises(ClaimedElsewhere):
                carry_out(REMOVING, removal.pk)
            os.killpg(worker.pid, signal.SIGKILL)
            assert unfinished(REMOVING) == [removal.pk] and not Text.objects.exists()
            other.rollback()
            wait_for(lambda: Removal.objects.get(pk=removal.pk).state == Removal.State.DONE)
    finally:
        other.close()
    assert not Dataset.all_objects.exists()
