from typing import Any

from django.db.models import Model, QuerySet
from rest_framework import serializers, viewsets
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.throttling import ScopedRateThrottle

from accounts.access import readable


class TokenView(ObtainAuthToken):
    """Trades a user name and password for an API token."""

    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "token"


class TeamOwnedViewSet(viewsets.ReadOnlyModelViewSet[Any]):
    """Rows of the caller's teams, found by slug. Everything else is 404."""

    model: type[Model]
    serializer_class: type[serializers.BaseSerializer[Any]]
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Any]:
        rows: QuerySet[Any] = self.model._default_manager.all()
        return readable(rows, self.request.user)
