"""Whole campaigns as archives, for programs: asked for, waited for, fetched; and taken in again."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_editable
from accounts.api.fields import StrictSerializer
from accounts.api.problems import Conflict
from accounts.api.rendering import ZipRenderer
from accounts.api.schema import may_answer
from accounts.api.views import ResourceViewSet
from campaigns.models import Campaign
from judging.api import SupervisedRows
from materials.api.uploads import TOKEN, named_upload
from materials.resuming import pieces
from reports.archiving import asking
from reports.models import ArchiveJob

NOT_MADE = "There is no archive of this campaign: ask for one, and wait until it is done."


class ArchiveSerializer(serializers.ModelSerializer[ArchiveJob]):
    campaign = serializers.SlugRelatedField[Campaign](
        slug_field="slug", read_only=True, allow_null=True, help_text="Exported, or what was imported"
    )

    class Meta:
        model = ArchiveJob
        fields = (
            "id", "kind", "campaign", "file", "state", "step", "done", "total", "error", "created_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields


class NewArchiveSerializer(StrictSerializer):
    upload = serializers.RegexField(f"^{TOKEN}$", help_text="Of an archive that is here whole, for the upload's team")


class CampaignArchiveViewSet(SupervisedRows):
    # It tells of workers, and changes nothing.
    read_scope, write_scope = "workers:read", "workers:read"

    @extend_schema(responses=ArchiveSerializer)
    @action(detail=True)
    def archive(self, request: Request, slug: str) -> Response:
        """How far the latest that was asked for is. It is kept for a day."""
        job = asking.exports_of(self.supervised()).first()
        if job is None:
            raise NotFound(NOT_MADE)
        return Response(ArchiveSerializer(job).data)

    @extend_schema(request=None, responses={202: ArchiveSerializer})
    @archive.mapping.post
    def export(self, request: Request, slug: str) -> Response:
        """Have a new one made, unless one is under way; older ones go."""
        return Response(ArchiveSerializer(asking.ask_export(self.user, self.supervised())).data, 202)

    @extend_schema(responses={(200, ZipRenderer.media_type): OpenApiTypes.BINARY, **may_answer(409)})
    @action(detail=True, url_path="archive/zip", renderer_classes=[ZipRenderer])
    def archive_file(self, request: Request, slug: str) -> FileResponse:
        """The archive itself; docs/archives.md says what it holds."""
        found = asking.open_export(self.supervised())
        if found is None:
            raise Conflict(NOT_MADE)
        job, file = found
        return FileResponse(file, as_attachment=True, filename=job.file, content_type=ZipRenderer.media_type)


class ArchiveViewSet(mixins.RetrieveModelMixin, ResourceViewSet):
    """Archives on their way into campaigns."""

    model = ArchiveJob
    serializer_class = ArchiveSerializer
    read_scope, write_scope = "campaigns:read", "campaigns:write"
    lookup_field, lookup_value_regex = "pk", "[0-9]{1,18}"
    access = {"retrieve": get_editable}

    def rows(self) -> QuerySet[ArchiveJob]:
        return ArchiveJob.objects.filter(kind=ArchiveJob.Kind.IMPORT).select_related("team", "campaign")

    @extend_schema(request=NewArchiveSerializer, responses={202: ArchiveSerializer})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Have an uploaded archive imported, all of it or nothing; the upload goes."""
        asked = NewArchiveSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        upload = named_upload(self.user, asked.validated_data["upload"])
        team = upload.team(self.user)
        try:
            job = asking.ask_import(self.user, team, pieces(upload), upload.details.file)
        except asking.TooManyArchives as error:
            raise Conflict(str(error)) from error
        transaction.on_commit(upload.discard)
        return self.made(job, 202)
