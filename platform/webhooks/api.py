"""Webhooks for programs."""

from typing import Any

from django.core.exceptions import ValidationError as WrongValue
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import editable_teams, get_editable
from accounts.api.fields import StrictSerializer
from accounts.api.problems import Conflict, Unprocessable
from accounts.api.views import ResourceViewSet, team_for
from webhooks import announcing, delivering, registering
from webhooks.events import EVENTS
from webhooks.models import Attempt, Delivery, Endpoint
from webhooks.registering import WebhookError, check_url
from webhooks.signing import secret_of

NUMBER = {"type": "integer", "minimum": 1, "maximum": 2**31}
NO_ID = OpenApiParameter("id", location=OpenApiParameter.PATH, exclude=True)


class EventsField(serializers.ListField):
    child = serializers.ChoiceField(choices=list(EVENTS))


class EndpointSerializer(StrictSerializer, serializers.ModelSerializer[Endpoint]):
    url = serializers.CharField(max_length=500)
    events = EventsField(min_length=1, max_length=len(EVENTS))

    class Meta:
        model = Endpoint
        fields: tuple[str, ...] = (
            "id", "team", "url", "events", "active", "failing_since", "switched_off_at", "created_at",
        )  # fmt: skip
        read_only_fields: tuple[str, ...] = ("team", "failing_since", "switched_off_at")


class NewEndpointSerializer(StrictSerializer):
    team = serializers.IntegerField(min_value=1, max_value=2**31, required=False, help_text="If you edit in several")
    url = serializers.CharField(max_length=500)
    events = EventsField(min_length=1, max_length=len(EVENTS))


class SecretSerializer(EndpointSerializer):
    secret = serializers.SerializerMethodField(help_text="Told this once")

    class Meta(EndpointSerializer.Meta):
        fields = (*EndpointSerializer.Meta.fields, "secret")

    def get_secret(self, row: Endpoint) -> str:
        return secret_of(row)


class AttemptSerializer(serializers.ModelSerializer[Attempt]):
    class Meta:
        model = Attempt
        fields = ("number", "at", "status", "milliseconds", "response", "error")
        read_only_fields = fields


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    attempts = AttemptSerializer(many=True)

    class Meta:
        model = Delivery
        fields = ("id", "key", "event", "body", "state", "tries", "due_at", "created_at", "attempts")
        read_only_fields = fields


@extend_schema(parameters=[OpenApiParameter("id", NUMBER, OpenApiParameter.PATH)])
class WebhookViewSet(ResourceViewSet):
    """Seen and changed by owners and editors."""

    model = Endpoint
    serializer_class = EndpointSerializer
    read_scope, write_scope = "webhooks:read", "webhooks:write"
    lookup_field, lookup_value_regex = "id", "[1-9][0-9]{0,9}"
    access = dict.fromkeys(("retrieve", "deliveries"), get_editable)
    secretive = ("create", "secret")

    def rows(self) -> QuerySet[Endpoint]:
        return Endpoint.objects.select_related("team")

    @extend_schema(parameters=[NO_ID], filters=True)
    def list(self, request: Request) -> Response:
        rows = self.rows().filter(team__in=editable_teams(self.user))
        return self.get_paginated_response(self.serializer_class(self.paginate_queryset(rows), many=True).data)

    def retrieve(self, request: Request, id: str) -> Response:
        return Response(self.represent(self.get_object()))

    @extend_schema(parameters=[NO_ID], request=NewEndpointSerializer, responses={201: SecretSerializer})
    def create(self, request: Request) -> Response:
        """With the secret that signs its messages, which this answer alone tells."""
        asked = NewEndpointSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        _check(said["url"])
        try:
            made = registering.add(team_for(self.user, said.get("team")), said["url"], said["events"], self.user)
        except WebhookError as error:
            raise Conflict(str(error)) from error
        return Response(SecretSerializer(made).data, 201, headers={"Location": f"/api/v1/webhooks/{made.pk}/"})

    @extend_schema(responses=EndpointSerializer)
    def partial_update(self, request: Request, id: str) -> Response:
        row = self.get_object()
        asked = EndpointSerializer(row, data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        for name, value in asked.validated_data.items():
            setattr(row, name, value)
        _check(row.url)
        registering.change(row, self.user)
        return Response(self.represent(row))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, id: str) -> Response:
        """With its log."""
        registering.remove(self.get_object(), self.user)
        return Response(status=204)

    @extend_schema(request=None, responses=SecretSerializer)
    @action(detail=True, methods=["post"])
    def secret(self, request: Request, id: str) -> Response:
        """A new one; the old one signs nothing more."""
        row = self.get_object()
        registering.renew_secret(row, self.user)
        return Response(SecretSerializer(row).data)

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def ping(self, request: Request, id: str) -> Response:
        """Whether it answers: look at the deliveries in a moment."""
        return Response(DeliverySerializer(announcing.ping(self.get_object())).data, 202)

    @extend_schema(responses=DeliverySerializer(many=True))
    @action(detail=True)
    def deliveries(self, request: Request, id: str) -> Response:
        """The newest first, each with all its attempts."""
        self.newest_first = True
        rows = self.get_object().deliveries.prefetch_related("attempts")
        return self.get_paginated_response(DeliverySerializer(self.paginate_queryset(rows), many=True).data)

    @extend_schema(
        parameters=[OpenApiParameter("number", NUMBER, OpenApiParameter.PATH)],
        request=None, responses={202: DeliverySerializer},
    )  # fmt: skip
    @action(detail=True, methods=["post"], url_path=r"deliveries/(?P<number>[1-9][0-9]{0,17})/redeliver")
    def redeliver(self, request: Request, id: str, number: str) -> Response:
        """Once more, at once; the receiver knows it by its key."""
        delivery = get_object_or_404(self.get_object().deliveries, pk=number)
        delivering.redeliver(delivery)
        return Response(DeliverySerializer(delivery).data, 202)


def _check(url: Any) -> None:
    try:
        check_url(url)
    except WrongValue as error:
        raise Unprocessable(error.messages[0], "/url") from error
