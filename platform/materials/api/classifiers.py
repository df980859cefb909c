from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_owned
from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Conflict, Unprocessable
from accounts.api.views import ResourceViewSet, team_for
from accounts.auditing import Act, record
from catalogue.kinds import KINDS
from materials.api.asking import filter_by, filtering, rename_by
from materials.api.judged import JudgedSerializer
from materials.deleting import DeletingError, delete_classifier
from materials.describing import dataset_rows
from materials.forms import ClassifierForm
from materials.models import Classifier
from materials.registering import LabelError, add_classifier, register, rename_labels
from materials.renaming import ClassifierNameForm

Names = list[str]


class ClassifierSerializer(serializers.ModelSerializer[Classifier]):
    label_names = serializers.ListField(child=serializers.CharField(), help_text="In the order of the outputs")
    options = serializers.DictField()

    class Meta:
        model = Classifier
        fields = [
            "slug", "name", "team", "kind", "options", "source", "revision", "state", "error", "label_names",
            "problem_type", "weights_hash", "created_at",
        ]  # fmt: skip


class NewClassifierSerializer(StrictSerializer):
    name = TextField(max_length=120)
    source = TextField(  # type: ignore[assignment]
        max_length=500, help_text="Hub id, or a folder on the machine of the worker processes"
    )
    revision = serializers.CharField(max_length=100, default="", allow_blank=True, trim_whitespace=False)
    kind = serializers.ChoiceField(["", *KINDS], default="", help_text="Left out, it is read from the files")
    words = serializers.ListField(
        child=TextField(max_length=200), default=list, max_length=100,
        help_text="For a language model without classes of its own: the next words to compare, which become its labels",
    )  # fmt: skip
    contrast = serializers.BooleanField(default=False, help_text="Set the one of two words against the other")
    team = serializers.IntegerField(required=False, help_text="Needed by who edits in several teams")


class ChangesSerializer(StrictSerializer):
    name = TextField(max_length=120)
    label_names = serializers.ListField(child=TextField(max_length=200), min_length=1, max_length=1000)


class ClassifierViewSet(mixins.RetrieveModelMixin, mixins.CreateModelMixin, mixins.DestroyModelMixin, ResourceViewSet):
    model = Classifier
    serializer_class = ClassifierSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    newest_first = True
    access = {"destroy": get_owned}

    @extend_schema(parameters=filtering(q="In the name"))
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.paged(filter_by(self.get_queryset(), request, q="name__icontains"))

    @extend_schema(
        request=NewClassifierSerializer,
        responses={202: ClassifierSerializer},
        examples=[
            OpenApiExample("From a hub", request_only=True, value={
                "name": "IMDB", "source": "textattack/bert-base-uncased-imdb",
            })
        ],
    )  # fmt: skip
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Add a classifier. A worker process reads what it is: ask until its state is ready or failed."""
        asked = NewClassifierSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        team = team_for(self.user, given.pop("team", None))
        form = ClassifierForm(self.user, given | {"words": ",".join(given["words"]), "team": team.pk})
        if not form.is_valid():
            name, messages = next(iter(form.errors.items()))
            raise Unprocessable(str(messages[0]), f"/{name}")
        data = {name: form.cleaned_data[name] for name in ("name", "source", "revision", "kind")}
        row = add_classifier(team, **data, options=form.options())
        record(self.user, team, Act.CREATED, row)
        return self.made(row, 202)

    @extend_schema(request=ChangesSerializer, responses={200: ClassifierSerializer})
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Another name; other names of the outputs, in their order: predictions made so far are renamed, too."""
        row = self.get_object()
        asked = ChangesSerializer(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        if "name" in asked.validated_data:
            rename_by(self.user, ClassifierNameForm({"name": asked.validated_data["name"]}, instance=row), row.name)
        if "label_names" in asked.validated_data:
            self._rename_labels(row, [" ".join(name.split()) for name in asked.validated_data["label_names"]])
        return Response(self.represent(row))

    def _rename_labels(self, row: Classifier, names: Names) -> None:
        try:
            rename_labels(row, names)
        except LabelError as error:
            raise Unprocessable(str(error), "/label_names") from error
        record(self.user, row.team, Act.EDITED, row, labels=", ".join(row.label_names))

    @extend_schema(request=None, responses={202: ClassifierSerializer})
    @action(detail=True, methods=["post"])
    def reload(self, request: Request, slug: str) -> Response:
        """Have its files read again, after they could not be."""
        row = self.get_object()
        if row.state != Classifier.State.FAILED:
            raise Conflict(f"It is {row.state}: only what failed is read again.")
        register(row)
        return Response(self.represent(row), 202)

    @extend_schema(responses={200: JudgedSerializer(many=True)})
    @action(detail=True, pagination_class=None)
    def datasets(self, request: Request, slug: str) -> Response:
        """Those that it has predicted: how many texts of each, and how many rightly."""
        return Response(JudgedSerializer(dataset_rows(self.get_object()), many=True).data)

    def perform_destroy(self, instance: Classifier) -> None:
        try:
            delete_classifier(instance, self.user)
        except DeletingError as error:
            raise Conflict(str(error)) from error
