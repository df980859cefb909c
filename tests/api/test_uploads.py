import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache

from accounts.models import Team, User
from materials.bringing import IMPORTING
from materials.carrying import carry_out
from materials.models import Dataset, Import
from tests.api.reaching import Speaker

UPLOADS = "/api/v1/uploads/"
CONTENT = b"text,label\n" + "".join(f"Film {n} is fine,good\n" for n in range(50)).encode()


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Iterator[Path]:
    settings.MEDIA_ROOT = tmp_path
    cache.clear()
    yield tmp_path


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


def begin(speaker: Speaker, size: int = len(CONTENT), **more: Any) -> str:
    response = speaker.post(UPLOADS, {"file": "films.csv", "size": size} | more)
    assert response.status_code == 201 and response.json()["offset"] == 0
    return str(response.headers["Location"])


def send(speaker: Speaker, where: str, offset: int, part: bytes, **headers: str) -> Any:
    return speaker.ask("PATCH", where, part, {"upload-offset": str(offset)} | headers)


def digest(part: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(part).digest()).decode()}:"


@pytest.mark.django_db(transaction=True)
def test_it_works_in_three_parts(speaker: Speaker) -> None:
    where = begin(speaker)
    for start in range(0, len(CONTENT), 500):
        part = CONTENT[start : start + 500]
        assert send(speaker, where, start, part, **{"content-digest": digest(part)}).status_code == 200
    seen = speaker.get(f"{where}preview/").json()
    assert seen["columns"] == ["text", "label"] and seen["guess"]["text"] == "text" and seen["about"] == 50
    asked = {"dataset": "Films", "language": "en", "sha256": hashlib.sha256(CONTENT).hexdigest()}
    accepted = speaker.post(f"{where}complete/", asked)
    assert (accepted.status_code, accepted.json()["state"]) == (202, "waiting")
    carry_out(IMPORTING, Import.objects.get().pk)
    done = speaker.get(accepted.headers["Location"]).json()
    assert (done["state"], done["taken"], done["dataset"]) == ("done", 50, "films")
    assert Dataset.objects.get().texts.filter(label="good").count() == 50


@pytest.mark.django_db
def test_a_part_counts_once_and_goes_where_the_file_ends(speaker: Speaker) -> None:
    where = begin(speaker)
    send(speaker, where, 0, CONTENT[:500])
    assert send(speaker, where, 0, CONTENT[:500]).status_code == 409
    assert send(speaker, where, 700, CONTENT[700:]).status_code == 409
    assert speaker.get(where).json()["offset"] == 500
    assert send(speaker, where, 500, CONTENT[500:]).json()["offset"] == len(CONTENT)


@pytest.mark.django_db
def test_a_broken_or_overlong_part_is_not_kept(speaker: Speaker) -> None:
    where = begin(speaker)
    assert send(speaker, where, 0, b"broken", **{"content-digest": digest(b"whole")}).status_code == 422
    assert send(speaker, where, 0, CONTENT + b"more").status_code == 422
    assert speaker.get(where).json()["offset"] == 0


@pytest.mark.django_db
def test_nothing_is_imported_of_a_file_that_is_not_whole(speaker: Speaker) -> None:
    where = begin(speaker)
    send(speaker, where, 0, CONTENT[:500])
    assert speaker.post(f"{where}complete/", {"dataset": "Films"}).status_code == 409
    send(speaker, where, 500, CONTENT[500:])
    assert speaker.post(f"{where}complete/", {"dataset": "Films", "sha256": "0" * 64}).status_code == 422
    wrong = speaker.post(f"{where}complete/", {"dataset": "Films", "columns": {"text": "words"}}).json()
    assert wrong["errors"][0]["pointer"] == "/columns/text" and "label" in wrong["detail"]
    assert not Import.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_rejected_rows_are_told_and_the_rest_can_be_accepted(speaker: Speaker, team: Team) -> None:
    content = b"text,label\nA fine film,good\nA poor film,odd\n"
    where = begin(speaker, len(content))
    send(speaker, where, 0, content)
    asked = {"dataset": "Films", "labels": ["good", "bad"]}
    address = speaker.post(f"{where}complete/", asked).headers["Location"]
    carry_out(IMPORTING, Import.objects.get().pk)
    rejected = speaker.get(address).json()
    assert (rejected["state"], rejected["rejected"], rejected["first"][0]["line"]) == ("rejected", 1, 3)
    speaker.post(f"{where}complete/", asked | {"accept_rest": True})
    carry_out(IMPORTING, Import.objects.get().pk)
    assert speaker.get(address).json()["taken"] == 1


@pytest.mark.django_db
def test_a_file_that_is_too_large_is_refused_before_it_comes(speaker: Speaker, settings: LazySettings) -> None:
    settings.MAX_UPLOAD_MEGABYTES = 1
    refused = speaker.post(UPLOADS, {"file": "films.csv", "size": 2**20 + 1})
    assert refused.status_code == 422 and "1 MB" in refused.json()["detail"]


@pytest.mark.django_db
def test_a_part_that_is_too_large_is_refused(speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("materials.api.uploads.PART_BYTES", 100)
    assert send(speaker, begin(speaker), 0, CONTENT[:101]).status_code == 413


@pytest.mark.django_db
def test_a_name_with_a_path_stays_in_its_folder(speaker: Speaker, folder: Path) -> None:
    response = speaker.post(UPLOADS, {"file": "../../../etc/passwd", "size": 5})
    assert send(speaker, response.headers["Location"], 0, b"texts").status_code == 200
    (written,) = folder.glob("uploads/*/file/*")
    assert written.read_bytes() == b"texts" and written.resolve().is_relative_to(folder.resolve())


@pytest.mark.django_db
def test_a_discarded_upload_is_gone(speaker: Speaker, folder: Path) -> None:
    where = begin(speaker)
    assert speaker.ask("DELETE", where).status_code == 204
    assert speaker.get(where).status_code == 404 and not list(folder.glob("uploads/*"))


@pytest.mark.django_db(transaction=True)
def test_more_files_than_are_taken_at_once_are_a_conflict_that_says_what_to_do(
    speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("materials.uploading.MOST_OF_A_USER", 1)
    where = begin(speaker)
    refused = speaker.post(UPLOADS, {"file": "films.csv", "size": 10})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "import or discard some" in refused.json()["detail"]
    assert speaker.ask("DELETE", where).status_code == 204
    begin(speaker)
