"""Datasets, classifiers and campaigns that are being deleted: they are in no other list any more."""

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_owned
from accounts.api.problems import Conflict
from accounts.api.views import ResourceViewSet
from materials.models import Removal
from materials.removing import try_again


class RemovalSerializer(serializers.ModelSerializer[Removal]):
    done = serializers.IntegerField(help_text="Rows")
    total = serializers.IntegerField(help_text="About so many there were")

    class Meta:
        model = Removal
        fields = ["id", "team", "kind", "name", "state", "done", "total", "error", "created_at", "finished_at"]


class RemovalViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    """Those that are done go after a month."""

    model = Removal
    serializer_class = RemovalSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    lookup_field, lookup_value_regex = "pk", "[0-9]{1,18}"
    newest_first = True
    access = {"retry": get_owned}

    @extend_schema(request=None, responses={202: RemovalSerializer})
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        """Go on with what stopped. Owners alone, as they alone delete."""
        row: Removal = self.get_object()
        if row.state != Removal.State.FAILED:
            raise Conflict("Only what failed is tried again.")
        try_again(row)
        row.refresh_from_db()
        return Response(self.represent(row), 202)
