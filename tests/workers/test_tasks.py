"""Chunks are computed once and wholly, whatever is killed, doubled, cancelled or broken."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.models import Team
from config.serving import celery_worker
from materials.explaining import full_params
from materials.models import Chunk, Classifier, Dataset, Explanation, Failure, MetricScore, Prediction, Run, Text
from workers import computing
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.explaining import explain
from workers.saliency import METHODS
from workers.tasks import explain_chunk, predict_chunk, register_classifier, take_up_unfinished_work

CONTENTS = ["a great film", "an awful , boring film .", "café 👍🏽 great", "film", "tests of words"]
SEEDS_ARMS = ("attention_all", "attention_last", "gradient", "input_x_gradient") + (
    "integrated_gradients",
    "deeplift",
    "lime",
    "random",
)
EIGHT: list[dict[str, Any]] = [{"method": name, "params": {}} for name in SEEDS_ARMS]
TWO: list[dict[str, Any]] = [{"metric": name, "params": {}} for name in ("comprehensiveness", "sufficiency")]
Folders = Callable[[str], Path]


def make_run(team: Team, folder: Path, kind: str = "explain", chunk_size: int = 3, **more: Any) -> Run:
    dataset = Dataset.objects.create(team=team, name="Reviews", slug="reviews")
    for at, content in enumerate(CONTENTS):
        Text.objects.create(dataset=dataset, key=str(at), content=content, content_hash=str(at))
    classifier = Classifier.objects.create(team=team, name="Tiny", slug="tiny", source=str(folder))
    register_classifier(classifier.pk)
    classifier.refresh_from_db()
    more = more or {"methods": EIGHT, "metrics": TWO}
    run = Run.objects.create(dataset=dataset, classifier=classifier, kind=kind, **more)
    ids = list(Text.objects.values_list("pk", flat=True))
    for number, start in enumerate(range(0, len(ids), chunk_size)):
        Chunk.objects.create(run=run, number=number, text_ids=ids[start : start + chunk_size])
    return run


@pytest.fixture
def run(team: Team, folders: Folders) -> Run:
    return make_run(team, folders("bert"))


def finish(run: Run, task: Any = explain_chunk) -> None:
    for chunk in run.chunks.all():
        task(chunk.pk)
    run.refresh_from_db()


@pytest.mark.django_db
def test_it_works(run: Run) -> None:
    finish(run)
    assert run.state == Run.State.DONE and run.finished_at
    assert not run.chunks.filter(state=Chunk.State.PENDING).exists()
    assert Explanation.objects.count() == len(CONTENTS) * 8
    assert Prediction.objects.count() == len(CONTENTS)
    assert MetricScore.objects.count() == len(CONTENTS) * 8 * 2
    assert Failure.objects.count() == 0


@pytest.mark.django_db
def test_an_explanation_is_kept_whole(run: Run) -> None:
    finish(run)
    row = Explanation.objects.get(text__key="2", method="integrated_gradients")
    words = [row.text.content[start:end] for start, end in zip(row.starts, row.ends, strict=True)]
    assert words == ["café", "👍🏽", "great"]
    assert len(row.scores) == 3 and row.completeness_error is not None
    assert row.params == full_params("integrated_gradients")
    assert [piece for piece, _ in row.special] == ["[CLS]", "[SEP]"]
    assert row.versions["dtype"] == "float32"
    prediction = Prediction.objects.get(text=row.text)
    assert run.classifier.label_names[row.target] == prediction.label
    assert sum(prediction.probabilities) == pytest.approx(1)


@pytest.mark.django_db
def test_a_metric_without_a_value_says_why(run: Run) -> None:
    finish(run)
    for score in MetricScore.objects.filter(explanation__text__key="3"):
        assert score.value is None and score.reason == "fewer than two words"


@pytest.mark.django_db
def test_explanations_are_scored_by_what_people_marked(run: Run) -> None:
    Text.objects.filter(key="0").update(rationale=[[2, 7, 2.0]])
    metrics: list[dict[str, Any]] = [{"metric": name, "params": {}} for name in ("pointing_game", "rank_correlation")]
    Run.objects.update(methods=[{"method": "random", "params": {}}], metrics=metrics)
    finish(run)
    row = Explanation.objects.get(text__key="0")
    assert row.starts == [0, 2, 8]
    scores = [score for score in row.scores if score is not None]
    assert row.metric_scores.get(metric="pointing_game").value == float(max(scores) == scores[1])
    # The marked word is above both, above one or above none of the other two.
    above = sum(score < scores[1] for score in scores)
    correlation = row.metric_scores.get(metric="rank_correlation").value
    assert correlation == pytest.approx((2 * above - 2) / 6**0.5)
    others = MetricScore.objects.exclude(explanation=row)
    assert set(others.values_list("value", "reason")) == {(None, "no rationale")}


@pytest.mark.django_db
def test_a_second_delivery_writes_nothing(run: Run) -> None:
    finish(run)
    before = list(Explanation.objects.order_by("pk").values("pk", "created_at"))
    Run.objects.update(state=Run.State.RUNNING)
    run.chunks.update(state=Chunk.State.PENDING)
    finish(run)
    assert list(Explanation.objects.order_by("pk").values("pk", "created_at")) == before
    assert MetricScore.objects.count() == len(CONTENTS) * 8 * 2


@pytest.mark.django_db
def test_what_is_there_is_not_computed_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(run)
    asked: list[str] = []
    usual = METHODS["lime"]

    def counted(*args: Any, **params: Any) -> Any:
        asked.append("lime")
        return usual(*args, **params)

    monkeypatch.setitem(METHODS, "lime", counted)
    monkeypatch.setitem(METHODS, "gradient", lambda *args: pytest.fail("gradient was computed again"))
    methods = [{"method": "gradient", "params": {}}, {"method": "lime", "params": {"samples": 20}}]
    Run.objects.update(state=Run.State.RUNNING, methods=methods)
    run.chunks.update(state=Chunk.State.PENDING)
    finish(run)
    assert asked
    assert Explanation.objects.filter(method="lime").count() == 2 * len(CONTENTS)


@pytest.mark.django_db
def test_imported_maps_are_scored_and_never_made(run: Run) -> None:
    finish(run)
    text = Text.objects.get(key="0")
    computed = Explanation.objects.get(text=text, method="gradient")
    Explanation.objects.create(
        text=text, classifier=run.classifier, method="imported:mine", params={"shots": 3}, target=computed.target,
        starts=computed.starts, ends=computed.ends, scores=[0.1, 0.3, 0.2], seconds=0,
    )  # fmt: skip
    methods = [{"method": "imported:mine", "params": {"shots": 3}}]
    Run.objects.update(state=Run.State.RUNNING, methods=methods)
    run.chunks.update(state=Chunk.State.PENDING)
    finish(run)
    assert Explanation.objects.filter(method="imported:mine").count() == 1
    assert MetricScore.objects.filter(explanation__method="imported:mine", value__isnull=False).count() == 2
    assert Failure.objects.count() == 0


@pytest.mark.django_db
def test_predictions_alone(team: Team, folders: Folders) -> None:
    run = make_run(team, folders("bert"), kind="predict", metrics=[])
    finish(run, predict_chunk)
    assert run.state == Run.State.DONE
    assert Prediction.objects.count() == len(CONTENTS) and Explanation.objects.count() == 0


@pytest.mark.django_db
def test_a_text_that_a_method_cannot_do_fails_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = str(Text.objects.get(key="1").pk)
    usual = METHODS["gradient"]

    def breaks(classifier: Any, batch: Any, target: Any, **params: Any) -> Any:
        if any(text.text_id == bad for text in batch.texts):
            raise RuntimeError("a NUL \0 in it")
        return usual(classifier, batch, target, **params)

    monkeypatch.setitem(METHODS, "gradient", breaks)
    finish(run)
    failure = Failure.objects.get()
    assert (failure.text.key, failure.method, failure.reason) == ("1", "gradient", "RuntimeError: a NUL \ufffd in it")
    assert Explanation.objects.count() == len(CONTENTS) * 8 - 1
    assert run.state == Run.State.DONE


@pytest.mark.django_db
def test_a_classifier_that_is_gone_fails_every_text_with_the_reason(run: Run) -> None:
    Classifier.objects.update(source="./gone")
    run.refresh_from_db()
    finish(run)
    assert run.state == Run.State.DONE
    assert Failure.objects.count() == len(CONTENTS)
    assert all("No such folder: ./gone" in failure.reason for failure in Failure.objects.all())


@pytest.mark.django_db
def test_weights_that_changed_are_refused(run: Run) -> None:
    Classifier.objects.update(weights_hash="0" * 64)
    finish(run)
    assert "have changed since it was added" in Failure.objects.all()[0].reason


@pytest.mark.django_db
@pytest.mark.parametrize("state", [Run.State.CANCELLED, Run.State.DONE])
def test_a_run_that_ended_computes_nothing(run: Run, state: str) -> None:
    Run.objects.update(state=state)
    finish(run)
    assert Explanation.objects.count() == 0
    assert run.chunks.filter(state=Chunk.State.PENDING).count() == 2


@pytest.mark.django_db
def test_cancelling_in_the_middle_rolls_the_chunk_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = explain

    def cancels_after_one(*args: Any) -> Iterator[Any]:
        for at, record in enumerate(usual(*args)):
            if at == 1:
                Run.objects.update(state=Run.State.CANCELLED)
            yield record

    monkeypatch.setattr(computing, "explain", cancels_after_one)
    chunk = run.chunks.all()[0]
    explain_chunk(chunk.pk)
    chunk.refresh_from_db()
    assert chunk.state == Chunk.State.PENDING
    assert Explanation.objects.count() == 0 and Failure.objects.count() == 0


@pytest.mark.django_db
def test_a_database_that_is_away_is_no_failure_of_a_text(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: Any) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(computing, "_write_predictions", away)
    with pytest.raises(OperationalError):
        computing.compute_chunk(run.chunks.all()[0].pk, computing.explain_texts)
    assert Failure.objects.count() == 0


@pytest.mark.django_db
def test_tasks_of_what_was_deleted_end_quietly() -> None:
    explain_chunk(987654)
    predict_chunk(987654)
    register_classifier(987654)


@pytest.mark.django_db
def test_the_model_is_loaded_once_a_process(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    computing._load.cache_clear()
    loads: list[str] = []
    usual = load_classifier

    def counted(name: str, *args: str, **options: Any) -> TextClassifier:
        loads.append(name)
        return usual(name, *args, **options)

    monkeypatch.setattr(computing, "load_classifier", counted)
    finish(run)
    assert len(loads) == 1


@pytest.mark.django_db
def test_a_classifier_is_registered(team: Team, folders: Folders) -> None:
    classifier = Classifier.objects.create(team=team, name="T", slug="t", source=str(folders("roberta")))
    register_classifier(classifier.pk)
    classifier.refresh_from_db()
    assert classifier.state == Classifier.State.READY and classifier.error == ""
    assert classifier.label_names == ["negative", "positive"]
    assert classifier.problem_type == "single_label_classification"
    assert len(classifier.weights_hash) == 64
    assert classifier.kind == "transformer" and 0 < (classifier.seconds_per_piece or 0) < 0.1


@pytest.mark.django_db
def test_labels_that_people_renamed_stay_renamed(team: Team, folders: Folders) -> None:
    classifier = Classifier.objects.create(team=team, name="T", slug="t", source=str(folders("bert")))
    register_classifier(classifier.pk)
    Classifier.objects.update(state=Classifier.State.LOADING, label_names=["bad", "good"])
    register_classifier(classifier.pk)
    classifier.refresh_from_db()
    assert classifier.label_names == ["bad", "good"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "said"),
    [(ClassifierError("No such folder."), "No such folder."), (MemoryError(), "cannot be loaded: MemoryError")],
)
def test_a_classifier_that_cannot_be_loaded_says_why(
    team: Team, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def fails(*args: str, **options: Any) -> None:
        raise error

    monkeypatch.setattr("workers.registering.load_classifier", fails)
    classifier = Classifier.objects.create(team=team, name="T", slug="t", source="x/y")
    register_classifier(classifier.pk)
    classifier.refresh_from_db()
    assert classifier.state == Classifier.State.FAILED
    assert said in classifier.error


@pytest.mark.django_db
def test_a_worker_that_starts_takes_up_what_is_left(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(explain_chunk, "delay", sent.append)
    monkeypatch.setattr(register_classifier, "delay", sent.append)
    monkeypatch.setattr("workers.tasks.connections.close_all", lambda: None)
    waiting = Classifier.objects.create(team=run.dataset.team, name="T", slug="t", source="x/y")
    done, left = run.chunks.all()
    explain_chunk(done.pk)
    take_up_unfinished_work()
    assert sent == [left.pk, waiting.pk]


@pytest.mark.django_db
def test_a_run_whose_last_chunk_was_done_by_a_killed_worker_is_closed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.tasks.connections.close_all", lambda: None)
    run.chunks.update(state=Chunk.State.DONE, finished_at=timezone.now())
    take_up_unfinished_work()
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def wait_for(condition: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "It did not happen in time: see var/tests/log/worker.log"
        time.sleep(0.05)


@pytest.mark.django_db(transaction=True)
def test_a_chunk_under_way_elsewhere_is_left_alone(team: Team, folders: Folders) -> None:
    run = make_run(team, folders("bert"))
    chunk = run.chunks.all()[0]
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1 FROM materials_chunk WHERE id = %s FOR UPDATE", [chunk.pk])
        explain_chunk(chunk.pk)
        assert Explanation.objects.count() == 0
        other.rollback()
    finally:
        other.close()
    explain_chunk(chunk.pk)
    assert Explanation.objects.count() == 3 * 8


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_a_killed_worker_loses_nothing_and_doubles_nothing(
    _test_database_url: str, team: Team, folders: Folders
) -> None:
    slow = [{"method": "lime", "params": {"samples": 6000}}, {"method": "random", "params": {}}]
    run = make_run(team, folders("bert"), chunk_size=1, methods=slow, metrics=TWO)
    with transaction.atomic():
        transaction.on_commit(lambda: [explain_chunk.delay(chunk.pk) for chunk in run.chunks.all()])
    done = run.chunks.filter(state=Chunk.State.DONE)
    with celery_worker() as worker:
        wait_for(lambda: done.exists() or not worker.alive())
        assert worker.alive(), "The Celery worker ended by itself: see var/tests/log/worker.log"
        os.killpg(worker.pid, signal.SIGKILL)
    assert run.chunks.filter(state=Chunk.State.PENDING).exists()
    with celery_worker():
        wait_for(lambda: Run.objects.get(pk=run.pk).state == Run.State.DONE)
    assert Explanation.objects.count() == 2 * len(CONTENTS)
    assert MetricScore.objects.count() == 4 * len(CONTENTS)
    assert Failure.objects.count() == 0


@pytest.mark.django_db
def test_a_chunk_that_processes_die_over_is_taken_apart(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(computing, "resume", lambda run: asked.append(run.pk))
    chunk = run.chunks.get(number=0)
    Chunk.objects.filter(pk=chunk.pk).update(tries=computing.MOST_TRIES)
    explain_chunk(chunk.pk)
    assert not Chunk.objects.filter(pk=chunk.pk).exists() and asked == [run.pk]
    alone = [ids for ids in run.chunks.values_list("text_ids", flat=True) if len(ids) == 1]
    assert sorted(pk for ids in alone for pk in ids) == chunk.text_ids
    finish(run)
    assert run.state == Run.State.DONE and Explanation.objects.count() == len(CONTENTS) * 8


@pytest.mark.django_db
def test_a_text_that_processes_die_over_fails_alone(run: Run) -> None:
    chunk = run.chunks.get(number=0)
    Chunk.objects.filter(pk=chunk.pk).update(tries=computing.MOST_TRIES, text_ids=chunk.text_ids[:1])
    finish(run)
    assert [failure.text_id for failure in Failure.objects.all()] == chunk.text_ids[:1]
    assert "died 3 times" in Failure.objects.get().reason and run.state == Run.State.DONE


@pytest.mark.django_db
def test_a_try_is_counted_even_when_the_work_is_rolled_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def vanish(*_: Any) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(computing, "_write_predictions", vanish)
    chunk = run.chunks.get(number=0)
    with pytest.raises(OperationalError):
        computing.compute_chunk(chunk.pk, computing.explain_texts)
    chunk.refresh_from_db()
    assert (chunk.tries, chunk.state) == (1, Chunk.State.PENDING)
