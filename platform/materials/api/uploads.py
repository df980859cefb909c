"""Files of texts: a place is made, the parts are sent, and a worker process imports the whole."""

import base64
import binascii
import hashlib
import re
from typing import IO, Any

from django.conf import settings
from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_editable
from accounts.api.conditional import require_match
from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Conflict, TooLarge, Unprocessable
from accounts.api.rendering import CsvRenderer
from accounts.api.schema import may_answer
from accounts.api.views import ResourceViewSet, team_for
from accounts.models import User
from materials import resuming, uploading
from materials.api.asking import SLUG, named_dataset
from materials.bringing import Asked, ask_import, forget, import_of, rows_read
from materials.checking import LANGUAGE, Columns, find_alike, usual_column
from materials.errors import FileError
from materials.forms import ENCODINGS
from materials.models import Dataset, Import
from materials.previewing import preview
from materials.resuming import PART_BYTES
from materials.uploading import TooManyUploads, Upload

OFFSET, DIGEST = "Upload-Offset", "Content-Digest"
TOKEN = "[A-Za-z0-9_-]{22}"
BYTES = {"type": "integer", "minimum": 0, "maximum": 2**53}
SHA256 = re.compile(r"sha-256=:([A-Za-z0-9+/]{43}=):")


class PartParser(BaseParser):
    media_type = "application/octet-stream"

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None) -> Any:
        part: bytes = stream.read(PART_BYTES + 1)
        if len(part) > PART_BYTES:
            raise TooLarge(f"A part has at most {PART_BYTES} bytes.")
        return part


class NewUploadSerializer(StrictSerializer):
    file = TextField(max_length=200, help_text="Its name, whose ending says what kind of file it is")
    size = serializers.IntegerField(min_value=1, max_value=2**53, help_text="In bytes")
    dataset = serializers.RegexField(SLUG, required=False, help_text="Slug of a dataset that gets more texts")
    team = serializers.IntegerField(required=False, help_text="Needed by who edits in several teams")
    encoding = serializers.ChoiceField(
        [name for name, _ in ENCODINGS], default="", help_text="Left out, it is detected"
    )
    plain_quotes = serializers.BooleanField(default=False, help_text="Quotes do not wrap cells")


class ColumnsSerializer(StrictSerializer):
    """Names of the file's columns; those left out are found by their usual names."""

    text = serializers.CharField(required=False, trim_whitespace=False)
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, allow_blank=True, trim_whitespace=False
    )
    id = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    language = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    rationale = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    warning = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    template = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    edit_of = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)


class CompleteSerializer(StrictSerializer):
    dataset = TextField(max_length=120, required=False, help_text="Name of the dataset, found or made")
    language = serializers.RegexField(f"^({LANGUAGE.pattern})?$", max_length=35, default="", allow_blank=True)
    columns = ColumnsSerializer(required=False)
    labels = serializers.ListField(
        child=TextField(max_length=200), default=list, help_text="The only ones allowed; left out, all are"
    )
    accept_rest = serializers.BooleanField(default=False, help_text="Import the good rows where others are rejected")
    sha256 = serializers.RegexField("^[0-9a-f]{64}$", required=False, help_text="Of the whole file")


class UploadSerializer(serializers.Serializer[Upload]):
    id = serializers.CharField(source="token")
    file = serializers.CharField(source="details.file")
    offset = serializers.SerializerMethodField(help_text="How many bytes are here")
    size = serializers.SerializerMethodField(help_text="How many there will be")
    part_bytes = serializers.SerializerMethodField(help_text="How many a part may have")
    import_id = serializers.SerializerMethodField(help_text="Of the import, once it is asked for")

    def get_offset(self, upload: Upload) -> int:
        return resuming.arrived(upload).offset

    def get_size(self, upload: Upload) -> int:
        return resuming.arrived(upload).size

    def get_part_bytes(self, upload: Upload) -> int:
        return PART_BYTES

    def get_import_id(self, upload: Upload) -> int | None:
        row = import_of(upload)
        return row.pk if row else None


class PreviewSerializer(serializers.Serializer[Any]):
    columns = serializers.ListField(child=serializers.CharField())
    guess = serializers.DictField(child=serializers.CharField(), help_text="What is in which column, by usual names")
    about = serializers.IntegerField(help_text="How many rows there are, about")


class RejectionSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    column = serializers.CharField()
    reason = serializers.CharField()
    excerpt = serializers.CharField()


class ImportSerializer(serializers.ModelSerializer[Import]):
    dataset = serializers.SlugRelatedField[Dataset](slug_field="slug", read_only=True, allow_null=True)
    rows_read = serializers.SerializerMethodField(help_text="So far; null until a worker process is at it")
    first = serializers.SerializerMethodField(help_text="Of the rejected rows")

    class Meta:
        model = Import
        fields = [
            "id", "dataset", "file", "state", "rows", "rows_read", "taken", "rejected", "first", "error", "created_at",
            "finished_at",
        ]  # fmt: skip

    def get_rows_read(self, row: Import) -> int | None:
        return rows_read(row)

    @extend_schema_field(RejectionSerializer(many=True))
    def get_first(self, row: Import) -> Any:
        return [dict(zip(("line", "column", "reason", "excerpt"), one, strict=True)) for one in row.first]


class UploadViewSet(ResourceViewSet):
    """Each user's own."""

    model = Dataset
    serializer_class = UploadSerializer
    read_scope, write_scope = "materials:write", "materials:write"
    lookup_field, lookup_value_regex = "token", TOKEN
    pagination_class = None

    def get_parsers(self) -> list[BaseParser]:
        return [PartParser()] if self.request and self.request.method == "PATCH" else super().get_parsers()

    def get_object(self) -> Upload:
        upload = uploading.find(self.user, self.kwargs["token"])
        if not self.reads:
            upload.team(self.user)
        if "If-Match" in self.request.headers:
            require_match(self.request, self.represent(upload))
        return upload

    @extend_schema(
        request=NewUploadSerializer,
        responses={201: UploadSerializer},
        examples=[OpenApiExample("CSV", request_only=True, value={"file": "reviews.csv", "size": 1048576})],
    )
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Make a place for a file. It is kept for a day."""
        asked = NewUploadSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        if given["size"] > settings.MAX_UPLOAD_MEGABYTES * 2**20:
            raise Unprocessable(f"A file has at most {settings.MAX_UPLOAD_MEGABYTES} MB here: split it.", "/size")
        into = named_dataset(self.user, given["dataset"]) if "dataset" in given else None
        team = (
            get_editable(Dataset.objects.all(), self.user, pk=into.pk).team
            if into
            else team_for(self.user, given.get("team"))
        )
        quoting = not given["plain_quotes"]
        try:
            upload = resuming.begin(self.user, team, into, given["file"], given["size"], given["encoding"], quoting)
        except TooManyUploads as error:
            raise Conflict(str(error)) from error
        headers = {"Location": f"{request.path}{upload.token}/"}
        return Response(self.represent(upload), 201, headers=headers)

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """How much is here."""
        return Response(self.represent(self.get_object()))

    @extend_schema(
        request={PartParser.media_type: OpenApiTypes.BINARY},
        responses={200: UploadSerializer},
        parameters=[
            OpenApiParameter(OFFSET, BYTES, OpenApiParameter.HEADER, required=True,
                             description="Where the part begins: the upload's offset; 409 where it is another"),
            OpenApiParameter(DIGEST, str, OpenApiParameter.HEADER, pattern=f"^{SHA256.pattern}$",
                             description="Checksum of the part, as in RFC 9530; 422 where the part has another"),
        ],
    )  # fmt: skip
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Send the next part. After a broken connection, ask for the offset and go on from there."""
        offset, upload = _offset(request), self.get_object()
        if import_of(upload):
            raise Conflict("The file is being imported, or was.")
        # Of an empty body, DRF makes an empty dict.
        part = request.data if isinstance(request.data, bytes) else b""
        _check_digest(request.headers.get(DIGEST), part)
        try:
            resuming.append(upload, offset, part)
        except resuming.MisplacedPart as error:
            raise Conflict(str(error)) from error
        except resuming.OverlongPart as error:
            raise Unprocessable(str(error)) from error
        return Response(self.represent(upload))

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Discard the file, and the import of it that is not done."""
        upload = self.get_object()
        forget(upload)
        upload.discard()
        return Response(status=204)

    @extend_schema(responses={200: PreviewSerializer, **may_answer(409, 422)})
    @action(detail=True)
    def preview(self, request: Request, token: str) -> Response:
        """Which columns the file has."""
        upload = whole(self.get_object())
        try:
            found = preview(upload.table())
        except FileError as error:
            raise Unprocessable(str(error)) from error
        guess = {name: usual_column(found["columns"], name) for name in Columns._fields}
        return Response({"columns": found["columns"], "guess": guess, "about": found["about"]})

    @extend_schema(responses={(200, CsvRenderer.media_type): OpenApiTypes.STR})
    @action(detail=True, renderer_classes=[CsvRenderer])
    def rejected(self, request: Request, token: str) -> FileResponse:
        """All rows that could not be imported, with the reasons."""
        upload = self.get_object()
        if not upload.rejected.exists():
            raise NotFound("No row of this file was rejected.")
        return FileResponse(upload.rejected.open("rb"), content_type=f"{CsvRenderer.media_type}; charset=utf-8")

    @extend_schema(
        request=CompleteSerializer,
        responses={202: ImportSerializer},
        examples=[
            OpenApiExample("Two columns", request_only=True, value={
                "dataset": "Reviews", "language": "en", "columns": {"text": "review", "label": "sentiment"},
            })
        ],
    )  # fmt: skip
    @action(detail=True, methods=["post"])
    def complete(self, request: Request, token: str) -> Response:
        """Say what the columns are, and have the file imported: ask for the import until it is done."""
        upload = whole(self.get_object())
        asked = CompleteSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        if "sha256" in given and given["sha256"] != resuming.sha256_of(upload):
            raise Unprocessable("The file that is here has another SHA-256: send it anew.", "/sha256")
        into = upload.into(self.user)
        name = into.name if into else " ".join(given.get("dataset", "").split())
        if not name:
            raise Unprocessable("Name the dataset that the texts are for.", "/dataset")
        columns = _columns(upload, given.get("columns", {}))
        wanted = Asked(name, given["language"], columns, given["labels"], given["accept_rest"])
        row = ask_import(self.user, upload, wanted)
        headers = {"Location": f"/api/v1/imports/{row.pk}/"}
        return Response(ImportSerializer(row).data, 202, headers=headers)


class ImportViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    """Files on their way into datasets."""

    model = Import
    serializer_class = ImportSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    lookup_field, lookup_value_regex = "pk", "[0-9]{1,18}"
    newest_first = True

    def rows(self) -> Any:
        return Import.objects.select_related("dataset", "team")


def named_upload(user: User, token: str) -> Upload:
    """A whole file that a body names, of a team that the user still edits in."""
    try:
        upload = uploading.find(user, token)
    except Http404 as error:
        raise Unprocessable(str(error), "/upload") from error
    upload.team(user)
    return whole(upload)


def whole(upload: Upload) -> Upload:
    at = resuming.arrived(upload)
    if not at.whole:
        raise Conflict(f"Of the file's {at.size} bytes, {at.offset} are here: send the rest first.")
    return upload


def _offset(request: Request) -> int:
    given = request.headers.get(OFFSET, "")
    if not (given.isascii() and given.isdigit() and len(given) < 17):
        raise ValidationError({OFFSET: "Expected the number of bytes that are here already."})
    return int(given)


def _check_digest(given: str | None, part: bytes) -> None:
    if given is None:
        return
    found = SHA256.fullmatch(given)
    try:
        wanted = base64.b64decode(found[1]) if found else b""
    except binascii.Error:
        wanted = b""
    if not wanted:
        raise Unprocessable(f"{DIGEST}: expected sha-256=:BASE64: of the part.")
    if hashlib.sha256(part).digest() != wanted:
        raise Unprocessable("The part that came has another SHA-256: send it again.")


def _columns(upload: Upload, given: dict[str, str]) -> Columns:
    try:
        found = upload.table().columns
    except FileError as error:
        raise Unprocessable(str(error)) from error
    columns = Columns(*(given[name] if name in given else find_alike(found, name) for name in Columns._fields))
    for name, column in columns._asdict().items():
        if column and column not in found:
            raise Unprocessable(f"The file has no column {column!r}; it has: {', '.join(found)}.", f"/columns/{name}")
    if not columns.text:
        raise Unprocessable(f"Say which column holds the texts: the file has {', '.join(found)}.", "/columns/text")
    return columns
