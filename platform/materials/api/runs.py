"""Computations that somebody asks for: predictions, or explanations with their metric scores."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_editable, may_edit, readable
from accounts.api.fields import StrictSerializer
from accounts.api.problems import Conflict, Unprocessable
from accounts.api.views import ResourceViewSet
from accounts.auditing import Act, record
from accounts.models import User
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from catalogue.parameters import complete_params
from materials import explaining
from materials.api.asking import SLUG, filter_by, filtering, named_dataset, ready_classifier
from materials.failing import NothingFailed, failures_of, retry
from materials.models import Classifier, Dataset, Failure, Run, Text
from materials.passport.starting import sample


class RunProgressSerializer(serializers.Serializer[explaining.Progress]):
    """In texts."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    seconds_left = serializers.FloatField(allow_null=True)


class MethodAskedSerializer(serializers.Serializer[Any]):
    method = serializers.CharField()
    params = serializers.DictField()


class MetricAskedSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField()
    params = serializers.DictField()


class RunSerializer(serializers.ModelSerializer[Run]):
    dataset = serializers.SlugRelatedField[Dataset](slug_field="slug", read_only=True)
    classifier = serializers.SlugRelatedField[Classifier](slug_field="slug", read_only=True)
    methods = MethodAskedSerializer(many=True)
    metrics = MetricAskedSerializer(many=True)

    class Meta:
        model = Run
        fields = ["id", "dataset", "classifier", "kind", "state", "methods", "metrics", "created_at", "finished_at"]


class FollowedRunSerializer(RunSerializer):
    progress = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "progress"]

    @extend_schema_field(RunProgressSerializer)
    def get_progress(self, run: Run) -> Any:
        return RunProgressSerializer(explaining.progress(run)).data


class NewRunSerializer(StrictSerializer):
    dataset = serializers.RegexField(SLUG, help_text="Its slug")
    classifier = serializers.RegexField(SLUG, help_text="Its slug; it has to be ready")
    kind = serializers.ChoiceField(Run.Kind.choices)
    methods = serializers.DictField(
        child=serializers.DictField(), default=dict,
        help_text="Of an explaining run: names of methods, with the parameters that differ from the catalogue's",
    )  # fmt: skip
    metrics = serializers.DictField(child=serializers.DictField(), default=dict, help_text="The same of metrics")
    texts = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="How many, balanced over labels; left out, all"
    )


class FailureSerializer(serializers.ModelSerializer[Failure]):
    text = serializers.CharField(source="text.key", help_text="The text's key")
    method = serializers.CharField(help_text="Empty where the text failed for every method")

    class Meta:
        model = Failure
        fields = ["id", "text", "method", "reason"]


class RunViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    model = Run
    serializer_class = FollowedRunSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    lookup_field, lookup_value_regex = "pk", "[0-9]{1,18}"
    newest_first = True

    def rows(self) -> QuerySet[Run]:
        return Run.objects.select_related("dataset__team", "classifier")

    def get_queryset(self) -> QuerySet[Run]:
        return self.rows().filter(dataset__in=readable(Dataset.objects.all(), self.request.user))

    def find(self, rows: QuerySet[Run]) -> Run:
        """A run is its dataset's team's."""
        mine = rows.filter(dataset__in=readable(Dataset.objects.all(), self.request.user))
        run = get_object_or_404(mine, pk=self.kwargs["pk"])
        if not self.reads and not may_edit(self.request.user, run.dataset.team):
            raise PermissionDenied("You can look at this, but not change it. Ask an owner of the team.")
        return run

    @extend_schema(
        responses={200: RunSerializer(many=True)},
        parameters=[
            *filtering(dataset="Slug of a dataset", classifier="Slug of a classifier", state="State of the run"),
            OpenApiParameter("kind", enum=Run.Kind.values),
        ],
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        lookups = {"dataset": "dataset__slug", "classifier": "classifier__slug", "state": "state", "kind": "kind"}
        if request.query_params.get("kind", "") not in ("", *Run.Kind.values):
            raise ValidationError({"kind": f"Expected one of {', '.join(Run.Kind.values)}."})
        rows = filter_by(self.get_queryset(), request, **lookups)
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(RunSerializer(page, many=True).data)

    @extend_schema(
        request=NewRunSerializer,
        responses={202: FollowedRunSerializer},
        examples=[
            OpenApiExample("Explain", request_only=True, value={
                "dataset": "reviews", "classifier": "imdb", "kind": "explain", "texts": 100,
                "methods": {"integrated_gradients": {}, "random": {"seed": 1}}, "metrics": {"comprehensiveness": {}},
            })
        ],
    )  # fmt: skip
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Start a computation. Worker processes do it: ask for its progress. Nothing is computed a second time."""
        asked = NewRunSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        dataset = named_dataset(self.user, given["dataset"])
        get_editable(Dataset.objects.select_related("team"), self.user, pk=dataset.pk)
        run = _start(dataset, ready_classifier(self.user, given["classifier"]), given, self.user)
        return self.made(run, 202)

    @extend_schema(responses={200: FailureSerializer(many=True)})
    @action(detail=True, newest_first=False)
    def failures(self, request: Request, pk: str) -> Response:
        """Texts that could not be computed and still are not, with the reasons."""
        page = self.paginate_queryset(failures_of(self.get_object()))
        return self.get_paginated_response(FailureSerializer(page, many=True).data)

    @extend_schema(request=None, responses={200: FollowedRunSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Stop it; what is computed stays."""
        run = self.get_object()
        explaining.cancel(run)
        record(self.user, run.dataset.team, Act.CANCELLED, run)
        return Response(self.represent(run))

    @extend_schema(request=None, responses={202: FollowedRunSerializer})
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, pk: str) -> Response:
        """Go on with what was cancelled."""
        run = self.get_object()
        if run.state == Run.State.DONE:
            raise Conflict("It is done.")
        explaining.resume(run)
        record(self.user, run.dataset.team, Act.RESUMED, run)
        return Response(self.represent(run), 202)

    @extend_schema(request=None, responses={202: FollowedRunSerializer})
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        """Start a run over the texts that still fail, by the same methods and metrics."""
        try:
            again = retry(self.get_object(), self.user)
        except NothingFailed as error:
            raise Conflict("All that failed has been made since then.") from error
        fresh = self.rows().get(pk=again.pk)
        return Response(self.represent(fresh), 202, headers={"Location": f"/api/v1/runs/{fresh.pk}/"})


def _start(dataset: Dataset, classifier: Classifier, given: Mapping[str, Any], user: User) -> Run:
    if classifier.team_id != dataset.team_id:
        raise Unprocessable("Dataset and classifier belong to different teams.", "/classifier")
    if given["kind"] == Run.Kind.PREDICT:
        return explaining.evaluate(dataset, classifier, user)
    if not given["methods"]:
        raise Unprocessable("Name at least one method.", "/methods")
    _check("methods", given["methods"], METHODS, classifier)
    _check("metrics", given["metrics"], METRICS, classifier)
    texts = dataset.texts.all()
    if "texts" in given:
        texts = Text.objects.filter(pk__in=sample(dataset, classifier, given["texts"]))
    run = explaining.explain(texts, dataset, classifier, given["methods"], given["metrics"], user)
    record(user, dataset.team, Act.EXPLAINED, dataset, classifier=classifier, methods=", ".join(given["methods"]))
    return run


def _check(kind: str, asked: Mapping[str, Any], known: Mapping[str, Any], classifier: Classifier) -> None:
    for name, params in asked.items():
        if name not in known:
            raise Unprocessable(f"There is no such thing as {name!r}: see the catalogue.", f"/{kind}")
        if classifier.kind not in known[name].classifier_kinds:
            raise Unprocessable(f"{name} does not serve classifiers of kind {classifier.kind}.", f"/{kind}/{name}")
        try:
            complete_params(name, known[name].parameters, params)
        except ValueError as error:
            raise Unprocessable(str(error), f"/{kind}/{name}") from error
