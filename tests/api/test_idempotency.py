import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, connections, transaction
from django.utils import timezone

from accounts.api import idempotency
from accounts.models import KeptAnswer, Team, User
from materials.models import Dataset
from tests.api.reaching import Speaker

DATASETS = "/api/v1/datasets/"


@pytest.fixture
def speaker(alice: User) -> Speaker:
    cache.clear()
    return Speaker(alice)


@pytest.mark.django_db
def test_the_same_request_happens_once_and_is_answered_alike(speaker: Speaker) -> None:
    first = speaker.post(DATASETS, {"name": "Books", "language": "en"}, idempotency_key="k1")
    again = speaker.post(DATASETS, {"language": "en", "name": "Books"}, idempotency_key="k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json() and again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true" and Dataset.objects.count() == 1


@pytest.mark.django_db
def test_a_key_that_came_with_another_body_is_refused(speaker: Speaker) -> None:
    speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    other = speaker.post(DATASETS, {"name": "Films"}, idempotency_key="k1")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@pytest.mark.django_db
def test_keys_belong_to_their_users(speaker: Speaker, charlie: User) -> None:
    speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    assert Speaker(charlie).post(DATASETS, {"name": "Films"}, idempotency_key="k1").status_code == 201


@pytest.mark.django_db
def test_after_an_error_the_key_may_be_tried_again(speaker: Speaker) -> None:
    assert speaker.post(DATASETS, {"name": ""}, idempotency_key="k1").status_code == 400
    assert speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1").status_code == 201


@pytest.mark.django_db
def test_an_answer_is_forgotten_after_its_time(speaker: Speaker) -> None:
    speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    KeptAnswer.objects.update(created_at=timezone.now() - idempotency.KEPT - timedelta(seconds=1))
    assert speaker.post(DATASETS, {"name": "Films"}, idempotency_key="k1").status_code == 201
    assert KeptAnswer.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "two words", "k" * 256, "schlüssel"])
def test_a_key_is_short_and_plain(speaker: Speaker, key: str) -> None:
    assert speaker.post(DATASETS, {"name": "Books"}, idempotency_key=key).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_while_a_request_is_under_way_its_double_is_told_to_wait(
    speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first stands still between what it does and its commit, and the second comes meanwhile."""
    came, go = threading.Event(), threading.Event()
    keep: Callable[..., None] = idempotency._keep

    def keep_later(*args: Any) -> None:
        came.set()
        assert go.wait(30)
        keep(*args)

    monkeypatch.setattr(idempotency, "_keep", keep_later)
    answers: list[Any] = []
    first = threading.Thread(target=_ask, args=(speaker, answers))
    first.start()
    assert came.wait(30)
    second = speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    go.set()
    first.join()
    third = speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    assert (second.status_code, second.json()["code"]) == (409, "idempotency_key_in_use")
    assert second.headers["Retry-After"] == "1"
    assert answers[0].status_code == third.status_code == 201 and third.json() == answers[0].json()
    assert Dataset.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_whose_process_dies_leaves_neither_row_nor_key(speaker: Speaker, team: Team) -> None:
    """Its connection is cut before the commit, as the database sees it when a process is killed."""
    ready, done = threading.Event(), threading.Event()

    def die() -> None:
        try:
            with transaction.atomic():
                idempotency._hold(team.members.get(), "k1")
                Dataset.objects.create(team=team, name="Books", slug="books")
                ready.set()
                assert done.wait(30)
                connection.connection.close()
        except Exception:
            pass
        finally:
            connections.close_all()

    dying = threading.Thread(target=die)
    dying.start()
    assert ready.wait(30)
    meanwhile = speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    done.set()
    dying.join()
    after = speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1")
    assert (meanwhile.status_code, after.status_code) == (409, 201)
    assert Dataset.objects.get().slug == "books"


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_happens(speaker: Speaker) -> None:
    answers: list[Any] = []
    threads = [threading.Thread(target=_ask, args=(speaker, answers)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} <= {201, 409} and Dataset.objects.count() == 1
    assert len({answer.content for answer in answers if answer.status_code == 201}) == 1


def _ask(speaker: Speaker, answers: list[Any]) -> None:
    try:
        answers.append(speaker.post(DATASETS, {"name": "Books"}, idempotency_key="k1"))
    finally:
        connections.close_all()
