"""Marks of a campaign that become the rationales of its texts, for programs."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.fields import StrictSerializer
from accounts.api.problems import Conflict
from accounts.auditing import Act, record
from campaigns.models import Campaign
from campaigns.recognising import protocol_of
from judging.api import SupervisedRows
from reports.taking_rationales import Gathered, TakingError, gather, replaced, take


class ShareSerializer(serializers.Serializer[Any]):
    percent = serializers.IntegerField(
        min_value=1, max_value=100, default=50, help_text="Of workers who have to have marked a word"
    )
    least = serializers.IntegerField(
        min_value=1,
        max_value=100,
        required=False,
        help_text="Workers a text; left out, as many as the campaign asks for",
    )


class TakeSerializer(ShareSerializer, StrictSerializer):
    overwrite = serializers.BooleanField(default=False, help_text="Replace the rationales that texts have already")


class GatheredSerializer(serializers.Serializer[Any]):
    texts = serializers.IntegerField(help_text="That would have a rationale")
    empty = serializers.IntegerField(help_text="Of these, those in which people agree on no word")
    short = serializers.IntegerField(help_text="Texts that too few people have marked")
    least = serializers.IntegerField(help_text="People a text")
    replaced = serializers.ListField(child=serializers.CharField(), help_text="Keys of texts that have another already")


class TakenSerializer(serializers.Serializer[Any]):
    texts = serializers.IntegerField(help_text="That have a new rationale")


class RationaleViewSet(SupervisedRows):
    read_scope, write_scope = "campaigns:read", "materials:write"

    @extend_schema(
        parameters=[OpenApiParameter(name, field, description=said) for name, field, said in (
            ("percent", {"type": "integer", "minimum": 1, "maximum": 100, "default": 50}, "Of workers who marked it"),
            ("least", {"type": "integer", "minimum": 1, "maximum": 100}, "Workers a text"),
        )],
        responses=GatheredSerializer,
    )  # fmt: skip
    @action(detail=True)
    def rationales(self, request: Request, slug: str) -> Response:
        """What would become of the marks; nothing is written."""
        row = self._marking()
        asked = ShareSerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        found = _gathered(row, asked.validated_data)
        told = {"texts": len(found.rationales), "empty": found.empty, "short": found.short, "least": found.least}
        return Response(GatheredSerializer(told | {"replaced": replaced(found)}).data)

    @extend_schema(request=TakeSerializer, responses=TakenSerializer)
    @rationales.mapping.post
    def take_rationales(self, request: Request, slug: str) -> Response:
        """Write them into the dataset. Plausibility scores of these texts go, and are computed anew by the next run."""
        row = self._marking()
        asked = TakeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        try:
            written = take(row, _gathered(row, said), said["overwrite"])
        except TakingError as error:
            raise Conflict(str(error)) from error
        record(self.user, row.team, Act.RATIONALES_TAKEN, row.dataset, texts=written)
        return Response(TakenSerializer({"texts": written}).data)

    def _marking(self) -> Campaign:
        row = self.supervised()
        if not protocol_of(row).marks:
            raise NotFound("Workers of this campaign mark no words.")
        return row


def _gathered(campaign: Campaign, said: Any) -> Gathered:
    return gather(campaign, said["percent"] / 100, said.get("least"))
