"""How much a request may bring. Django reads a form's files to the disk before any view can look at them."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile

# A file that is somewhat too large gets its answer beside the form; what is far too large is not read.
SPARE = 2


class Bounds(FileUploadHandler):
    """The first of the handlers: bounds the whole request, and takes files from people who are signed in alone."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Mapping[str, Any],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        if content_length > SPARE * settings.MAX_UPLOAD_MEGABYTES * 2**20:
            raise RequestDataTooBig(f"Files of up to {settings.MAX_UPLOAD_MEGABYTES} MB are taken here.")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        user = getattr(self.request, "user", None)
        if user is None or not user.is_authenticated:
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
