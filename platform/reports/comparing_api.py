"""Two campaigns side by side, for programs."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_readable
from accounts.api.problems import Unprocessable
from accounts.api.schema import may_answer
from campaigns.api import CampaignRows
from materials.api.asking import SLUG
from reports.contrasting import ROWS, CompareForm, comparable, contrast_of
from reports.passport_serializers import IntervalField

WITH = OpenApiParameter(
    "with", {"type": "string", "pattern": SLUG}, required=True, description="Slug of the other campaign"
)


class ContrastRowSerializer(serializers.Serializer[Any]):
    """Scores are means over texts of the text's mean; intervals, of 95 %, resample texts."""

    method = serializers.CharField()
    one = serializers.FloatField(allow_null=True)
    one_ci = IntervalField(allow_null=True)
    n_one = serializers.IntegerField(help_text="Texts")
    other = serializers.FloatField(allow_null=True)
    other_ci = IntervalField(allow_null=True)
    n_other = serializers.IntegerField()
    difference = serializers.FloatField(allow_null=True, help_text="The other's less the one's")
    ci = IntervalField(allow_null=True)


class ContrastSerializer(serializers.Serializer[Any]):
    one = serializers.CharField()
    other = serializers.CharField()
    status = serializers.ChoiceField(choices=["ok", "other_measure", "nothing_scored", "no_common_method"])
    measure = serializers.CharField(source="contrast.measure.name")
    paired = serializers.IntegerField(
        source="contrast.paired",
        allow_null=True,
        help_text="Common texts that differences are over; null where each has its own",
    )
    methods = ContrastRowSerializer(many=True, source="contrast.rows")


class ComparisonViewSet(CampaignRows):
    read_scope = "reports:read"

    @extend_schema(parameters=[WITH], responses={200: ContrastSerializer, **may_answer(422)})
    @action(detail=True)
    def comparison(self, request: Request, slug: str) -> Response:
        """Each method's score in both, and the difference."""
        one, wanted = self.get_object(), request.query_params.get("with", "")
        if not wanted:
            raise ValidationError({"with": "Expected the slug of another campaign."})
        get_readable(ROWS, self.user, slug=wanted)
        form = CompareForm(comparable(self.user), {"a": one.slug, "b": wanted})
        if not form.is_valid():
            messages = [str(message) for errors in form.errors.values() for message in errors]
            raise Unprocessable(messages[0], "/with")
        contrast = contrast_of(form.cleaned_data["a"], form.cleaned_data["b"])
        told = {"one": one.slug, "other": wanted, "status": contrast.status, "contrast": contrast}
        return Response(ContrastSerializer(told).data)
