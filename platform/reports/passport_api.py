"""What explanation methods are worth for a classifier, for programs."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.problems import Conflict, Unfit
from accounts.api.rendering import SvgRenderer
from accounts.api.schema import may_answer
from accounts.api.views import ResourceViewSet
from materials.api.classifiers import ClassifierSerializer
from materials.api.runs import FollowedRunSerializer
from materials.models import Classifier, Dataset
from materials.passport.asking import ComputeForm
from materials.passport.starting import start
from reports.passport_serializers import NewPassportSerializer, PassportSerializer
from reports.passporting import dataset_of, figures_of, of_method, passport_of

DATASET = OpenApiParameter(
    "dataset", OpenApiTypes.STR, description="Slug; left out, the one whose texts were explained last"
)
METHOD = OpenApiParameter("method", OpenApiTypes.STR, description="Of this method alone")


class RunsSerializer(serializers.Serializer[Any]):
    runs = FollowedRunSerializer(many=True)


class PassportViewSet(ResourceViewSet):
    model = Classifier
    serializer_class = ClassifierSerializer
    read_scope, write_scope = "materials:read", "materials:write"

    def rows(self) -> QuerySet[Classifier]:
        return Classifier.objects.select_related("team")

    @extend_schema(parameters=[DATASET, METHOD], responses=PassportSerializer)
    @action(detail=True)
    def passport(self, request: Request, slug: str) -> Response:
        """As docs/passport.md describes it, of what is computed so far."""
        row, wanted = self.get_object(), request.query_params.get("method", "")
        found = passport_of(row, _dataset(row, request.query_params.get("dataset", ""))).passport
        told = of_method(found, wanted) if wanted else found
        if told is None:
            raise NotFound("Nothing is known of this method yet.")
        return Response(told)

    @extend_schema(
        request=NewPassportSerializer, responses={202: RunsSerializer},
        examples=[OpenApiExample("The usual", request_only=True, value={"dataset": "reviews", "texts": 30})],
    )  # fmt: skip
    @passport.mapping.post
    def compute_passport(self, request: Request, slug: str) -> Response:
        """Have computed what it lacks. What is there, or under way, is not computed twice."""
        row, asked = self.get_object(), NewPassportSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = dict(asked.validated_data)
        dataset = dataset_of(row, said.pop("dataset"))
        if dataset is None:
            raise Unfit({"dataset": "The classifier's team has no such dataset."})
        if row.state != Classifier.State.READY:
            raise Conflict(f"The classifier is not ready: it is {row.state}.")
        form = ComputeForm(row, dataset, ComputeForm(row, dataset).usual() | said)
        if not form.is_valid():
            raise Unfit({name: list(map(str, errors)) for name, errors in form.errors.items()})
        wanted = form.cleaned_data
        runs = start(dataset, row, wanted["methods"], wanted["metrics"], wanted["texts"], self.user)
        return Response(RunsSerializer({"runs": runs}).data, 202)

    @extend_schema(
        parameters=[DATASET], responses={(200, SvgRenderer.media_type): OpenApiTypes.BINARY, **may_answer(409)}
    )
    @action(detail=True, url_path="passport/svg", url_name="passport-svg", renderer_classes=[SvgRenderer])
    def passport_figure(self, request: Request, slug: str) -> HttpResponse:
        """Its figure: ranks of methods under metrics."""
        row = self.get_object()
        figures = figures_of(passport_of(row, _dataset(row, request.query_params.get("dataset", ""))))
        if not figures:
            raise Conflict("There are no two methods to compare yet.")
        return HttpResponse(figures["passport"], content_type=SvgRenderer.media_type)


def _dataset(classifier: Classifier, slug: str) -> Dataset:
    found = dataset_of(classifier, slug)
    if found is None:
        raise NotFound("The classifier's team has no such dataset.")
    return found
