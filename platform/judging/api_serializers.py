"""What programs send and get of recruitment and participants."""

from typing import Any

from rest_framework import serializers

from accounts.api.fields import StrictSerializer, TextField
from judging.inviting import MOST_AT_ONCE
from judging.models import ClassCode, Invitation, Participation
from judging.recruiting_forms import MOST_USES
from recruitment.linking import SIMULATED


class RecruitmentSerializer(serializers.Serializer[Any]):
    provider = serializers.CharField()
    entry = serializers.ChoiceField(choices=["anyone", "invitation", "code"])
    link = serializers.CharField(help_text="To hand out; what stands in braces or as … is the recruiter's to fill in")
    wanted = serializers.IntegerField(help_text="Judgments")
    filled = serializers.IntegerField()
    at_work = serializers.IntegerField(help_text="Judgments leased just now")
    open = serializers.IntegerField()
    workers = serializers.IntegerField(help_text="How many more the open judgments need")


class CountSerializer(StrictSerializer):
    count = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)


class TicketSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    link = serializers.CharField()


class TicketsSerializer(serializers.Serializer[Any]):
    invitations = TicketSerializer(many=True)


class WorkerInvitationSerializer(serializers.ModelSerializer[Invitation]):
    state = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = ("number", "state", "created_at", "revoked_at")
        read_only_fields = fields

    def get_state(self, row: Invitation) -> str:
        if row.participation:
            return row.participation.state
        return "revoked" if row.revoked_at else "unused"


class UsesSerializer(StrictSerializer):
    uses = serializers.IntegerField(min_value=1, max_value=MOST_USES)


class ClassCodeSerializer(serializers.ModelSerializer[ClassCode]):
    class Meta:
        model = ClassCode
        fields = ("code", "uses", "used", "created_at")
        read_only_fields = fields


class ParticipantSerializer(serializers.ModelSerializer[Participation]):
    number = serializers.IntegerField(source="pk", help_text="In addresses")
    worker = serializers.SerializerMethodField(help_text="As reports and exports call the worker")
    simulated = serializers.SerializerMethodField()

    class Meta:
        model = Participation
        fields = (
            "number", "worker", "state", "simulated", "language", "arm", "quota", "counted", "arrived_at",
            "consented_at", "started_at", "finished_at", "excluded_at", "exclusion_reason", "erased_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_worker(self, row: Participation) -> str:
        return f"w{row.number}"

    def get_simulated(self, row: Participation) -> bool:
        return SIMULATED in row.parameters


class ExcludeSerializer(StrictSerializer):
    reason = TextField(max_length=300, help_text="Stands in the report")


class EarningSerializer(serializers.Serializer[Any]):
    worker = serializers.SerializerMethodField()
    reference = serializers.CharField(help_text="The recruiter's own of the visit")
    seconds = serializers.FloatField()
    pay = serializers.DecimalField(max_digits=8, decimal_places=2)
    hourly = serializers.FloatField(allow_null=True)
    top_up = serializers.DecimalField(max_digits=10, decimal_places=2)

    def get_worker(self, row: Any) -> str:
        return f"w{row.participation}"


class SettlementSerializer(serializers.Serializer[Any]):
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))
