"""How a campaign goes right now, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api import CampaignRows
from reports.watching import watch


class WatchedCellSerializer(serializers.Serializer[Any]):
    k = serializers.IntegerField(allow_null=True)
    done = serializers.IntegerField(help_text="Judgments")
    wanted = serializers.IntegerField()


class WatchedArmSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    cells = WatchedCellSerializer(many=True)
    workers = serializers.IntegerField(allow_null=True, help_text="Null where workers meet several arms")


class WatchSerializer(serializers.Serializer[Any]):
    """Times are null where nothing was timed yet."""

    done = serializers.IntegerField(help_text="Judgments")
    wanted = serializers.IntegerField()
    late = serializers.IntegerField()
    not_counted = serializers.IntegerField()
    arrived = serializers.IntegerField(help_text="Workers")
    declined = serializers.IntegerField()
    started = serializers.IntegerField()
    at_work = serializers.IntegerField()
    finished = serializers.IntegerField()
    dropped = serializers.IntegerField()
    simulated = serializers.IntegerField(help_text="Workers who are no people")
    median_seconds = serializers.FloatField(allow_null=True, help_text="Of a judgment")
    pace = serializers.FloatField(allow_null=True, help_text="Judgments an hour, by the latest")
    hours_left = serializers.FloatField(allow_null=True)
    median_minutes = serializers.FloatField(allow_null=True, help_text="Of a worker in all")
    hourly_pay = serializers.FloatField(allow_null=True)
    underpaid = serializers.BooleanField(help_text="The hourly pay is less than the minimum")
    arms = WatchedArmSerializer(many=True)


class WatchViewSet(CampaignRows):
    @extend_schema(responses=WatchSerializer)
    @action(detail=True)
    def live(self, request: Request, slug: str) -> Response:
        """Judgments by arm, workers by how far they are, times and pay."""
        return Response(WatchSerializer(watch(self.get_object())).data)
