"""Campaigns for programs: the wizard, the buttons and the pages of a campaign, under the same rules."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_editable, readable
from accounts.api.problems import Conflict, Unfit
from accounts.api.rendering import MarkdownRenderer
from accounts.api.views import ResourceViewSet
from accounts.auditing import Act, record
from campaigns import acting
from campaigns.acting import ACTIONS
from campaigns.api_fields import check_settings
from campaigns.api_serializers import (
    CampaignSerializer,
    DesignSerializer,
    EstimateSerializer,
    FindingSerializer,
    NewCampaignSerializer,
    ProgressSerializer,
    SeenSerializer,
)
from campaigns.creating import copy_campaign, save_new
from campaigns.describing import planned
from campaigns.editing import delete_draft, save_changes
from campaigns.filling_in import complaints, design_again, design_anew
from campaigns.forms import CampaignForm
from campaigns.linting import lint
from campaigns.models import Campaign
from campaigns.moving import CampaignError
from campaigns.preregistering import document_of, registered
from campaigns.progressing import progress_of
from campaigns.reading_out import as_markdown
from campaigns.showing import show
from materials.api.asking import asked_bool, filter_by, filtering
from materials.models import Classifier, Dataset

POSITION = {"type": "integer", "minimum": 1, "maximum": 99_999_999}


class CampaignRows(ResourceViewSet):
    """What every view of a campaign's has."""

    model = Campaign
    serializer_class = CampaignSerializer
    read_scope, write_scope = "campaigns:read", "campaigns:write"

    def rows(self) -> QuerySet[Campaign]:
        return Campaign.objects.select_related("team", "dataset", "classifier", "run", "copied_from")

    def designed(self) -> Campaign:
        """One that was designed here; what was judged elsewhere has no design."""
        row: Campaign = self.get_object()
        if row.imported:
            raise NotFound("Its judgments come from elsewhere: there is no design.")
        return row

    def attempt(self, do: Callable[[], Any]) -> Any:
        try:
            return do()
        except CampaignError as error:
            raise Conflict(str(error)) from error


class CampaignViewSet(CampaignRows):
    newest_first = True

    @extend_schema(parameters=[
        OpenApiParameter("state", enum=Campaign.State.values),
        OpenApiParameter("aside", bool, description="Only those that are put aside, or only the others"),
        *filtering(q="In the name"),
    ])  # fmt: skip
    def list(self, request: Request) -> Response:
        """Those of your teams, the newest first."""
        wanted, aside = request.query_params.get("state"), asked_bool(request, "aside")
        if wanted is not None and wanted not in Campaign.State.values:
            raise ValidationError({"state": f"Expected one of {', '.join(Campaign.State.values)}."})
        rows = filter_by(self.get_queryset(), request, state="state", q="name__icontains")
        return self.paged(rows if aside is None else rows.filter(archived_at__isnull=not aside))

    def retrieve(self, request: Request, slug: str) -> Response:
        return Response(self.represent(self.get_object()))

    @extend_schema(request=NewCampaignSerializer, responses={201: CampaignSerializer})
    def create(self, request: Request) -> Response:
        """A draft. What you leave out is as the wizard proposes it."""
        said = self._said(NewCampaignSerializer, request)
        check_settings(said["protocol"], said.get("recruitment", "open_link"), said)
        row = save_new(self._checked(design_anew(self.user, said)))
        record(self.user, row.team, Act.CREATED, row)
        return Response(self.represent(row), 201, headers={"Location": f"/api/v1/campaigns/{row.slug}/"})

    @extend_schema(request=DesignSerializer, responses=CampaignSerializer)
    def partial_update(self, request: Request, slug: str) -> Response:
        """Of a draft: what you leave out stays. Copy a campaign to change its design later."""
        row = self.designed()
        if row.state != Campaign.State.DRAFT:
            raise Conflict("Only a draft can be changed. Copy the campaign to change its design.")
        said = self._said(DesignSerializer, request)
        check_settings(row.protocol, said.get("recruitment", row.recruitment), said)
        form = design_again(self.user, row, said)
        changed = self._checked(form)
        self.attempt(lambda: save_changes(changed))
        record(self.user, row.team, Act.EDITED, row)
        return Response(self.represent(self.rows().get(pk=row.pk)))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, slug: str) -> Response:
        """A draft, for good. Its dataset, its classifier and what was computed stay."""
        row = self.get_object()
        record(self.user, row.team, Act.DELETED, row)
        self.attempt(lambda: delete_draft(row))
        return Response(status=204)

    @extend_schema(request=None, responses={201: CampaignSerializer})
    @action(detail=True, methods=["post"])
    def copy(self, request: Request, slug: str) -> Response:
        """A draft of the same design."""
        row = self.get_object()
        made = self.attempt(lambda: copy_campaign(row))
        record(self.user, row.team, Act.COPIED, row, copy=made.slug)
        return Response(self.represent(made), 201, headers={"Location": f"/api/v1/campaigns/{made.slug}/"})

    @extend_schema(
        operation_id="campaigns_move", request=None, responses=CampaignSerializer,
        parameters=[OpenApiParameter("act", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[*ACTIONS])],
    )  # fmt: skip
    @action(detail=True, methods=["post"], url_path=f"(?P<act>{'|'.join(ACTIONS)})", url_name="act")
    def move(self, request: Request, slug: str, act: str) -> Response:
        """On to the next state. Evaluating, preparing and launching take a while: see the progress."""
        row = self.designed()
        self.attempt(lambda: acting.act(row, act, self.user))
        return Response(self.represent(self.rows().get(pk=row.pk)))

    @extend_schema(responses=ProgressSerializer)
    @action(detail=True)
    def progress(self, request: Request, slug: str) -> Response:
        """How far evaluating, preparing, launching or judging is."""
        return Response(ProgressSerializer(progress_of(self.get_object())).data)

    @extend_schema(responses=FindingSerializer(many=True))
    @action(detail=True, pagination_class=None)
    def findings(self, request: Request, slug: str) -> Response:
        """What to look at before launch, the worst first; none before it is prepared."""
        return Response(FindingSerializer(lint(self.designed()), many=True).data)

    @extend_schema(
        responses=SeenSerializer,
        parameters=[OpenApiParameter(name, POSITION, description=said) for name, said in (
            ("text", "Which of the sample"), ("condition", "Which of the design"),
        )],
    )  # fmt: skip
    @action(detail=True)
    def preview(self, request: Request, slug: str) -> Response:
        """What a worker sees of a text under a condition."""
        asked = [request.query_params.get(name, "1") for name in ("text", "condition")]
        for name, value in zip(("text", "condition"), asked, strict=True):
            if not (value.isascii() and value.isdigit() and len(value) < 9 and int(value)):
                raise ValidationError({name: "Expected a number from 1."})
        return Response(SeenSerializer(show(self.designed(), *asked)).data)

    @extend_schema(responses=EstimateSerializer)
    @action(detail=True)
    def estimate(self, request: Request, slug: str) -> Response:
        """How many judgments and workers it takes, and what it costs."""
        return Response(EstimateSerializer(planned(self.designed())).data)

    @extend_schema(responses={(200, MarkdownRenderer.media_type): OpenApiTypes.STR})
    @action(detail=True, url_path="preregistration/markdown", renderer_classes=[MarkdownRenderer])
    def preregistration_in_words(self, request: Request, slug: str) -> HttpResponse:
        """The same to be read, as it goes to a registry."""
        row = self.designed()
        content = as_markdown(document_of(row), registered(row))
        return HttpResponse(content, content_type=f"{MarkdownRenderer.media_type}; charset=utf-8")

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    @action(detail=True)
    def preregistration(self, request: Request, slug: str) -> HttpResponse:
        """The one canonical document of design and analysis; from launch on it never changes, byte by byte."""
        return HttpResponse(document_of(self.designed()), content_type="application/json")

    def _said(self, kind: type[DesignSerializer], request: Request) -> dict[str, Any]:
        asked = kind(data=request.data, partial=kind is DesignSerializer)
        asked.is_valid(raise_exception=True)
        said = dict(asked.validated_data)
        for name, model in (("dataset", Dataset), ("classifier", Classifier)):
            if name in said:
                said[name] = self._material(name, model, said[name]["slug"])
        return said

    def _material(self, name: str, model: type[Dataset] | type[Classifier], slug: str) -> Any:
        rows: QuerySet[Any] = model._default_manager.all()
        if not readable(rows, self.user).filter(slug=slug).exists():
            raise Unfit({name: f"There is no such {name} in a team of yours."})
        found = get_editable(rows, self.user, slug=slug)
        if isinstance(found, Classifier) and found.state != Classifier.State.READY:
            raise Unfit({name: "It is not ready: see what it is waiting for, or what is wrong with it."})
        return found

    def _checked(self, form: CampaignForm) -> Campaign:
        if not form.is_valid():
            raise Unfit(complaints(form))
        return form.save(commit=False)
