"""What is filled in of the wizard and is no campaign yet, for programs: begun here, finished there, or the reverse."""

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import editable_teams, get_editable, readable
from accounts.api.fields import StrictSerializer
from accounts.api.problems import Conflict, Unfit, Unprocessable
from accounts.api.views import ResourceViewSet
from campaigns import finishing, sketching
from campaigns.api_serializers import SLUG, CampaignSerializer, EstimateSerializer
from campaigns.filling_in import complaints
from campaigns.models import Campaign, Sketch
from campaigns.moving import CampaignError

NOBODY_STARTS = "You can look at the team's campaigns, but not start one. Ask an owner of the team."
CHANGED = "Only a draft can be changed. Copy the campaign to change its design."


class FilledInField(serializers.DictField):
    """By the names of the wizard's fields; boxes that are ticked say "on"."""

    child = serializers.ListField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=50_000), max_length=1000
    )


class SketchSerializer(serializers.ModelSerializer[Sketch]):
    campaign = serializers.SlugRelatedField[Campaign](
        slug_field="slug", read_only=True, allow_null=True, help_text="The one it changes; null for a new one"
    )
    name = serializers.CharField(help_text="Of the campaign, as far as it has one")
    filled_in = serializers.SerializerMethodField()
    beside = serializers.UUIDField(
        source="beside.key", allow_null=True, default=None, help_text="Another that was saved at the same time"
    )

    class Meta:
        model = Sketch
        fields = ("key", "campaign", "name", "filled_in", "version", "beside", "saved_at")
        read_only_fields = fields

    def get_filled_in(self, row: Sketch) -> dict[str, list[str]]:
        return sketching.fields_of(row)


class SketchChangesSerializer(StrictSerializer):
    filled_in = FilledInField(default=dict)


class NewSketchSerializer(SketchChangesSerializer):
    campaign = serializers.RegexField(SLUG, required=False, help_text="Slug of the draft to be changed")


class PossibleEstimateSerializer(serializers.Serializer[Any]):
    estimate = EstimateSerializer(allow_null=True, help_text="Null while something that it needs is missing")
    computing_seconds = serializers.FloatField(allow_null=True, help_text="Of the heat maps, as far as it is known")


class SketchViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, mixins.DestroyModelMixin, ResourceViewSet):
    """Each user's own."""

    model = Sketch
    serializer_class = SketchSerializer
    read_scope, write_scope = "campaigns:read", "campaigns:write"
    lookup_field, lookup_value_regex = "key", "[0-9a-f-]{36}"
    newest_first = True

    def rows(self) -> QuerySet[Sketch]:
        return Sketch.objects.select_related("campaign", "beside", "user")

    def get_queryset(self) -> QuerySet[Sketch]:
        return self.rows().filter(user=self.user)

    def find(self, rows: QuerySet[Sketch]) -> Sketch:
        key = sketching.uuid(self.kwargs["key"]) or sketching.NONE
        return get_object_or_404(rows, user=self.user, key=key)

    @extend_schema(
        request=NewSketchSerializer, responses={201: SketchSerializer},
        examples=[OpenApiExample("The beginning", request_only=True, value={
            "filled_in": {"protocol": ["topk_guess"], "name": ["Which words"], "methods": ["gradient", "random"]},
        })],
    )  # fmt: skip
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Begin a campaign, or changes of a draft; whoever opens the wizard goes on with it."""
        asked = NewSketchSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        if not editable_teams(self.user).exists():
            raise PermissionDenied(NOBODY_STARTS)
        slug = asked.validated_data.get("campaign")
        campaign = self._draft(slug) if slug else None
        return self.made(self._within(lambda: sketching.begin(self.user, campaign, asked.validated_data["filled_in"])))

    @extend_schema(request=SketchChangesSerializer, responses={200: SketchSerializer})
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Fill in more: fields that you leave out stay, and those with no value go. Send `If-Match`."""
        row = self.get_object()
        asked = SketchChangesSerializer(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        self._within(lambda: sketching.fill_in(row, asked.validated_data.get("filled_in", {})))
        return Response(self.represent(row))

    @extend_schema(responses=PossibleEstimateSerializer)
    @action(detail=True)
    def estimate(self, request: Request, key: str) -> Response:
        """What it takes and costs, as far as it is filled in."""
        form = sketching.form_of(self.get_object())
        form.is_valid()
        computing = form.computing()
        told = {"estimate": form.estimate(), "computing_seconds": computing.seconds if computing else None}
        return Response(PossibleEstimateSerializer(told).data)

    @extend_schema(request=None, responses={201: CampaignSerializer, 200: CampaignSerializer})
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, key: str) -> Response:
        """Make the campaign of it (201), or save it as changes of the draft (200). Then it is gone."""
        row = self.get_object()
        if row.campaign:
            self._draft(row.campaign.slug)
        form, page = sketching.form_of(row), sketching.Page(row.page, row.key, row.version)
        if not form.is_valid():
            raise Unfit(complaints(form))
        if row.campaign is None:
            made = finishing.make(self.user, form, page)
            return Response(self._campaign(made), 201, headers={"Location": f"/api/v1/campaigns/{made.slug}/"})
        try:
            finishing.change(self.user, row.campaign, form, page)
        except CampaignError as error:
            raise Conflict(str(error)) from error
        return Response(self._campaign(row.campaign))

    def _draft(self, slug: str) -> Campaign:
        if not readable(Campaign.objects.all(), self.user).filter(slug=slug).exists():
            raise Unprocessable("There is no such campaign in a team of yours.", "/campaign")
        found: Campaign = get_editable(Campaign.objects.all(), self.user, slug=slug)
        if found.state != Campaign.State.DRAFT:
            raise Conflict(CHANGED)
        return found

    def _within(self, save: Any) -> Any:
        try:
            return save()
        except sketching.TooMuch as error:
            most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
            raise Unprocessable(f"At most {most} values can be filled in.", "/filled_in") from error

    def _campaign(self, made: Campaign) -> Any:
        fresh = Campaign.objects.select_related("team", "dataset", "classifier", "copied_from").get(pk=made.pk)
        return CampaignSerializer(fresh, context=self.get_serializer_context()).data
