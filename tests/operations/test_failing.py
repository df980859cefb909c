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
