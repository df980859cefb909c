import re
from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_owned
from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Conflict, Unfit, Unprocessable
from accounts.api.rendering import SvgRenderer, TexRenderer
from accounts.api.views import team_for
from accounts.auditing import Act, record
from materials.api.asking import asked_bool, filter_by, filtering, rename_by
from materials.api.explanations import MadeOfDatasets
from materials.api.judged import JudgedSerializer
from materials.api.maps import TakesMaps
from materials.browsing import MISSING, RIGHT, WRONG, label_counts, predicted_as
from materials.checking import LANGUAGE
from materials.deleting import DeletingError, delete_dataset
from materials.describing import classifier_rows
from materials.drawing import draw
from materials.finding import texts_like
from materials.models import Classifier, Dataset, Prediction, Text, TextCount
from materials.naming import insert_named
from materials.picturing import HeatMap, Picture
from materials.relabelling import RelabellingError, SameName, TextLabelsForm, relabel
from materials.renaming import DatasetNameForm
from materials.showing import show
from materials.typesetting import typeset

ID = OpenApiParameter("id", int, OpenApiParameter.PATH, description="The text's number")
OF_FIGURE = filtering(classifier="Slug", target="The explained label", map="The map's number; left out, all")
OUTCOMES = (RIGHT, WRONG, MISSING)
PREDICTED = re.compile(f"[-a-zA-Z0-9_]{{1,80}}:({'|'.join(OUTCOMES)})")

OF_IT = TextCount.objects.filter(dataset=OuterRef("pk"))
LABELS = OF_IT.exclude(label="").values("label").annotate(all=Sum("n")).filter(all__gt=0).order_by("label")
COUNTED = OF_IT.values("dataset").annotate(all=Sum("n")).values("all")


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    label_names = serializers.ListField(child=serializers.CharField(), source="labels", read_only=True)
    texts = serializers.IntegerField(source="held", read_only=True, help_text="How many there are")

    class Meta:
        model = Dataset
        fields = ["slug", "name", "team", "language", "label_names", "texts", "created_at"]


class DatasetChangesSerializer(StrictSerializer):
    name = TextField(max_length=120)
    language = serializers.RegexField(
        f"^({LANGUAGE.pattern})?$", max_length=35, default="", allow_blank=True, help_text="BCP 47, such as en or pt-BR"
    )


class LabelsSerializer(StrictSerializer):
    names = serializers.DictField(
        child=TextField(max_length=200), help_text="By the label as it is: what it is to be called. The rest stay"
    )


class NewDatasetSerializer(DatasetChangesSerializer):
    team = serializers.IntegerField(required=False, help_text="Needed by who edits in several teams")


class RationaleField(serializers.ListField):
    child = serializers.ListField(child=serializers.IntegerField(min_value=0), min_length=2, max_length=2)


class TextSerializer(serializers.ModelSerializer[Text]):
    """Offsets are code points into the content."""

    rationale = RationaleField(allow_null=True, help_text="[[start, end], ...] marked by people")
    edit_of = serializers.CharField(
        source="edit_of.key", default=None, allow_null=True, help_text="Key of the original"
    )

    class Meta:
        model = Text
        fields = ["id", "key", "content", "label", "language", "rationale", "warning", "template", "edit_of"]


class PredictionSerializer(serializers.ModelSerializer[Prediction]):
    classifier = serializers.SlugRelatedField[Classifier](slug_field="slug", read_only=True)
    probabilities = serializers.ListField(child=serializers.FloatField(), help_text="In the order of its label names")

    class Meta:
        model = Prediction
        fields = ["classifier", "label", "probabilities"]


class PredictedTextSerializer(TextSerializer):
    predictions = PredictionSerializer(many=True, read_only=True)

    class Meta(TextSerializer.Meta):
        fields = [*TextSerializer.Meta.fields, "predictions"]


class DatasetViewSet(
    mixins.RetrieveModelMixin,
    mixins.CreateModelMixin,
    mixins.DestroyModelMixin,
    MadeOfDatasets,
    TakesMaps,
):
    model = Dataset
    serializer_class = DatasetSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    newest_first = True
    access = {"destroy": get_owned}

    def rows(self) -> QuerySet[Dataset]:
        n = Coalesce(Subquery(COUNTED, output_field=IntegerField()), 0)
        return Dataset.objects.select_related("team").annotate(labels=ArraySubquery(LABELS.values("label")), held=n)

    @extend_schema(parameters=filtering(q="In the name"))
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.paged(filter_by(self.get_queryset(), request, q="name__icontains"))

    @extend_schema(
        request=NewDatasetSerializer,
        responses={201: DatasetSerializer},
        examples=[OpenApiExample("English", request_only=True, value={"name": "Reviews", "language": "en"})],
    )
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Make an empty dataset. An import makes the one that it names by itself."""
        asked = NewDatasetSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        name = " ".join(given["name"].split())
        row = Dataset(team=team_for(self.user, given.get("team")), name=name, language=given["language"])
        if Dataset.objects.filter(team=row.team, name=row.name).exists():
            raise Conflict(f"The team has a dataset called {row.name} already.")
        insert_named(row)
        record(self.user, row.team, Act.CREATED, row)
        return self.made(row)

    @extend_schema(request=DatasetChangesSerializer, responses={200: DatasetSerializer})
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Another name, or another language of texts that do not say their own. The slug stays."""
        row = self.get_object()
        asked = DatasetChangesSerializer(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        given = {"name": row.name, "language": row.language} | asked.validated_data
        rename_by(self.user, DatasetNameForm(given, instance=row), row.name)
        return Response(self.represent(row))

    def perform_destroy(self, instance: Dataset) -> None:
        try:
            delete_dataset(instance, self.user)
        except DeletingError as error:
            raise Conflict(str(error)) from error

    @extend_schema(request=LabelsSerializer, responses={200: DatasetSerializer})
    @action(detail=True, methods=["post"])
    def labels(self, request: Request, slug: str) -> Response:
        """Other names for labels, in all texts; until a campaign with them is prepared."""
        row = self.get_object()
        asked = LabelsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        self._rename_labels(row, asked.validated_data["names"])
        return Response(self.represent(self.rows().get(pk=row.pk)))

    def _rename_labels(self, row: Dataset, said: Mapping[str, str]) -> None:
        before = row.label_names()
        if unknown := sorted(said.keys() - set(before)):
            raise Unprocessable(f"No text has the label {unknown[0][:60]!r}.", "/names")
        form = TextLabelsForm(before, {f"label_{n}": said.get(name, name) for n, name in enumerate(before)})
        if not form.is_valid():
            raise Unfit({"names": [str(message) for messages in form.errors.values() for message in messages]})
        try:
            relabel(row, before, form.names(), self.user)
        except SameName as error:
            raise Unprocessable(str(error), "/names") from error
        except RelabellingError as error:
            raise Conflict(str(error)) from error

    @extend_schema(responses={200: JudgedSerializer(many=True)})
    @action(detail=True, pagination_class=None)
    def classifiers(self, request: Request, slug: str) -> Response:
        """The team's classifiers that are ready: how many texts each has predicted, and how many rightly."""
        row = self.get_object()
        counts = label_counts(row)
        found = classifier_rows(row, [name for name in counts if name], sum(counts.values()))
        return Response(JudgedSerializer(found, many=True).data)

    @extend_schema(
        responses={200: TextSerializer(many=True)},
        parameters=[
            *filtering(label="The gold label", key="The text's key", language="The text's own language",
                       q="Words of the text, or their beginnings"),
            OpenApiParameter("has_rationale", bool, description="Whether people have marked words"),
            OpenApiParameter("prediction", str, pattern=f"^{PREDICTED.pattern}$", description="Such as critic:wrong"),
        ],
    )  # fmt: skip
    @action(detail=True, serializer_class=TextSerializer, newest_first=False)
    def texts(self, request: Request, slug: str) -> Response:
        """The dataset's texts, in the order in which they came."""
        row = self.get_object()
        rows = filter_by(row.texts.select_related("edit_of"), request, label="label", key="key", language="language")
        marked = asked_bool(request, "has_rationale")
        if marked is not None:
            having = {"rationale__isnull": False, "rationale__0__isnull": False}
            rows = rows.filter(**having) if marked else rows.exclude(**having)
        if wanted := request.query_params.get("q"):
            rows = texts_like(rows, wanted)
        return self.paged(_predicted(row, rows, request))

    @extend_schema(
        responses={200: PredictedTextSerializer},
        parameters=[ID],
    )
    @action(detail=True, url_path="texts/(?P<id>[0-9]{1,18})", url_name="text")
    def text(self, request: Request, slug: str, id: str) -> Response:
        """One text, with what classifiers predict for it."""
        texts = self.get_object().texts.select_related("edit_of").prefetch_related("predictions__classifier")
        return Response(PredictedTextSerializer(get_object_or_404(texts, pk=id)).data)

    @extend_schema(parameters=[ID, *OF_FIGURE], responses={(200, SvgRenderer.media_type): OpenApiTypes.BINARY})
    @action(detail=True, url_path="texts/(?P<id>[0-9]{1,18})/svg", url_name="text-svg", renderer_classes=[SvgRenderer])
    def text_figure(self, request: Request, slug: str, id: str) -> HttpResponse:
        """Its heat maps, as a figure."""
        shown = _shown(self._text(id), request.query_params)
        return HttpResponse(draw(*shown), content_type=SvgRenderer.media_type)

    @extend_schema(parameters=[ID, *OF_FIGURE], responses={(200, TexRenderer.media_type): OpenApiTypes.STR})
    @action(detail=True, url_path="texts/(?P<id>[0-9]{1,18})/tex", url_name="text-tex", renderer_classes=[TexRenderer])
    def text_typeset(self, request: Request, slug: str, id: str) -> HttpResponse:
        """Its heat maps, for LaTeX."""
        shown = _shown(self._text(id), request.query_params)
        return HttpResponse(typeset(*shown), content_type=f"{TexRenderer.media_type}; charset=utf-8")

    def _text(self, number: str) -> Text:
        texts = self.get_object().texts.select_related("dataset__team")
        found: Text = get_object_or_404(texts, pk=number)
        return found


def _shown(text: Text, asked: Mapping[str, str]) -> tuple[Picture, list[HeatMap]]:
    """The picture, and of its maps the one asked for, or all."""
    picture = show(text, asked.get("classifier", ""), asked.get("target", "")).picture
    maps = [one for one in picture.maps if asked.get("map", "") in ("", one.key)]
    if not maps:
        raise NotFound("This text has no such heat map.")
    return picture, maps


def _predicted(dataset: Dataset, texts: QuerySet[Text], request: Request) -> QuerySet[Text]:
    """Those that the classifier is right or wrong about, or has not predicted."""
    wanted = request.query_params.get("prediction")
    if wanted is None:
        return texts
    if not PREDICTED.fullmatch(wanted):
        raise ValidationError({"prediction": f"Expected a classifier's slug, a colon, and {', '.join(OUTCOMES)}."})
    slug, outcome = wanted.split(":")
    classifier = get_object_or_404(Classifier.objects.filter(team=dataset.team_id), slug=slug)
    return texts.filter(predicted_as(classifier, outcome))
