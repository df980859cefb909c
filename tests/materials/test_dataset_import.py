from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import Membership, Team, User
from materials.bringing import IMPORTING
from materials.carrying import carry_out, unfinished
from materials.models import Dataset
from tests.conftest import PASSWORD, signed_in
from tests.materials.actors import films

GOOD = b"text,label\nA fine film,pos\nA dull film,neg\n"
MIXED = GOOD + b",pos\nA fine film,pos\n=1+1,pos,more\n"


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]
    return tmp_path


def upload(client: Client, team: Team, content: bytes, name: str = "films.csv", **data: str) -> HttpResponse:
    file = SimpleUploadedFile(name, content)
    return client.post(reverse("dataset_import"), {"file": file, "team": team.pk, **data})  # type: ignore[return-value]


def mapping(response: HttpResponse) -> str:
    assert response.status_code == 302, response.content.decode()
    return response.headers["Location"]


def bring(client: Client, page: str, **data: str) -> HttpResponse:
    """Ask for the import as the page does, do the worker process's work, and look at the page again."""
    asked = client.post(page, columns(**data))
    for pk in unfinished(IMPORTING):
        carry_out(IMPORTING, pk)
    return client.get(page) if asked.status_code == 302 else asked  # type: ignore[return-value]


def columns(**data: str) -> dict[str, str]:
    return {"dataset": "Films", "language": "en", "text": "text", "label": "label", **data}


def test_it_works(alice: User, team: Team, media: Path) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, GOOD))
    shown = client.get(page).content.decode()
    assert "A dull film" in shown and '<option value="label" selected>' in shown
    assert not Dataset.objects.exists()
    response = bring(client, page)
    dataset = Dataset.objects.get()
    assert response.headers["Location"] == dataset.get_absolute_url()
    assert (dataset.name, dataset.language, dataset.team, dataset.texts.count()) == ("Films", "en", team, 2)
    assert not [path for path in media.rglob("*") if path.name == "films.csv"]


def test_a_second_click_leads_to_the_same_texts(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, GOOD))
    bring(client, page)
    for response in (client.post(page, columns()), client.get(page)):
        assert response.headers["Location"] == Dataset.objects.get().get_absolute_url()
    assert Dataset.objects.get().texts.count() == 2


@pytest.mark.parametrize("codec", ["utf-8", "utf-32"])
def test_characters_that_cannot_be_stored_are_shown_and_rejected(alice: User, team: Team, codec: str) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, "text,label\nfine \0film,pos\n".encode(codec)))
    assert "fine \ufffdfilm" in client.get(page).content.decode()
    assert "U+0000, which cannot be stored, at 6" in bring(client, page).content.decode()


def test_half_a_surrogate_pair_is_shown_and_rejected(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, rb'{"text": "half \ud83d", "label": "pos"}', "films.jsonl"))
    assert "half \ufffd" in client.get(page).content.decode()
    assert "U+D83D, which cannot be stored, at 6" in bring(client, page).content.decode()


def test_columns_can_be_mapped(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, b"what,how\nfine,5\n"))
    shown = client.get(page).content.decode()
    assert "(choose)" in shown and '<option value="what" selected>' not in shown
    bring(client, page, text="what", label="how")
    assert Dataset.objects.get().texts.get().label == "5"


def test_columns_with_usual_names_are_proposed(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, b"nr,Review,Sentiment\n7,fine,good\n"))
    shown = client.get(page).content.decode()
    assert '<option value="Review" selected>' in shown and '<option value="Sentiment" selected>' in shown
    bring(client, page, text="Review", label="Sentiment")
    assert Dataset.objects.get().texts.get().label == "good"


def test_without_a_text_column_the_field_says_so(alice: User, team: Team) -> None:
    client = signed_in(alice)
    response = bring(client, mapping(upload(client, team, b"review,stars\nfine,5\n")))
    assert b"Select a valid choice. text is not one" in response.content and not Dataset.objects.exists()


def test_rejected_rows_are_listed_and_the_rest_can_be_taken(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, MIXED))
    shown = bring(client, page).content.decode()
    assert "3 rows cannot be imported" in shown and "Import the other 2" in shown
    assert "is the same as in line 2" in shown and "has 3 cells where the header has 2" in shown
    assert not Dataset.objects.exists()
    rejected = client.get(page + "rejected.csv")
    assert b"4,text,is empty," in b"".join(rejected)
    bring(client, page, accept_rest="1")
    assert Dataset.objects.get().texts.count() == 2


def test_more_texts_join_a_dataset(alice: User, team: Team) -> None:
    dataset, client = films(team, {"pos": 2}), signed_in(alice)
    file = SimpleUploadedFile("more.csv", GOOD)
    page = mapping(client.post(reverse("dataset_add", args=["films"]), {"file": file, "team": team.pk}))  # type: ignore[arg-type]
    bring(client, page)
    assert Dataset.objects.get() == dataset and dataset.texts.count() == 4


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"\x00\x01\x02" * 400, "is binary"),
        ("a.csv", b"text,label\n", "has a header, but no rows"),
        ("a.csv", GOOD + b'"never closed,pos\n', "broken quotes"),
        ("a.xlsx", b"PK\x03\x04 rest", "save the sheet as CSV"),
        ("a.csv", "text,label\nna\u00efve,a\n".encode("cp1252"), "is not UTF-8"),
    ],
)
def test_a_file_that_is_no_table_is_refused_beside_the_field(
    alice: User, team: Team, media: Path, name: str, content: bytes, says: str
) -> None:
    client = signed_in(alice)
    response = upload(client, team, content, name)
    assert response.status_code == 200 and says in response.content.decode()
    assert list((media / "uploads").iterdir()) == []


def test_the_encoding_can_be_said(alice: User, team: Team) -> None:
    client = signed_in(alice)
    content = "text,label\nna\u00efve,a\n".encode("cp1252")
    bring(client, mapping(upload(client, team, content, encoding="cp1252")))
    assert Dataset.objects.get().texts.get().content == "na\u00efve"


def test_a_file_over_the_limit_is_refused(alice: User, team: Team, settings: object) -> None:
    settings.MAX_UPLOAD_MEGABYTES = 1  # type: ignore[attr-defined]
    large = GOOD + b"x" * 2**20
    assert "larger than 1 MB" in upload(signed_in(alice), team, large).content.decode()


def test_more_files_than_are_taken_at_once_are_refused_beside_the_field(
    alice: User, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("materials.uploading.MOST_OF_A_USER", 1)
    client = signed_in(alice)
    mapping(upload(client, team, GOOD))
    page = upload(client, team, GOOD)
    assert page.status_code == 200 and b"You have 1 files here that are not imported yet" in page.content


def test_a_damaged_file_leaves_nothing_behind(alice: User, team: Team) -> None:
    client = signed_in(alice)
    rows = b"".join(b"film %d,pos\n" % number for number in range(20))
    page = mapping(upload(client, team, GOOD + rows + b'"never closed,pos\n'))
    response = bring(client, page, accept_rest="1")
    assert b"broken quotes" in response.content and not Dataset.objects.exists()


def test_no_other_user_finds_an_upload(alice: User, team: Team) -> None:
    page = mapping(upload(signed_in(alice), team, GOOD))
    colleague = User.objects.create_user("carol", password=PASSWORD)
    Membership.objects.create(team=team, user=colleague, role=Membership.Role.OWNER)
    other = signed_in(colleague)
    assert other.get(page).status_code == other.post(page, columns()).status_code == 404
    assert other.get(page + "rejected.csv").status_code == 404
    assert other.post(page + "discard/").headers["Location"] == reverse("dataset_list")
    assert signed_in(alice).get(page).status_code == 200, "it is still there"


def test_it_can_be_cancelled(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, GOOD))
    assert client.post(page + "discard/").headers["Location"] == reverse("dataset_list")
    assert client.get(page).status_code == 404
    assert client.post(page + "discard/").headers["Location"] == reverse("dataset_list"), "from another tab"


def test_other_methods_are_refused(alice: User, team: Team) -> None:
    client = signed_in(alice)
    page = mapping(upload(client, team, GOOD))
    assert client.put(reverse("dataset_import")).status_code == client.delete(page).status_code == 405
    assert client.get(page + "discard/").status_code == client.post(page + "rejected.csv").status_code == 405


def test_another_team_is_not_offered(charlie: User, team: Team) -> None:
    response = upload(signed_in(charlie), team, GOOD)
    assert response.status_code == 200 and b"Select a valid choice" in response.content


def test_another_team_s_dataset_is_not_found(charlie: User, team: Team) -> None:
    films(team, {"pos": 1})
    assert signed_in(charlie).get(reverse("dataset_add", args=["films"])).status_code == 404


def test_a_reader_is_refused(bob: User, team: Team) -> None:
    films(team, {"pos": 1})
    client = signed_in(bob)
    assert client.get(reverse("dataset_import")).status_code == 403
    assert client.post(reverse("dataset_add", args=["films"])).status_code == 403


def test_a_name_that_is_an_address_gets_another_slug(alice: User, team: Team) -> None:
    client = signed_in(alice)
    bring(client, mapping(upload(client, team, GOOD)), dataset="Import")
    assert Dataset.objects.get().slug == "import-2"
