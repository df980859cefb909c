"""Any judgment as it was seen and answered, for programs."""

from typing import Any

from rest_framework import serializers

from campaigns.models import Campaign
from judging.models import Judgment
from reports.replaying import arrangement, seen, told

# Of whoever judged, which analysts are not told.
OF_THE_WORKER = (
    "worker", "simulated", "received_at", "seconds", "active_seconds", "away_seconds", "position", "language", "screen",
    "before", "after",
)  # fmt: skip


class DetailSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.CharField()


class ScreenSerializer(serializers.Serializer[Any]):
    width = serializers.IntegerField(help_text="Pixels")
    height = serializers.IntegerField()
    scheme = serializers.ChoiceField(choices=["light", "dark"])
    told = serializers.BooleanField(help_text="By the browser; otherwise the usual size stands here")


class ReplaySerializer(serializers.Serializer[Any]):
    """Null for analysts is what tells of the worker."""

    id = serializers.IntegerField()
    text = serializers.CharField(help_text="The text's key")
    arm = serializers.CharField()
    role = serializers.CharField(help_text="item, practice, example or gold")
    content = serializers.JSONField(help_text="What was on screen; null where it was judged elsewhere")
    presentation = serializers.JSONField(help_text="Sides and order as this worker saw them")
    step = serializers.IntegerField(help_text="How far the worker had uncovered it")
    protocol = serializers.CharField()
    version = serializers.IntegerField(help_text="Of the protocol, when the record was made")
    expected = serializers.CharField(allow_blank=True)
    answer = serializers.CharField(help_text="In words")
    details = DetailSerializer(many=True, help_text="What else was answered")
    given = serializers.JSONField(help_text="The whole answer, as it is stored")
    score = serializers.FloatField(allow_null=True)
    counts = serializers.BooleanField()
    late = serializers.BooleanField()
    worker = serializers.CharField(allow_null=True, help_text="Pseudonym")
    simulated = serializers.BooleanField(allow_null=True)
    position = serializers.IntegerField(allow_null=True, help_text="Which of the worker's items")
    received_at = serializers.DateTimeField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    active_seconds = serializers.FloatField(allow_null=True)
    away_seconds = serializers.FloatField(allow_null=True)
    language = serializers.CharField(allow_null=True)
    screen = ScreenSerializer(allow_null=True)
    before = serializers.IntegerField(allow_null=True, help_text="The worker's judgment before it")
    after = serializers.IntegerField(allow_null=True)


def replay(campaign: Campaign, judgment: Judgment, supervised: bool) -> Any:
    found, assignment = told(campaign, judgment), judgment.assignment
    stimulus, elsewhere = assignment.stimulus, campaign.imported is not None
    row = found | {
        "id": judgment.pk,
        "text": found["text"].key,
        "role": stimulus.role,
        "content": None if elsewhere else seen(campaign, judgment)["content"],
        "presentation": None if elsewhere else arrangement(campaign, judgment),
        "step": assignment.step,
        "protocol": campaign.protocol,
        "version": stimulus.version,
        "expected": stimulus.expected,
        "details": [{"name": name, "value": value} for name, value in found["details"]],
        "given": judgment.answer,
        "late": judgment.late,
        "worker": f"w{assignment.participation.number}",
        "position": judgment.position,
        "received_at": judgment.received_at,
        "screen": None if elsewhere else found["screen"]._asdict(),
    }
    return ReplaySerializer(row if supervised else row | dict.fromkeys(OF_THE_WORKER)).data
