import json
from typing import Any

import pytest
from django.core.cache import cache

from accounts.auditing import Act
from accounts.models import AuditEntry, Team, User
from catalogue.methods import METHODS
from materials.models import Chunk, Classifier, Dataset, Failure, Run
from tests.api.reaching import Speaker
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain

pytestmark = pytest.mark.django_db
API = "/api/v1"


@pytest.fixture
def speaker(alice: User) -> Speaker:
    cache.clear()
    return Speaker(alice)


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"good": 3, "bad": 2})


@pytest.fixture
def classifier(team: Team) -> Classifier:
    return judge(team, ["bad", "good"])


def results(response: Any) -> list[Any]:
    assert response.status_code == 200, response.content
    found: list[Any] = response.json()["results"]
    return found


def test_a_dataset_says_what_it_holds(speaker: Speaker, dataset: Dataset) -> None:
    found = speaker.get(f"{API}/datasets/films/").json()
    assert (found["texts"], found["label_names"], found["language"]) == (5, ["bad", "good"], "en")


def test_an_empty_dataset_is_made_under_a_name_of_its_own(speaker: Speaker, team: Team, dataset: Dataset) -> None:
    made = speaker.post(f"{API}/datasets/", {"name": "Films  of 1999", "language": "pt-BR"})
    assert made.status_code == 201 and made.json()["texts"] == 0 and made.json()["name"] == "Films of 1999"
    assert speaker.get(made.headers["Location"]).json() == made.json()
    assert speaker.post(f"{API}/datasets/", {"name": "Films"}).status_code == 409
    assert AuditEntry.objects.filter(act=Act.CREATED).count() == 1


def test_who_edits_in_two_teams_says_for_which(speaker: Speaker, team: Team, alice: User) -> None:
    other = speaker.post(f"{API}/teams/", {"name": "Side project"}).json()["id"]
    unsaid = speaker.post(f"{API}/datasets/", {"name": "Books"})
    assert (unsaid.status_code, unsaid.json()["errors"][0]["pointer"]) == (422, "/team")
    assert speaker.post(f"{API}/datasets/", {"name": "Books", "team": other}).json()["team"] == other
    assert speaker.post(f"{API}/datasets/", {"name": "Books", "team": team.pk + 999}).status_code == 422


def test_texts_are_filtered(speaker: Speaker, dataset: Dataset) -> None:
    marked = dataset.texts.earliest("pk")
    marked.rationale = [[0, 4]]
    marked.save()
    assert len(results(speaker.get(f"{API}/datasets/films/texts/?label=good"))) == 3
    assert [row["key"] for row in results(speaker.get(f"{API}/datasets/films/texts/?key=bad1"))] == ["bad1"]
    (found,) = results(speaker.get(f"{API}/datasets/films/texts/?has_rationale=true"))
    assert found["rationale"] == [[0, 4]]
    assert len(results(speaker.get(f"{API}/datasets/films/texts/?has_rationale=false"))) == 4
    assert speaker.get(f"{API}/datasets/films/texts/?has_rationale=maybe").status_code == 400
    assert speaker.get(f"{API}/datasets/films/texts/?label=%00").status_code == 400


def test_a_text_comes_with_its_predictions(speaker: Speaker, dataset: Dataset, classifier: Classifier) -> None:
    predict_right(dataset, classifier)
    text = dataset.texts.get(key="good0")
    found = speaker.get(f"{API}/datasets/films/texts/{text.pk}/").json()
    assert found["content"] == text.content
    assert found["predictions"] == [{"classifier": "critic", "label": "good", "probabilities": [0.1, 0.9]}]
    assert speaker.get(f"{API}/datasets/films/texts/{text.pk + 999}/").status_code == 404


def test_maps_come_in_pages_and_as_a_stream_alike(speaker: Speaker, dataset: Dataset, classifier: Classifier) -> None:
    for text in dataset.texts.all():
        explain(classifier, text, "gradient")
    explain(classifier, dataset.texts.earliest("pk"), "random")
    pages, address = [], f"{API}/datasets/films/explanations/?method=gradient&page_size=2"
    while address:
        response = speaker.get(address)
        pages += results(response)
        address = response.json()["next"]
    stream = speaker.get(f"{API}/datasets/films/explanations/stream/?method=gradient")
    assert stream.headers["Content-Type"] == "application/x-ndjson"
    lines = b"".join(stream.streaming_content).decode().splitlines()
    assert [json.loads(line) for line in lines] == pages and len(pages) == 5
    assert pages[0]["scores"] == [3.0, 1.0, 2.0, 0.0] and pages[0]["target"] == "good"


def test_scores_say_why_there_is_none(speaker: Speaker, dataset: Dataset, classifier: Classifier) -> None:
    values: dict[str, float | str] = {"comprehensiveness": 0.25, "tau_loo": "constant scores"}
    explain(classifier, dataset.texts.earliest("pk"), "gradient", values=values)
    found = {
        row["metric"]: (row["value"], row["reason"]) for row in results(speaker.get(f"{API}/datasets/films/scores/"))
    }
    assert found == {"comprehensiveness": (0.25, ""), "tau_loo": (None, "constant scores")}
    assert len(results(speaker.get(f"{API}/datasets/films/scores/?metric=tau_loo&classifier=critic"))) == 1


def test_a_run_is_started_followed_cancelled_and_resumed(
    speaker: Speaker, dataset: Dataset, classifier: Classifier
) -> None:
    asked = {"dataset": "films", "classifier": "critic", "kind": "explain", "texts": 2,
             "methods": {"random": {"seed": 3}}, "metrics": {"comprehensiveness": {}}}  # fmt: skip
    made = speaker.post(f"{API}/runs/", asked)
    assert made.status_code == 202 and made.json()["progress"] == {
        "total": 2, "done": 0, "failed": 0, "seconds_left": None,
    }  # fmt: skip
    assert made.json()["methods"][0]["params"]["seed"] == 3
    assert made.json()["metrics"] == [{"metric": "comprehensiveness", "params": {}}]
    where = made.headers["Location"]
    assert speaker.post(f"{where}cancel/").json()["state"] == "cancelled"
    assert speaker.post(f"{where}resume/").json()["state"] == "running"
    Chunk.objects.update(state=Chunk.State.DONE)
    Run.objects.update(state=Run.State.DONE)
    assert speaker.get(where).json()["progress"]["done"] == 2
    assert speaker.post(f"{where}resume/").status_code == 409
    assert [row["id"] for row in results(speaker.get(f"{API}/runs/?dataset=films&state=done"))] == [made.json()["id"]]


def test_failures_are_told(speaker: Speaker, dataset: Dataset, classifier: Classifier) -> None:
    run = Run.objects.create(dataset=dataset, classifier=classifier, kind=Run.Kind.PREDICT)
    Failure.objects.create(run=run, text=dataset.texts.get(key="bad0"), reason="It has no words.")
    (found,) = results(speaker.get(f"{API}/runs/{run.pk}/failures/"))
    assert (found["text"], found["method"], found["reason"]) == ("bad0", "", "It has no words.")
    again = speaker.post(f"{API}/runs/{run.pk}/retry/")
    assert (again.status_code, again.json()["progress"]["total"]) == (202, 1)
    predict_right(dataset, classifier)
    assert results(speaker.get(f"{API}/runs/{run.pk}/failures/")) == []
    assert speaker.post(f"{API}/runs/{run.pk}/retry/").status_code == 409


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"dataset": "nothing"}, "/dataset"),
        ({"classifier": "nothing"}, "/classifier"),
        ({"methods": {}}, "/methods"),
        ({"methods": {"magic": {}}}, "/methods"),
        ({"methods": {"lrp_lstm": {}}}, "/methods/lrp_lstm"),
        ({"methods": {"random": {"seed": -1}}}, "/methods/random"),
        ({"metrics": {"comprehensiveness": {"depth": 2}}}, "/metrics/comprehensiveness"),
    ],
)
def test_a_run_that_cannot_be_is_refused_with_the_place(
    speaker: Speaker, dataset: Dataset, classifier: Classifier, change: dict[str, Any], pointer: str
) -> None:
    asked = {"dataset": "films", "classifier": "critic", "kind": "explain", "methods": {"gradient": {}}}
    refused = speaker.post(f"{API}/runs/", asked | change)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, pointer)
    assert not Run.objects.exists()


def test_a_classifier_is_added_and_its_labels_renamed(speaker: Speaker, classifier: Classifier) -> None:
    made = speaker.post(f"{API}/classifiers/", {"name": "GPT", "source": "gpt2", "words": ["good", "bad"]})
    assert (made.status_code, made.json()["kind"], made.json()["state"]) == (202, "causal-lm", "loading")
    assert made.json()["options"] == {"words": ["good", "bad"]}
    renamed = speaker.ask("PATCH", f"{API}/classifiers/critic/", {"label_names": ["poor", "fine"]})
    assert renamed.json()["label_names"] == ["poor", "fine"]
    twice = speaker.ask("PATCH", f"{API}/classifiers/critic/", {"label_names": ["same", "Same"]})
    assert twice.status_code == 422


def test_what_failed_to_load_is_loaded_again(speaker: Speaker, classifier: Classifier) -> None:
    assert speaker.post(f"{API}/classifiers/critic/reload/").status_code == 409
    Classifier.objects.update(state=Classifier.State.FAILED, error="gone")
    again = speaker.post(f"{API}/classifiers/critic/reload/")
    assert (again.status_code, again.json()["state"], again.json()["error"]) == (202, "loading", "")


def test_the_catalogue_is_told_whole(speaker: Speaker) -> None:
    methods = speaker.get(f"{API}/catalogue/methods/").json()
    assert [one["name"] for one in methods] == list(METHODS)
    lime = next(one for one in methods if one["name"] == "lime")
    assert lime["parameters"] and {"name", "default", "description"} <= set(lime["parameters"][0])
    assert speaker.get(f"{API}/catalogue/protocols/").json()[0]["name"] == "topk_guess"


def test_people_are_invited_and_roles_changed_within_what_a_team_needs(speaker: Speaker, team: Team, eve: User) -> None:
    made = speaker.post(f"{API}/teams/{team.pk}/invitations/", {"role": "analyst", "email": "new@example.org"})
    assert made.status_code == 201 and len(made.json()["token"]) > 30
    (waiting,) = results(speaker.get(f"{API}/teams/{team.pk}/invitations/"))
    assert waiting["email"] == "new@example.org" and "token" not in waiting
    changed = speaker.ask("PATCH", f"{API}/teams/{team.pk}/members/{eve.pk}/", {"role": "analyst"})
    assert changed.json() == {"user": eve.pk, "username": "eve", "role": "analyst"}
    me = team.members.get(username="alice").pk
    assert speaker.ask("DELETE", f"{API}/teams/{team.pk}/members/{me}/").status_code == 409


def test_an_invitations_secret_is_not_kept_under_an_idempotency_key(speaker: Speaker, team: Team) -> None:
    asked = {"role": "analyst"}
    first, second = (
        speaker.post(f"{API}/teams/{team.pk}/invitations/", asked, idempotency_key="k1").json()["token"]
        for _ in range(2)
    )
    assert first != second
