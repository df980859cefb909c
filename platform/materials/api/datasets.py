from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_owned
from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Conflict, Unfit, Unprocessable
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
from materials.finding import texts_like
from materials.models import Classifier, Dataset, Prediction, Text, TextCount
from materials.naming import insert_named
from materials.relabelling import RelabellingError, SameName, TextLabelsForm, relabel
from materials.renaming import DatasetNameForm

OUTCOMES = (RIGHT, WRONG, MISSING)

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
    mixins.ListModelMixin,
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
                       q="Words of the text, or their beginnings", classifier="Slug: whose prediction is asked for"),
            OpenApiParameter("has_rationale", bool, description="Whether people have marked words"),
            OpenApiParameter("prediction", enum=OUTCOMES, description="The classifier's; goes with `classifier`"),
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
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH, description="The text's number")],
    )
    @action(detail=True, url_path="texts/(?P<id>[0-9]{1,18})", url_name="text")
    def text(self, request: Request, slug: str, id: str) -> Response:
        """One text, with what classifiers predict for it."""
        texts = self.get_object().texts.select_related("edit_of").prefetch_related("predictions__classifier")
        return Response(PredictedTextSerializer(get_object_or_404(texts, pk=id)).data)


def _predicted(dataset: Dataset, texts: QuerySet[Text], request: Request) -> QuerySet[Text]:
    """Those that the classifier is right or wrong about, or has not predicted."""
    slug, outcome = (request.query_params.get(name, "") for name in ("classifier", "prediction"))
    if outcome not in ("", *OUTCOMES):
        raise ValidationError({"prediction": f"Expected one of {', '.join(OUTCOMES)}."})
    if bool(slug) != bool(outcome):
        raise ValidationError({"prediction": "`classifier` says whose, `prediction` says which: both, or neither."})
    if not slug:
        return texts
    team = Classifier.objects.filter(team=dataset.team_id)
    return texts.filter(predicted_as(get_object_or_404(team, slug=slug.replace("\0", "\ufffd")), outcome))
