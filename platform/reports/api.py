"""Judgments and reports for programs. Workers stand in both under pseudonyms, so that analysts may read them."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_owned, get_readable, may_supervise
from accounts.api.fields import StrictSerializer
from accounts.api.pagination import CURSOR as CURSOR_PATTERN
from accounts.api.pagination import next_link, page_size, position
from accounts.api.problems import Conflict, Unfit, Unprocessable
from accounts.api.rendering import BytesRenderer, NdjsonRenderer, ZipRenderer
from accounts.api.schema import may_answer
from accounts.models import User
from campaigns.api import CampaignRows
from campaigns.models import Campaign
from materials.api.asking import filtering
from reports.aggregating import report_of
from reports.building import archive_of, build_of, drawn_of, is_current, is_too_large, state_of
from reports.deleting import delete_campaign
from reports.exporting import columns_of, judgment_ids, shown_rows
from reports.filter_forms import FilterForm
from reports.filtering import Asked, choices_of, text_facts
from reports.models import ReportBuild
from reports.replaying import find_judgment, narrowed_to
from reports.replaying_api import ReplaySerializer, replay

NONE = "none"
NOT_MADE = "There is no report of this campaign yet: ask for one, and wait until it is done."
JUDGMENT = {
    "type": "object",
    "required": ["id", "text_id", "worker", "answer", "score", "counted"],
    "description": "One judgment; docs/export.md has the meaning of each member but `id`.",
    "properties": {"id": {"type": "integer"}},
    "additionalProperties": {"type": ["string", "number", "null"]},
}
PAGE = {
    "type": "object",
    "required": ["next", "results"],
    "properties": {
        "next": {"type": ["string", "null"], "format": "uri"},
        "results": {"type": "array", "items": JUDGMENT},
    },
}
PART = [
    OpenApiParameter("method", {"type": "array", "items": {"type": "string"}}, description="Of these methods"),
    OpenApiParameter("label", OpenApiTypes.STR, description="Of texts with this label"),
    OpenApiParameter("language", OpenApiTypes.STR, description="Of texts in this language"),
    OpenApiParameter("output", enum=["right", "wrong"], description="Of texts on which the model was so"),
    OpenApiParameter("excluded", enum=["in"], description="With the workers whom the rules exclude"),
]
# What a list of judgments can be narrowed to.
OF = ("worker", "text")
NUMBER = OpenApiParameter("number", {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}, OpenApiParameter.PATH)
CURSOR = [
    OpenApiParameter("cursor", {"type": "string", "pattern": f"^{CURSOR_PATTERN.pattern}$"}, description="From `next`"),
    OpenApiParameter("page_size", {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}),
]


class BuildSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=[NONE, *ReportBuild.State.values])
    current = serializers.BooleanField(help_text="It is made of the data as they are now")
    step = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField(help_text="Steps")
    total = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class FileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes")


class JudgmentViewSet(CampaignRows):
    read_scope = "workers:read"

    @extend_schema(parameters=[*CURSOR, *filtering(worker="Pseudonym", text="Key")], responses={200: PAGE})
    @action(detail=True)
    def judgments(self, request: Request, slug: str) -> Response:
        """One row a judgment, in the order they came. Times are told to those who see data about workers."""
        row, size = self.get_object(), page_size(request)
        only = narrowed_to(row, *(request.query_params.get(name, "").replace("\0", "\ufffd") for name in OF))
        found = judgment_ids(row, position(request) or 0, size + 1, only)
        more = next_link(request, found[size - 1]) if len(found) > size else None
        rows = list(shown_rows(self.user, row, _columns(row), found[:size]))
        return Response({"next": more, "results": rows}, headers={"Link": f'<{more}>; rel="next"'} if more else {})

    @extend_schema(responses={(200, NdjsonRenderer.media_type): OpenApiTypes.STR})
    @action(detail=True, url_path="judgments/all", renderer_classes=[NdjsonRenderer])
    def all_judgments(self, request: Request, slug: str) -> StreamingHttpResponse:
        """All of them, a JSON object a line, as they are read: of any number, in little memory."""
        return StreamingHttpResponse(_lines(self.user, self.get_object()), content_type=NdjsonRenderer.media_type)

    @extend_schema(operation_id="campaigns_judgments_show", parameters=[NUMBER], responses=ReplaySerializer)
    @action(detail=True, url_path=r"judgments/(?P<number>[1-9][0-9]{0,17})", url_name="judgment")
    def judgment(self, request: Request, slug: str, number: str) -> Response:
        """What was on screen, and what was answered."""
        row = self.get_object()
        return Response(replay(row, find_judgment(row, int(number)), may_supervise(self.user, row.team)))


class NameSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120, help_text="The campaign's, as it stands there")


class CampaignRemovalViewSet(CampaignRows):
    write_scope = "campaigns:write"

    @extend_schema(request=NameSerializer, responses={204: None})
    @action(detail=True, methods=["post"])
    def remove(self, request: Request, slug: str) -> Response:
        """For good, with all that was gathered in it. Owners alone; the name says that this one is meant."""
        campaign: Campaign = get_owned(self.rows(), self.user, slug=slug)
        asked = NameSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        if asked.validated_data["name"] != campaign.name:
            raise Unprocessable("That is not the campaign's name: say it as it stands there.", "/name")
        self.attempt(lambda: delete_campaign(campaign, self.user))
        return Response(status=204)


class ReportViewSet(CampaignRows):
    read_scope, write_scope = "reports:read", "reports:write"
    # Whoever may read a report may have it made.
    access = {"build": get_readable}

    @extend_schema(responses=BuildSerializer)
    @action(detail=True)
    def report(self, request: Request, slug: str) -> Response:
        """How far the latest that was asked for is."""
        return Response(_told(build_of(self.get_object())))

    @extend_schema(request=None, responses={202: BuildSerializer})
    @report.mapping.post
    def build(self, request: Request, slug: str) -> Response:
        """Have it made with all its files, unless it is there, or under way."""
        campaign = get_readable(self.rows(), self.user, slug=slug)
        return Response(_told(state_of(campaign, self.user)), 202)

    @extend_schema(
        operation_id="campaigns_report_json_retrieve", parameters=PART,
        responses={200: OpenApiTypes.OBJECT, **may_answer(409, 422)},
    )  # fmt: skip
    @action(detail=True, url_path="report/json")
    def as_json(self, request: Request, slug: str) -> HttpResponse:
        """report.json, as docs/report_files.md describes it; of a part of the judgments, where one is asked for."""
        campaign = self.get_object()
        asked = _part(campaign, request)
        drawn = report_of(campaign, asked) if asked else drawn_of(campaign)
        if drawn is None:
            raise Conflict(NOT_MADE)
        return HttpResponse(json.dumps(drawn.report, ensure_ascii=False), content_type="application/json")

    @extend_schema(responses={(200, ZipRenderer.media_type): OpenApiTypes.BINARY, **may_answer(409)})
    @action(detail=True, url_path="report/zip", renderer_classes=[ZipRenderer])
    def archive(self, request: Request, slug: str) -> HttpResponse:
        """All its files."""
        campaign = self.get_object()
        named = {"Content-Disposition": f'attachment; filename="{campaign.slug}-report.zip"'}
        return HttpResponse(_archive(campaign), content_type=ZipRenderer.media_type, headers=named)

    @extend_schema(responses={200: FileSerializer(many=True), **may_answer(409)})
    @action(detail=True, url_path="report/files", pagination_class=None)
    def files(self, request: Request, slug: str) -> Response:
        packed = _open(_archive(self.get_object()))
        told = [{"name": _bare(one.filename), "size": one.file_size} for one in packed.infolist()]
        return Response(FileSerializer(told, many=True).data)

    @extend_schema(
        parameters=[OpenApiParameter("name", OpenApiTypes.STR, required=True, description="From the list of files")],
        responses={(200, BytesRenderer.media_type): OpenApiTypes.BINARY, **may_answer(409)},
    )
    @action(detail=True, url_path="report/file", renderer_classes=[BytesRenderer])
    def file(self, request: Request, slug: str) -> HttpResponse:
        """One of its files, byte by byte."""
        packed, wanted = _open(_archive(self.get_object())), request.query_params.get("name", "")
        entry = next((one for one in packed.infolist() if _bare(one.filename) == wanted), None)
        if entry is None:
            raise NotFound("The report has no such file.")
        return HttpResponse(packed.read(entry), content_type=BytesRenderer.media_type)


def _part(campaign: Campaign, request: Request) -> Asked:
    """By the page's own form. What this campaign leaves no choice of cannot be asked for."""
    choices, large = choices_of(campaign, text_facts(campaign)), is_too_large(campaign)
    form = FilterForm(request.query_params, choices=choices, rules=bool(campaign.rules), large=large)
    for name in FilterForm.base_fields:
        if name in request.query_params and name not in form.fields:
            raise Unfit({name: "There is nothing to choose from in this campaign."})
    if not form.is_valid():
        named = {"non_field_errors" if name == "__all__" else name: one for name, one in form.errors.items()}
        raise Unfit({name: list(map(str, errors)) for name, errors in named.items()})
    return form.asked


def _columns(campaign: Campaign) -> list[str]:
    """Those of an export, and the number by which a judgment is asked for."""
    return ["id", *columns_of(campaign)]


def _lines(user: User, campaign: Campaign) -> Iterator[str]:
    for row in shown_rows(user, campaign, _columns(campaign)):
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _told(build: ReportBuild | None) -> Any:
    nothing = {"state": NONE, "current": False, "step": "", "done": 0, "total": 0, "error": "", "finished_at": None}
    if build is None:
        return nothing
    known = {name: getattr(build, name) for name in nothing if name != "current"}
    return BuildSerializer(known | {"current": build.state == ReportBuild.State.DONE and is_current(build)}).data


def _archive(campaign: Campaign) -> bytes:
    content = archive_of(campaign)
    if content is None:
        raise Conflict(NOT_MADE)
    return content


def _open(content: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(content))


def _bare(name: str) -> str:
    """Without the folder of the archive."""
    return name.partition("/")[2]
