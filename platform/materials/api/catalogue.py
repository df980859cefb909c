"""What there is to ask for: methods, metrics, protocols."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views import ApiView
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from protocols import PROTOCOLS


class ParameterSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    default = serializers.JSONField()
    description = serializers.CharField()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    choices = serializers.ListField(child=serializers.CharField(), help_text="Empty where any value may be")


class EntrySerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class DescribedSerializer(EntrySerializer):
    family = serializers.CharField()
    citation = serializers.CharField()
    description = serializers.CharField()
    classifier_kinds = serializers.ListField(child=serializers.CharField())
    parameters = ParameterSerializer(many=True)


class MethodSerializer(DescribedSerializer):
    signed = serializers.BooleanField(help_text="Scores speak for and against")
    complete = serializers.BooleanField(help_text="Scores should add up to a difference of outputs")


class MetricSerializer(DescribedSerializer):
    higher_is_better = serializers.BooleanField()
    needs = serializers.CharField(help_text="Beside the text and its scores: model, method or rationale")


class ProtocolSerializer(EntrySerializer):
    summary = serializers.CharField()
    level = serializers.CharField(help_text="Of measurement: nominal, ordinal or interval")
    default_question = serializers.CharField()
    maps = serializers.IntegerField(help_text="How many methods' maps a worker sees at once")
    needs_k = serializers.BooleanField(help_text="Conditions say how many words are shown")
    baselines = serializers.ListField(child=serializers.CharField(), help_text="Arms without a map")
    displays = serializers.ListField(child=serializers.CharField(), help_text="Ways of showing saliency")


class CatalogueView(ApiView):
    read_scope: ClassVar[str] = "materials:read"


class MethodsView(CatalogueView):
    @extend_schema(operation_id="catalogue_methods", responses={200: MethodSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """Saliency methods."""
        return Response(MethodSerializer(METHODS.values(), many=True).data)


class MetricsView(CatalogueView):
    @extend_schema(operation_id="catalogue_metrics", responses={200: MetricSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """Automatic metrics."""
        return Response(MetricSerializer(METRICS.values(), many=True).data)


class ProtocolsView(CatalogueView):
    @extend_schema(operation_id="catalogue_protocols", responses={200: ProtocolSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """What workers can be asked."""
        return Response(ProtocolSerializer(PROTOCOLS.values(), many=True).data)
