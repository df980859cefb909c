from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Team, User
from materials import explaining
from materials.models import Chunk, Classifier, Dataset, Failure, Run
from tests.materials.actors import films, judge, predict_right

Sent = list[tuple[str, list[int]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What was put on the queue."""
    tasks: Sent = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: tasks.append((name, args)))
    return tasks


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"pos": 20, "neg": 20})


@pytest.fixture
def classifier(team: Team) -> Classifier:
    return judge(team, ["neg", "pos"])


def explained(dataset: Dataset, classifier: Classifier) -> Run:
    return explaining.explain(
        dataset.texts.all(), dataset, classifier, {"lime": {"samples": 50}}, {"sufficiency": {}}, None
    )


def test_it_works(
    dataset: Dataset,
    classifier: Classifier,
    alice: User,
    sent: Sent,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run = explaining.evaluate(dataset, classifier, alice)
        assert sent == []
    assert (run.kind, run.state, run.started_by) == (Run.Kind.PREDICT, Run.State.RUNNING, alice)
    asked = [pk for chunk in run.chunks.all() for pk in chunk.text_ids]
    assert sorted(asked) == sorted(dataset.texts.values_list("pk", flat=True))
    assert sent == [("workers.predict_chunk", [chunk.pk]) for chunk in run.chunks.all()]


def test_without_a_queue_it_stands_as_cancelled_and_can_be_resumed(
    dataset: Dataset,
    classifier: Classifier,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    def refuse(name: str, args: list[int]) -> None:
        raise OperationalError("Connection refused")

    with monkeypatch.context() as patch, django_capture_on_commit_callbacks(execute=True):
        patch.setattr(current_app, "send_task", refuse)
        run = explaining.evaluate(dataset, classifier, None)
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED
    tasks: Sent = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: tasks.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        explaining.resume(run)
    assert run.state == Run.State.RUNNING and len(tasks) == run.chunks.count()


def test_only_texts_without_a_prediction_are_predicted(dataset: Dataset, classifier: Classifier) -> None:
    predict_right(dataset, classifier)
    run = explaining.evaluate(dataset, classifier, None)
    assert run.state == Run.State.DONE and not run.chunks.exists()
    assert explaining.progress(run).percent == 100


def test_a_second_click_gets_the_same_run(dataset: Dataset, classifier: Classifier) -> None:
    assert explaining.evaluate(dataset, classifier, None) == explaining.evaluate(dataset, classifier, None)


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_make_one_run(team: Team, sent: Sent) -> None:
    dataset, classifier = films(team, {"pos": 5}), judge(team, ["pos"])

    def click(number: int) -> int:
        try:
            return explaining.evaluate(dataset, classifier, None).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(click, range(4)))) == 1
    assert len(sent) == 1


def test_methods_are_stored_with_all_parameters(dataset: Dataset, classifier: Classifier) -> None:
    run = explained(dataset, classifier)
    assert run.methods == [{"method": "lime", "params": explaining.full_params("lime", {"samples": 50})}]
    assert run.metrics == [{"metric": "sufficiency", "params": {}}]
    assert [len(chunk.text_ids) for chunk in run.chunks.all()] == [16, 16, 8]


def test_an_unknown_parameter_is_refused(dataset: Dataset, classifier: Classifier) -> None:
    with pytest.raises(ValueError, match="has no parameter 'n'"):
        explaining.explain(dataset.texts.all(), dataset, classifier, {"lime": {"n": 1}}, {}, None)
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("sizes", "budget", "most", "parts"),
    [
        ([(1, 40), (2, 40), (3, 40)], 24, 9, [[1, 2], [3]]),
        ([(1, 40), (2, 40), (3, 40)], 999, 2, [[1, 2], [3]]),
        ([(1, 9999), (2, 4)], 10, 9, [[1], [2]]),
        ([], 10, 9, []),
    ],
)
def test_chunks_keep_to_the_budget(
    sizes: list[tuple[int, int]], budget: int, most: int, parts: list[list[int]]
) -> None:
    assert list(explaining.chunked(sizes, budget, most)) == parts


def test_cancel_and_resume_ask_only_for_what_is_left(
    dataset: Dataset,
    classifier: Classifier,
    sent: Sent,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run = explained(dataset, classifier)
    done, *left = run.chunks.all()
    Chunk.objects.filter(pk=done.pk).update(state=Chunk.State.DONE, finished_at=timezone.now())
    explaining.cancel(run)
    assert run.state == Run.State.CANCELLED and run.finished_at
    with django_capture_on_commit_callbacks(execute=True):
        explaining.resume(run)
    assert run.state == Run.State.RUNNING and run.finished_at is None
    assert sent == [("workers.explain_chunk", [chunk.pk]) for chunk in left]


def test_what_is_done_stays_done(dataset: Dataset, classifier: Classifier) -> None:
    predict_right(dataset, classifier)
    run = explaining.evaluate(dataset, classifier, None)
    explaining.cancel(run)
    explaining.resume(run)
    assert run.state == Run.State.DONE


def _finish(run: Run, **numbers: Any) -> None:
    for number, seconds in numbers.items():
        at = run.created_at + timedelta(seconds=seconds)
        run.chunks.filter(number=int(number[1:])).update(state=Chunk.State.DONE, finished_at=at)


def test_progress_counts_texts_and_tells_the_time_left(dataset: Dataset, classifier: Classifier) -> None:
    run = explained(dataset, classifier)
    assert explaining.progress(run).seconds_left is None
    _finish(run, n1=16)
    text = dataset.texts.first()
    assert text
    for method in ("lime", "gradient"):
        Failure.objects.create(run=run, text=text, method=method, reason="too long")
    now = explaining.progress(run)
    assert (now.total, now.done, now.failed, now.percent) == (40, 16, 1, 40)
    assert now.seconds_left == pytest.approx(24)


def test_a_long_pause_does_not_count_as_slowness(team: Team, classifier: Classifier) -> None:
    dataset = films(team, {"pos": 16 * 20}, name="Many")
    run = explained(dataset, classifier)
    _finish(run, **{f"n{n}": 9_000 + n * 4 for n in range(1, 18)})
    assert explaining.progress(run).seconds_left == pytest.approx(3 * 4)
