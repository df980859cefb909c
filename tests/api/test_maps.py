"""Maps made elsewhere, brought by the API, and other names for what they belong to."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache

from accounts.models import AuditEntry, Team, User
from materials.models import Classifier, Dataset, Explanation
from tests.api.reaching import Speaker
from tests.materials.actors import films, judge, predict_right

pytestmark = pytest.mark.django_db
URL = "/api/v1/datasets/films/"
ROW = {"text_id": "neg0", "method": "GPT", "words": ["neg", "0", "word"], "scores": [3, 2, 1]}


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    cache.clear()


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 2, "pos": 2}, words=4)


@pytest.fixture
def critic(dataset: Dataset) -> Classifier:
    critic = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, critic)
    return critic


def upload(speaker: Speaker, *rows: Any) -> str:
    content = "".join(json.dumps(one) + "\n" for one in rows).encode()
    where = speaker.post("/api/v1/uploads/", {"file": "maps.jsonl", "size": len(content)}).headers["Location"]
    return str(speaker.ask("PATCH", where, content, {"upload-offset": "0"}).json()["id"])


def test_it_works(
    speaker: Speaker, dataset: Dataset, critic: Classifier, django_capture_on_commit_callbacks: Any
) -> None:
    sent = upload(speaker, ROW, ROW | {"text_id": "pos1", "words": ["pos"], "scores": [1]})
    asked = {"upload": sent, "classifier": critic.slug}
    assert speaker.post(f"{URL}maps/", asked, if_match='"old"').status_code == 412
    with django_capture_on_commit_callbacks(execute=True):
        answer = speaker.post(f"{URL}maps/", asked)
    told = answer.json()
    assert (answer.status_code, told["taken"], told["known"], told["rejected"]) == (201, 2, 0, 0)
    assert sorted(Explanation.objects.values_list("text__key", "method")) == [
        ("neg0", told["methods"][0]), ("pos1", told["methods"][0]),
    ]  # fmt: skip
    listed = speaker.get(f"{URL}explanations/?method={told['methods'][0]}").json()["results"]
    assert {one["text_id"] for one in listed} == {"neg0", "pos1"}
    assert speaker.get(f"/api/v1/uploads/{sent}/").status_code == 404


def test_nothing_is_kept_where_rows_are_rejected(speaker: Speaker, dataset: Dataset, critic: Classifier) -> None:
    sent = upload(speaker, ROW, ROW | {"text_id": "nowhere"})
    refused = speaker.post(f"{URL}maps/", {"upload": sent, "classifier": critic.slug})
    problem = refused.json()["errors"][0]
    assert (refused.status_code, problem["pointer"]) == (422, "/upload")
    assert problem["detail"].startswith("line 2, text_id: ") and not Explanation.objects.exists()
    rest = speaker.post(f"{URL}maps/", {"upload": sent, "classifier": critic.slug, "accept_rest": True}).json()
    assert (rest["taken"], rest["rejected"], rest["first"][0]["line"]) == (1, 1, 2)


def test_what_is_no_file_of_maps_is_refused(speaker: Speaker, dataset: Dataset, critic: Classifier) -> None:
    refused = speaker.post(f"{URL}maps/", {"upload": upload(speaker, {"a": 1}), "classifier": critic.slug})
    assert refused.status_code == 422 and "has no scores" in refused.json()["detail"]
    assert speaker.post(f"{URL}maps/", {"upload": "A" * 22}).json()["errors"][0]["pointer"] == "/upload"
    assert speaker.post(f"{URL}maps/", {"upload": "../" * 7 + "x"}).status_code == 400


def test_a_dataset_gets_another_name_and_keeps_its_address(speaker: Speaker, dataset: Dataset) -> None:
    changed = speaker.ask("PATCH", URL, {"name": "  Film   reviews ", "language": "pt-BR"}).json()
    assert (changed["slug"], changed["name"], changed["language"]) == ("films", "Film reviews", "pt-BR")
    assert AuditEntry.objects.get(act="edited").detail == {"before": "Films"}
    assert speaker.ask("PATCH", URL, {}).json() == changed and AuditEntry.objects.filter(act="edited").count() == 1


def test_a_name_that_is_taken_is_refused(speaker: Speaker, dataset: Dataset, team: Team) -> None:
    films(team, {"neg": 1}, name="Books")
    refused = speaker.ask("PATCH", URL, {"name": "Books"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/name")
    old = speaker.get(URL).headers["ETag"]
    speaker.ask("PATCH", URL, {"name": "Plays"})
    assert speaker.ask("PATCH", URL, {"name": "Dramas"}, {"if-match": old}).status_code == 412


def test_a_classifier_gets_another_name(speaker: Speaker, critic: Classifier) -> None:
    where = f"/api/v1/classifiers/{critic.slug}/"
    assert speaker.ask("PATCH", where, {"name": "Reader"}).json()["name"] == "Reader"
    both = speaker.ask("PATCH", where, {"name": "Judge", "label_names": ["bad", "good"]}).json()
    assert (both["name"], both["label_names"], both["slug"]) == ("Judge", ["bad", "good"], critic.slug)
    assert AuditEntry.objects.filter(act="edited").count() == 3
