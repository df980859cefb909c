"""A dataset's labels by the API: renamed, and looked through by what classifiers say of its texts."""

from typing import Any

import pytest

from accounts.models import AuditEntry, Team, User
from materials.models import Dataset, Run
from materials.relabelling import FROZEN, WORKING
from tests.api.reaching import Speaker
from tests.campaigns.actors import ready
from tests.materials.actors import films, judge, predict_right

pytestmark = pytest.mark.django_db
AT = "/api/v1/datasets/films/"


@pytest.fixture
def dataset(team: Team) -> Dataset:
    made = films(team, {"good": 3, "bad": 2})
    predict_right(made, judge(team, ["bad", "good"]), wrong=1)
    return made


def _renamed(speaker: Speaker, names: dict[str, Any], **headers: str) -> Any:
    return speaker.post(f"{AT}labels/", {"names": names}, **headers)


def test_it_works(alice: User, dataset: Dataset) -> None:
    speaker = Speaker(alice)
    answer = _renamed(speaker, {"good": "fine  "}, Idempotency_Key="once")
    assert (answer.status_code, answer.json()["label_names"]) == (200, ["bad", "fine"])
    assert dataset.texts.filter(label="fine").count() == 3
    assert AuditEntry.objects.get(act="edited").detail == {"labels": "good: fine"}
    assert _renamed(speaker, {"good": "fine  "}, Idempotency_Key="once").headers["Idempotent-Replayed"] == "true"
    assert speaker.get(AT).json() == answer.json()


def test_labels_can_be_exchanged(alice: User, dataset: Dataset) -> None:
    assert _renamed(Speaker(alice), {"good": "bad", "bad": "good"}).status_code == 200
    assert dataset.texts.filter(label="bad").count() == 3


@pytest.mark.parametrize("names", [{"none": "x"}, {"good": "BAD"}, {"good": "bad"}])
def test_what_cannot_be_is_told(alice: User, dataset: Dataset, names: dict[str, str]) -> None:
    answer = _renamed(Speaker(alice), names)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/names")
    assert dataset.label_names() == ["bad", "good"]


@pytest.mark.parametrize("names", [["good"], {"good": 5}, {"good": " "}, {"good": "x" * 201}])
def test_what_is_no_name_is_no_name(alice: User, dataset: Dataset, names: Any) -> None:
    assert _renamed(Speaker(alice), names).status_code == 400


def test_labels_stay_while_something_is_computed(alice: User, dataset: Dataset) -> None:
    Run.objects.create(dataset=dataset, classifier=judge(dataset.team, ["a"], "Other"), kind="predict", state="running")
    answer = _renamed(Speaker(alice), {"good": "fine"})
    assert (answer.status_code, answer.json()["detail"]) == (409, WORKING)


def test_labels_stay_once_a_campaign_is_prepared(team: Team, alice: User) -> None:
    ready(team)
    answer = _renamed(Speaker(alice), {"pos": "fine"})
    assert (answer.status_code, answer.json()["detail"]) == (409, FROZEN)


def test_analysts_rename_nothing(bob: User, dataset: Dataset) -> None:
    assert _renamed(Speaker(bob), {"good": "fine"}).status_code == 403


def test_classifiers_say_how_often_they_are_right(bob: User, dataset: Dataset) -> None:
    told = {"dataset": "films", "classifier": "critic", "texts": 5, "predicted": 5, "right": 4, "judged": 5}
    told |= {"accuracy": 0.8, "mismatch": ""}
    assert Speaker(bob).get(f"{AT}classifiers/").json() == [told]
    assert Speaker(bob).get("/api/v1/classifiers/critic/datasets/").json() == [told]


def test_texts_are_found_by_words_and_by_predictions(bob: User, dataset: Dataset) -> None:
    speaker = Speaker(bob)

    def keys(asked: str) -> list[str]:
        answer = speaker.get(f"{AT}texts/?{asked}")
        assert answer.status_code == 200, answer.content
        return [one["key"] for one in answer.json()["results"]]

    assert keys("prediction=critic:wrong") == ["good0"]
    assert keys("prediction=critic:right") == ["good1", "good2", "bad0", "bad1"]
    assert keys("prediction=critic:missing") == []
    assert keys("q=bad%200") == ["bad0"] and keys("q=wor&label=bad") == ["bad0", "bad1"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [("prediction=critic:odd", 400), ("prediction=right", 400), ("prediction=", 400), ("prediction=none:right", 404)],
)
def test_half_a_question_has_no_answer(bob: User, dataset: Dataset, asked: str, status: int) -> None:
    assert Speaker(bob).get(f"{AT}texts/?{asked}").status_code == status
