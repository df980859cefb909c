import errno

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from materials.models import Dataset


class FullDisk(TemporaryFileUploadHandler):
    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/tmp/x.upload")


class Broken(FileUploadHandler):
    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    def file_complete(self, file_size: int) -> None:
        return None


def uploaded(user: User, settings: LazySettings, handler: type[FileUploadHandler]) -> HttpResponse:
    settings.FILE_UPLOAD_HANDLERS = [f"{__name__}.{handler.__name__}"]
    client = Client(raise_request_exception=False)
    client.force_login(user)
    file = SimpleUploadedFile("reviews.csv", b"text,label\na fine film,positive\n")
    return client.post("/datasets/import/", {"file": file, "name": "Reviews"})  # type: ignore[return-value]


@pytest.mark.django_db
def test_a_full_disk_is_told_in_words(alice: User, settings: LazySettings) -> None:
    page = uploaded(alice, settings, FullDisk)
    assert page.status_code == 507 and b"No room is left on our disk" in page.content
    assert b"Traceback" not in page.content and b"x.upload" not in page.content
    assert not Dataset.objects.exists()


@pytest.mark.django_db
def test_whatever_else_breaks_is_told_without_what_it_was(alice: User, settings: LazySettings) -> None:
    page = uploaded(alice, settings, Broken)
    assert page.status_code == 500 and b"Something broke on our side" in page.content
    assert b"Input/output" not in page.content


PROBLEMS = {
    "bad host": ("get", "/api/v1/datasets/", {"host": "evil.example"}, 400, "parse_error"),
    "unknown": ("get", "/api/v1/nothing/", {}, 404, "not_found"),
    "forged": ("post", "/api/docs/", {}, 403, "permission_denied"),
    "broken": ("get", "/api/docs/", {}, 500, "error"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("case", PROBLEMS)
def test_what_goes_wrong_before_a_view_of_the_api_is_a_problem_too(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, path, headers, status, code = PROBLEMS[case]
    if case == "broken":
        monkeypatch.setattr("config.api_docs.render", _breaks)
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    answer = client.generic(method.upper(), path, headers=headers)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert set(problem) == {"type", "title", "status", "code", "detail"} and "secret" not in problem["detail"]


@pytest.mark.parametrize("path", ["/apis/", "/nothing/api/"])
def test_pages_are_answered_as_pages(client: Client, path: str) -> None:
    answer = client.get(path, headers={"host": "evil.example"})
    assert answer.status_code == 400 and answer["Content-Type"].startswith("text/html")


def _breaks(*_: object, **__: object) -> None:
    raise RuntimeError("a secret")
