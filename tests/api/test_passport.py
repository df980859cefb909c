"""Passports by the API: what the page shows, and what it has computed."""

from typing import Any

import pytest
from celery import current_app

from accounts.models import Team, User
from materials.models import Classifier, Dataset, Run
from materials.passport.starting import CHEAP_PASSES, is_cheap, method_passes, metrics_for
from tests.api.reaching import Speaker, conforms
from tests.conftest import signed_in
from tests.materials.actors import films, judge
from tests.materials.passport.building import known_classifier

pytestmark = pytest.mark.django_db
AT = "/api/v1/classifiers/critic/passport/"
READ, COMPUTE = (f"{method} /api/v1/classifiers/{{slug}}/passport/" for method in ("GET", "POST"))
Known = tuple[Classifier, Dataset]


@pytest.fixture
def known(team: Team) -> Known:
    return known_classifier(team)


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda name, args: None)


def _wanted(**given: Any) -> dict[str, Any]:
    return {"dataset": "films", "texts": 4, "methods": ["gradient", "lime"], "metrics": ["aopc"]} | given


def test_it_works(known: Known, bob: User) -> None:
    """The figures are those of the page's own JSON."""
    page, speaker = signed_in(bob), Speaker(bob)
    for asked in ("", "&method=gradient"):
        answer = speaker.get(f"{AT}?dataset=films{asked}")
        assert answer.json() == page.get(f"/classifiers/critic/passport.json?dataset=films{asked}").json()
        conforms(READ, answer)
    assert len(Speaker(bob).get(AT).json()["methods"]) == 8


@pytest.mark.parametrize("asked", ["?dataset=none", "?dataset=%00", "?method=none"])
def test_what_is_not_there_is_not_found(known: Known, bob: User, asked: str) -> None:
    assert Speaker(bob).get(AT + asked).status_code == 404


def test_the_figure_is_the_page_s(known: Known, bob: User) -> None:
    answer = Speaker(bob).get(f"{AT}svg/?dataset=films")
    assert answer.headers["Content-Type"] == "image/svg+xml" and answer.content.startswith(b"<svg")
    assert answer.content == signed_in(bob).get("/classifiers/critic/passport.svg?dataset=films").content


def test_what_is_missing_is_computed_once(known: Known, alice: User) -> None:
    speaker = Speaker(alice)
    answer = speaker.post(AT, _wanted())
    conforms(COMPUTE, answer)
    ids = [run["id"] for run in answer.json()["runs"]]
    assert answer.status_code == 202 and len(ids) == 2, "the methods of chance run under another seed, too"
    assert {one["method"] for one in answer.json()["runs"][0]["methods"]} == {"gradient", "lime"}
    assert [run["id"] for run in speaker.post(AT, _wanted()).json()["runs"]] == ids
    assert set(Run.objects.filter(kind="explain", state="running").values_list("pk", flat=True)) == set(ids)


def test_what_nobody_names_is_what_the_page_ticks(team: Team, alice: User) -> None:
    dataset, classifier = films(team, {"pos": 3, "neg": 3}), judge(team, ["neg", "pos"])
    asked = Speaker(alice).post(AT, {"dataset": "films"}).json()["runs"][0]
    passes = method_passes(classifier, dataset)
    assert {one["method"] for one in asked["methods"]} == {name for name, n in passes.items() if n <= CHEAP_PASSES}
    assert {one["metric"] for one in asked["metrics"]} == set(filter(is_cheap, metrics_for(classifier, dataset)))


@pytest.mark.parametrize(
    ("given", "status", "pointer"),
    [({"texts": 1}, 400, "/texts"), ({"methods": []}, 400, "/methods"), ({"texts": "4"}, 400, "/texts"),
     ({"methods": ["none"]}, 422, "/methods"), ({"dataset": "none"}, 422, "/dataset")],
)  # fmt: skip
def test_what_cannot_be_computed_is_told(
    known: Known, alice: User, given: dict[str, Any], status: int, pointer: str
) -> None:
    answer = Speaker(alice).post(AT, _wanted(**given))
    assert answer.status_code == status and answer.json()["errors"][0]["pointer"].startswith(pointer)


def test_nothing_is_computed_by_what_is_not_ready(known: Known, alice: User, bob: User) -> None:
    Classifier.objects.update(state="failed")
    assert Speaker(alice).post(AT, _wanted()).status_code == 409
    assert Speaker(bob).post(AT, _wanted()).status_code == 403
