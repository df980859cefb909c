"""What a comparison takes and costs, for programs: by the page's own form and figures."""

from collections.abc import Iterator
from typing import Any

from django import forms
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.problems import Unfit
from accounts.api.schema import may_answer
from accounts.api.views import ApiView
from materials.api.asking import SLUG
from protocols import PROTOCOLS
from reports.planning_forms import PlanForm
from reports.planning_pages import in_words, plan_of

# What the schema says of a parameter, by the codes of Django's fields.
BY_SCHEMA = {"required", "invalid", "min_value", "max_value"}


class PlannedDesignSerializer(serializers.Serializer[Any]):
    texts = serializers.IntegerField()
    judgments = serializers.IntegerField(help_text="Of a text under a condition")
    methods = serializers.IntegerField()
    ks = serializers.IntegerField(help_text="Numbers of words shown")
    conditions = serializers.IntegerField()
    stimuli = serializers.IntegerField()
    judgments_in_all = serializers.IntegerField()
    load = serializers.IntegerField(help_text="Most items of a worker")
    items = serializers.IntegerField(help_text="Of a worker")
    allocation = serializers.CharField()
    workers = serializers.IntegerField()
    minutes = serializers.FloatField(help_text="Of a worker")
    pay = serializers.FloatField(help_text="In all, before fees")
    hourly = serializers.FloatField()
    power = serializers.FloatField(allow_null=True)
    power_of_all = serializers.FloatField(allow_null=True)
    power_error = serializers.FloatField(allow_null=True)
    interval_width = serializers.FloatField()
    false_positives = serializers.FloatField(allow_null=True)
    false_positives_error = serializers.FloatField(allow_null=True)
    simulated = serializers.IntegerField(help_text="Studies")
    status = serializers.CharField()


class PlanAssumptionsSerializer(serializers.Serializer[Any]):
    base = serializers.FloatField()
    effect = serializers.FloatField()
    text = serializers.FloatField()
    text_method = serializers.FloatField()
    worker = serializers.FloatField()
    rest = serializers.FloatField()
    votes = serializers.IntegerField()
    steps = serializers.IntegerField()
    scale = serializers.ListField(child=serializers.IntegerField())
    spread = serializers.FloatField()
    ties = serializers.FloatField()
    seconds = serializers.FloatField()
    between = serializers.BooleanField()
    words = serializers.IntegerField()
    marked = serializers.FloatField()
    source = serializers.CharField()  # type: ignore[assignment]


class WantedSerializer(serializers.Serializer[Any]):
    power = serializers.FloatField(allow_null=True)
    width = serializers.FloatField(allow_null=True)


class PlanSerializer(serializers.Serializer[Any]):
    protocol = serializers.CharField()
    assumptions = PlanAssumptionsSerializer()
    test = serializers.CharField(allow_null=True)
    correction = serializers.CharField(allow_null=True)
    alpha = serializers.FloatField()
    wanted = WantedSerializer()
    seed = serializers.IntegerField()
    design = PlannedDesignSerializer(help_text="The cheapest that does what is wanted")
    designs = PlannedDesignSerializer(many=True)
    grid = PlannedDesignSerializer(many=True, help_text="Other numbers of texts and judgments")
    answer = serializers.CharField(help_text="In one sentence")
    warnings = serializers.ListField(child=serializers.CharField())
    notes = serializers.ListField(child=serializers.CharField())


def _parameters() -> Iterator[OpenApiParameter]:
    for name, field in PlanForm.base_fields.items():
        required, said = field.required, str(field.label)
        yield OpenApiParameter(name, _schema_of(field), required=required, description=said)


def _schema_of(field: forms.Field) -> dict[str, Any]:
    if isinstance(field, forms.FloatField | forms.IntegerField):
        kind = "number" if isinstance(field, forms.FloatField) else "integer"
        return {"type": kind, "minimum": field.min_value, "maximum": field.max_value}
    if isinstance(field, forms.ModelChoiceField):
        return {"type": "string", "pattern": SLUG}
    return {"type": "string", "enum": list(PROTOCOLS)}


class PlanView(ApiView):
    read_scope = "reports:read"

    @extend_schema(
        operation_id="plan_retrieve", parameters=list(_parameters()), responses={200: PlanSerializer, **may_answer(422)}
    )
    def get(self, request: Request) -> Response:
        """How many texts, judgments and workers a comparison needs, and what it costs. What is left out stands as the
        protocol, or the pilot, has it; docs/planning.md tells the rest."""
        form = PlanForm(self.user, request.query_params)
        _check(form)
        found = plan_of(form.asked())
        return Response(found | in_words(found, form.known))


def _check(form: PlanForm) -> None:
    """400 for what is not as the schema says, 422 for what cannot be planned."""
    known = PlanForm.base_fields
    if empty := [name for name, value in form.data.items() if name in known and not value]:
        raise ValidationError({empty[0]: "Expected a value: leave it out, or say one."})
    valid = form.is_valid()
    for name, errors in form.errors.as_data().items():
        if name == "protocol" or {one.code for one in errors} & BY_SCHEMA:
            raise ValidationError({name: [str(message) for message in form.errors[name]]})
    if unasked := [name for name in form.data if name in known and name not in form.fields]:
        raise Unfit({unasked[0]: "This protocol has no use for it."})
    if not valid:
        raise Unfit({_named(name): list(map(str, errors)) for name, errors in form.errors.items()})


def _named(field: str) -> str:
    return "non_field_errors" if field == "__all__" else field
