"""Saliency maps made elsewhere, in a file that was uploaded, for the texts of a dataset."""

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.fields import StrictSerializer
from accounts.api.problems import Unfit, Unprocessable
from accounts.api.views import ResourceViewSet
from accounts.models import User
from materials.api.asking import SLUG, ready_classifier
from materials.api.uploads import TOKEN, RejectionSerializer, named_upload
from materials.errors import FileError
from materials.maps.checking import LONGEST_SOURCE, LONGEST_TITLE
from materials.maps.importing import MapsError, MapsOutcome
from materials.maps.uploading import import_file
from materials.models import Classifier, Dataset


class NewMapsSerializer(StrictSerializer):
    upload = serializers.RegexField(f"^{TOKEN}$", help_text="Of a file of maps, JSONL or Parquet, that is here whole")
    classifier = serializers.RegexField(SLUG, required=False, help_text="That they explain; left out, as each row says")
    method = serializers.CharField(
        max_length=LONGEST_TITLE, default="", allow_blank=True, help_text="Its name; left out, as each row says"
    )
    source = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_SOURCE, default="", allow_blank=True, help_text="Where they come from, in free words"
    )
    unsigned = serializers.BooleanField(default=False, help_text="Scores say how much, not for or against")
    rest_zero = serializers.BooleanField(default=False, help_text="Words that are not mentioned have the score 0")
    accept_rest = serializers.BooleanField(default=False, help_text="Import the good rows where others are rejected")


class MapsOutcomeSerializer(serializers.Serializer[Any]):
    taken = serializers.IntegerField()
    known = serializers.IntegerField(help_text="Were there already, bit for bit")
    rejected = serializers.IntegerField()
    methods = serializers.ListField(child=serializers.CharField(), help_text="As explanations and campaigns call them")
    first = RejectionSerializer(many=True, help_text="Of the rejected rows")


class TakesMaps(ResourceViewSet):
    """Mixed into the view of datasets."""

    @extend_schema(
        request=NewMapsSerializer, responses={201: MapsOutcomeSerializer},
        examples=[OpenApiExample("One method", request_only=True, value={
            "upload": "pD0wq0oTgEzWc2Lk1mXv3A", "classifier": "imdb", "method": "ours", "rest_zero": True,
        })],
    )  # fmt: skip
    @action(detail=True, methods=["post"])
    def maps(self, request: Request, slug: str) -> Response:
        """Import them at once; the upload goes. Nothing is imported where rows are rejected, unless `accept_rest`."""
        dataset = self.get_object()
        asked = NewMapsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        upload = named_upload(self.user, given["upload"])
        given["classifier"] = _classifier(self.user, dataset, given["classifier"]) if "classifier" in given else None
        try:
            outcome = import_file(dataset, upload.path, given)
        except (FileError, MapsError) as error:
            raise Unprocessable(str(error), "/upload") from error
        if not outcome.written:
            raise Unfit({"upload": _complaints(outcome)})
        transaction.on_commit(upload.discard)
        return Response(MapsOutcomeSerializer(outcome).data, 201)


def _classifier(user: User, dataset: Dataset, slug: str) -> Classifier:
    found = ready_classifier(user, slug)
    if found.team_id != dataset.team_id:
        raise Unprocessable(f"{slug} belongs to another team than the dataset.", "/classifier")
    return found


def _complaints(outcome: MapsOutcome) -> list[str]:
    return list(map(str, outcome.first))
