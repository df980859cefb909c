"""Saliency maps and their metric scores, of one dataset."""

from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.rendering import NdjsonRenderer
from accounts.api.views import ResourceViewSet
from materials.api.asking import filter_by, filtering
from materials.maps.exporting import as_jsonl, map_rows, maps_of
from materials.models import Dataset, Explanation, MetricScore

FILTERS = {"classifier": "classifier__slug", "method": "method", "text": "text__key"}


class MapSerializer(serializers.Serializer[Any]):
    """As export_explanations writes it, and import_explanations reads it."""

    text_id = serializers.CharField(help_text="The text's key")
    classifier = serializers.CharField()
    method = serializers.CharField()
    params = serializers.DictField()
    source = serializers.CharField()  # type: ignore[assignment]
    signed = serializers.BooleanField()
    target = serializers.CharField(help_text="Name of the explained label")
    words = serializers.ListField(child=serializers.CharField())
    offsets = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    scores = serializers.ListField(child=serializers.FloatField(allow_null=True))
    special = serializers.ListField(help_text="[[piece, score], ...] of pieces of no word")
    completeness_error = serializers.FloatField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    seconds = serializers.FloatField()
    versions = serializers.DictField()
    text = serializers.CharField()


class ScoreSerializer(serializers.ModelSerializer[MetricScore]):
    text = serializers.CharField(source="explanation.text.key", help_text="The text's key")
    classifier = serializers.CharField(source="explanation.classifier.slug")
    method = serializers.CharField(source="explanation.method")
    method_params = serializers.DictField(source="explanation.params")
    params = serializers.DictField()
    value = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(help_text="Why there is no value")

    class Meta:
        model = MetricScore
        fields = ["id", "text", "classifier", "method", "method_params", "metric", "params", "value", "reason"]


class MadeOfDatasets(ResourceViewSet):
    """What was computed for the texts of one dataset."""

    model = Dataset

    @extend_schema(
        responses={200: MapSerializer(many=True)},
        parameters=filtering(classifier="Slug", method="Name", text="The text's key"),
    )
    @action(detail=True, newest_first=False)
    def explanations(self, request: Request, slug: str) -> Response:
        """Saliency maps, in the order in which they were made."""
        dataset = self.get_object()
        page = self.paginate_queryset(filter_by(maps_of(dataset), request, **FILTERS).only("pk"))
        found = maps_of(dataset).filter(pk__in=[one.pk for one in page or ()])
        return self.get_paginated_response(list(map_rows(dataset, maps=found)))

    @extend_schema(
        responses={(200, NdjsonRenderer.media_type): MapSerializer},
        parameters=filtering(classifier="Slug", method="Name", text="The text's key"),
    )
    @action(
        detail=True, url_path="explanations/stream", pagination_class=None,
        renderer_classes=[NdjsonRenderer, JSONRenderer],
    )  # fmt: skip
    def explanation_stream(self, request: Request, slug: str) -> StreamingHttpResponse:
        """All of them, a line each, as they are read from the database."""
        dataset = self.get_object()
        maps: QuerySet[Explanation] = filter_by(maps_of(dataset), request, **FILTERS)
        return StreamingHttpResponse(as_jsonl(map_rows(dataset, maps=maps)), content_type=NdjsonRenderer.media_type)

    @extend_schema(
        responses={200: ScoreSerializer(many=True)},
        parameters=filtering(classifier="Slug", method="Name", metric="Name", text="The text's key"),
    )
    @action(detail=True, newest_first=False)
    def scores(self, request: Request, slug: str) -> Response:
        """Automatic scores of the maps; those that are undefined have a reason instead."""
        rows = MetricScore.objects.filter(explanation__text__dataset=self.get_object())
        lookups = {name: f"explanation__{lookup}" for name, lookup in FILTERS.items()} | {"metric": "metric"}
        rows = filter_by(rows, request, **lookups).select_related("explanation__text", "explanation__classifier")
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(ScoreSerializer(page, many=True).data)
