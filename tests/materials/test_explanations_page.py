import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, Team, User
from materials import explaining
from materials.models import Chunk, Dataset, Failure, Run, Text
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain


@pytest.fixture
def dataset(team: Team) -> Dataset:
    cache.clear()
    return films(team, {"pos": 3}, words=4)


@pytest.fixture
def run(dataset: Dataset) -> Run:
    """Done: of three texts one failed for all methods, one for LIME."""
    methods: dict[str, dict[str, object]] = {"gradient": {}, "lime": {}}
    run = explaining.explain(dataset.texts.all(), dataset, judge(dataset.team, ["neg", "pos"]), methods, {}, None)
    first, second, third = dataset.texts.all()
    explain(run.classifier, first, "gradient", seconds=90.0)
    explain(run.classifier, second, "gradient", seconds=90.0)
    explain(run.classifier, first, "lime", seconds=3.0)
    run.failures.create(text=third, reason="no word was left of it")
    run.failures.create(text=second, method="lime", reason="too strange")
    run.chunks.update(state=Chunk.State.DONE, finished_at=timezone.now())
    Run.objects.update(state=Run.State.DONE, finished_at=timezone.now())
    run.refresh_from_db()
    return run


def listed(user: User, **asked: str) -> str:
    return signed_in(user).get(reverse("explanation_list"), asked).content.decode()


def shown(user: User, run: Run) -> str:
    return signed_in(user).get(reverse("explanation_run", args=[run.pk])).content.decode()


def test_it_works(alice: User, run: Run) -> None:
    page = listed(alice)
    assert "Explanations and metrics" in page and "Films · 2 methods" in page and "Critic" in page
    assert f'href="/explanations/{run.pk}/#failures">2<' in page


def test_a_run_says_what_it_cost_and_what_failed(alice: User, run: Run, settings: object) -> None:
    settings.COMPUTE_PRICE_PER_HOUR = 60.0  # type: ignore[attr-defined]
    page = shown(alice, run)
    assert "about 3 min" in page and "3.00" in page and "less than a minute" in page
    assert "no word was left of it" in page and "too strange" in page and "Try these again" in page


def test_what_failed_is_tried_again_alone(alice: User, run: Run) -> None:
    response = signed_in(alice).post(reverse("run_retry", args=[run.pk]))
    again = Run.objects.latest("pk")
    assert response.headers["Location"] == reverse("explanation_run", args=[again.pk])
    assert (again.kind, again.methods, again.metrics, again.started_by) == (run.kind, run.methods, run.metrics, alice)
    assert sorted(pk for chunk in again.chunks.all() for pk in chunk.text_ids) == sorted(
        run.failures.values_list("text", flat=True)
    )
    assert AuditEntry.objects.get().act == "retried"


def test_a_second_click_finds_the_first_one_s_run(alice: User, run: Run) -> None:
    client = signed_in(alice)
    first, second = (client.post(reverse("run_retry", args=[run.pk])) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"] and Run.objects.count() == 2


def test_what_has_been_made_since_is_no_failure(alice: User, run: Run) -> None:
    second, third = dataset_texts(run)
    explain(run.classifier, second, "lime")
    explain(run.classifier, third, "gradient")
    assert "None: every text was computed" in shown(alice, run)
    signed_in(alice).post(reverse("run_retry", args=[run.pk]))
    assert Run.objects.count() == 1


def dataset_texts(run: Run) -> list[Text]:
    return [failure.text for failure in run.failures.order_by("text")]


def test_predictions_that_failed_are_tried_again_too(alice: User, dataset: Dataset) -> None:
    classifier = judge(dataset.team, ["pos"])
    run = explaining.evaluate(dataset, classifier, None)
    for text in dataset.texts.all()[:2]:
        run.failures.create(text=text, reason="too strange")
    Run.objects.update(state=Run.State.DONE)
    assert "too strange" in shown(alice, run)
    predict_right(dataset, classifier)
    assert "too strange" not in shown(alice, run)


def test_runs_are_filtered(alice: User, run: Run) -> None:
    assert "Films · 2" in listed(alice, dataset="films", kind="explain", state="done")
    for asked in ({"kind": "predict"}, {"state": "cancelled"}):
        assert "No run is like that" in listed(alice, **asked)
    assert "Films · 2" in listed(alice, dataset="\0", kind="no such")


def test_an_empty_list_says_where_runs_come_from(alice: User) -> None:
    assert "Nothing computed yet" in listed(alice)


def test_a_run_under_way_is_followed_and_stays_here(alice: User, dataset: Dataset) -> None:
    run = explaining.evaluate(dataset, judge(dataset.team, ["pos"]), None)
    page = shown(alice, run)
    assert f'hx-get="/runs/{run.pk}/?stay=1"' in page and "Try these again" not in page
    response = signed_in(alice).post(reverse("run_action", args=[run.pk, "cancel"]), {"stay": "1"})
    assert response.headers["Location"] == reverse("explanation_run", args=[run.pk])


def test_the_queries_do_not_grow(alice: User, run: Run) -> None:
    client, counts = signed_in(alice), []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("explanation_list"))
        counts.append(len(queries))
        for _ in range(3):
            other = Run.objects.create(dataset=run.dataset, classifier=run.classifier, kind="predict", state="done")
            Failure.objects.create(run=other, text=run.dataset.texts.earliest("pk"), reason="x")
    assert counts[0] == counts[1] <= 12


def test_another_team_finds_none(charlie: User, run: Run) -> None:
    client = signed_in(charlie)
    assert "Films" not in listed(charlie)
    assert client.get(reverse("explanation_run", args=[run.pk])).status_code == 404
    assert client.post(reverse("run_retry", args=[run.pk])).status_code == 404


def test_an_analyst_reads_and_tries_nothing_again(bob: User, run: Run) -> None:
    client = signed_in(bob)
    assert "too strange" in shown(bob, run) and "Try these again" not in shown(bob, run)
    assert client.post(reverse("run_retry", args=[run.pk])).status_code == 403


def test_other_methods_are_refused(alice: User, run: Run) -> None:
    client = signed_in(alice)
    assert client.get(reverse("run_retry", args=[run.pk])).status_code == 405
    assert client.post(reverse("explanation_list")).status_code == 405
    assert client.post(reverse("explanation_run", args=[run.pk])).status_code == 405
