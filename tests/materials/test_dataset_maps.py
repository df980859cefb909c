import json
from io import BytesIO
from typing import Any

import pyarrow.parquet
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from materials.models import Classifier, Dataset, Explanation, ImportedMethod
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right

URL = "/datasets/films/maps/"


@pytest.fixture
def dataset(alice: User) -> Dataset:
    return films(alice.memberships.get().team, {"neg": 2, "pos": 2}, words=4)


@pytest.fixture
def critic(dataset: Dataset) -> Classifier:
    critic = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, critic)
    return critic


def row(**changes: Any) -> dict[str, Any]:
    return {"text_id": "neg0", "method": "GPT", "words": ["neg", "0", "word"], "scores": [3, 2, 1]} | changes


def send(client: Client, *rows: object, name: str = "maps.jsonl", **data: object) -> HttpResponse:
    content = "".join(json.dumps(one) + "\n" for one in rows).encode()
    return client.post(URL, {"file": SimpleUploadedFile(name, content), **data})  # type: ignore[return-value]


def computed(dataset: Dataset, critic: Classifier, method: str = "lime") -> None:
    for text in dataset.texts.all():
        Explanation.objects.create(
            text=text, classifier=critic, method=method, target=0, starts=[0], ends=[3], scores=[1.0], seconds=1
        )


def test_it_works(alice: User, dataset: Dataset, critic: Classifier) -> None:
    client = signed_in(alice)
    response = send(client, row(), row(text_id="pos1", words=["pos"], scores=[1]), classifier=critic.pk)
    assert response.status_code == 302 and response.headers["Location"] == URL
    page = client.get(URL).content.decode()
    assert "Maps: 2 taken, 0 there already, 0 rejected. Methods: GPT (imported)." in page
    assert '<th scope="row">GPT (imported)' in page and '<td class="num">2</td>' in page


def test_what_was_said_of_all_rows_is_heard(alice: User, dataset: Dataset, critic: Classifier) -> None:
    send(signed_in(alice), row(), classifier=critic.pk, method="Mine", source="a chat", unsigned="on")
    made = ImportedMethod.objects.get()
    assert (made.name, made.source, made.signed) == ("imported:Mine", "a chat", False)


def test_words_that_are_not_mentioned_may_be_zero(alice: User, dataset: Dataset, critic: Classifier) -> None:
    send(signed_in(alice), row(words=["neg"], scores=[1]), classifier=critic.pk, rest_zero="on")
    assert Explanation.objects.get().scores == [1.0, 0.0, 0.0, 0.0]


def test_the_classifier_is_asked_for_where_nobody_names_one(alice: User, dataset: Dataset, critic: Classifier) -> None:
    judge(dataset.team, ["neg", "pos"], "Other")
    page = send(signed_in(alice), row()).content.decode()
    assert "Nothing says which classifier the maps explain" in page and "cannot be imported" not in page


def test_computed_and_imported_maps_are_listed(alice: User, dataset: Dataset, critic: Classifier) -> None:
    computed(dataset, critic)
    send(signed_in(alice), row(), classifier=critic.pk, source="a chat")
    page = signed_in(alice).get(URL).content.decode()
    assert page.index("LIME") < page.index("GPT (imported)") < page.index("a chat")
    assert "/datasets/films/maps.parquet" in page


def test_rejected_rows_are_listed_and_nothing_is_kept(alice: User, dataset: Dataset, critic: Classifier) -> None:
    client = signed_in(alice)
    page = send(client, row(), row(text_id="none"), row(text_id="<b>"), classifier=critic.pk).content.decode()
    assert "2 rows cannot be imported" in page and "&#x27;none&#x27; is the id of no text of Films" in page
    assert "to import the 1 good row alone" in page and not Explanation.objects.exists()
    send(client, row(), row(text_id="none"), classifier=critic.pk, accept_rest="on")
    assert Explanation.objects.count() == 1


@pytest.mark.parametrize(
    ("rows", "data", "said"),
    [
        ([], {}, "is empty"),
        ([{"a": 1}], {}, "maps.jsonl, line 1: has no scores"),
        ([row()], {"name": "maps.csv"}, "is no file of maps"),
        ([row()], {"method": "x" * 46}, "at most 45 characters"),
        ([row()], {"classifier": "99"}, "not one of the available choices"),
        ([row(signed=True), row(text_id="pos0", words=["pos"], scores=[1], signed=False)], {}, "give it two names"),
    ],
)
def test_what_cannot_be_is_told_beside_the_file(
    alice: User, dataset: Dataset, critic: Classifier, rows: list[Any], data: dict[str, str], said: str
) -> None:
    response = send(signed_in(alice), *rows, **data)
    assert response.status_code == 200 and said in response.content.decode() and not Explanation.objects.exists()


def test_a_file_is_needed_and_not_too_large(alice: User, dataset: Dataset, settings: Any) -> None:
    client = signed_in(alice)
    assert "Choose a file first." in client.post(URL, {"method": ""}).content.decode()
    settings.MAX_UPLOAD_MEGABYTES = 1
    assert "python manage.py import_explanations" in send(client, row(note="x" * 2**20)).content.decode()


def test_other_methods_are_refused(alice: User, dataset: Dataset) -> None:
    assert signed_in(alice).put(URL).status_code == 405
    assert signed_in(alice).post("/datasets/films/maps.jsonl").status_code == 405


def test_strangers_find_nothing(charlie: User, dataset: Dataset, critic: Classifier) -> None:
    computed(dataset, critic)
    client = signed_in(charlie)
    assert client.get(URL).status_code == send(client, row()).status_code == 404
    assert client.get("/datasets/films/maps.jsonl").status_code == 404
    assert Client().get(URL).status_code == 302


def test_readers_look_and_download_but_bring_nothing(bob: User, dataset: Dataset, critic: Classifier) -> None:
    computed(dataset, critic)
    client = signed_in(bob)
    assert "Bring maps" not in client.get(URL).content.decode()
    assert client.get("/datasets/films/maps.jsonl").status_code == 200
    assert send(client, row(), classifier=critic.pk).status_code == 403


def downloaded(client: Client, address: str) -> bytes:
    response = client.get(address)
    assert response.status_code == 200 and "films-maps." in response.headers["Content-Disposition"]
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]


def test_all_maps_are_downloaded(alice: User, dataset: Dataset, critic: Classifier) -> None:
    computed(dataset, critic)
    send(signed_in(alice), row(), classifier=critic.pk)
    lines = downloaded(signed_in(alice), "/datasets/films/maps.jsonl").decode().splitlines()
    assert [json.loads(line)["method"] for line in lines] == ["lime"] * 4 + ["GPT"]
    table = pyarrow.parquet.read_table(BytesIO(downloaded(signed_in(alice), "/datasets/films/maps.parquet")))
    assert table.num_rows == 5


def test_one_classifier_s_maps_are_downloaded(alice: User, dataset: Dataset, critic: Classifier) -> None:
    computed(dataset, critic)
    client = signed_in(alice)
    other = judge(dataset.team, ["neg", "pos"], "Other")
    assert client.get("/datasets/films/maps.jsonl?classifier=other").status_code == 404
    assert client.get("/datasets/films/maps.jsonl?classifier=%00").status_code == 404
    computed(dataset, other, "random")
    assert downloaded(client, "/datasets/films/maps.jsonl?classifier=other").count(b"\n") == 4


def test_without_maps_it_says_what_to_do(alice: User, dataset: Dataset) -> None:
    client = signed_in(alice)
    assert "There are no maps yet." in client.get(URL).content.decode()
    assert client.get("/datasets/films/maps.jsonl").status_code == 404
    assert f'href="{URL}"' in client.get("/datasets/films/").content.decode()


def test_the_queries_do_not_grow_with_the_maps(alice: User, dataset: Dataset, critic: Classifier) -> None:
    client = signed_in(alice)
    counts = []
    for method in ("lime", "random"):
        computed(dataset, critic, method)
        send(client, row(method=method), classifier=critic.pk)
        client.get(URL)
        with CaptureQueriesContext(connection) as queries:
            client.get(URL)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10
