"""What a campaign has on Prolific, for programs: its study, its submissions, its bonuses.

Messages to people and money cannot be taken back: such acts are not repeated where only their answer got lost.
"""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Conflict, Unfit
from accounts.auditing import Act, record
from campaigns.models import Campaign
from judging import recruiting
from judging.api import SupervisedRows
from judging.models import BonusPayment, ProlificStudy, ProlificSubmission
from judging.recruiting_forms import MOST_PLACES, BonusesForm
from recruitment.prolific_api import ProlificError

PAYMENT = OpenApiParameter(
    "payment", {"type": "integer", "minimum": 1, "maximum": 10**9 - 1}, OpenApiParameter.PATH
)  # fmt: skip
AMOUNT = r"^[0-9]{1,4}(\.[0-9]{1,2})?$"


class StudySerializer(serializers.ModelSerializer[ProlificStudy]):
    class Meta:
        model = ProlificStudy
        fields = ("study_id", "status", "places", "taken", "read_at", "linked_at")
        read_only_fields = fields


class StudyIdSerializer(StrictSerializer):
    study = serializers.RegexField("^[0-9a-zA-Z]{6,64}$", help_text="Its id on Prolific")


class StudyDraftSerializer(StrictSerializer):
    name = TextField(max_length=120, help_text="What people read before they come")
    description = TextField(max_length=4000)
    places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES)


class PlacesSerializer(StrictSerializer):
    more = serializers.IntegerField(min_value=1, max_value=MOST_PLACES, help_text="Besides those there are")


class SubmissionSerializer(serializers.ModelSerializer[ProlificSubmission]):
    class Meta:
        model = ProlificSubmission
        fields = ("submission_id", "status", "status_at", "return_requested")
        read_only_fields = fields


class DoneSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField()


class TallySerializer(DoneSerializer):
    left = serializers.IntegerField(help_text="For the next request: so many at once would take too long")


class OwedSerializer(serializers.Serializer[Any]):
    owed = serializers.DictField(
        child=serializers.DecimalField(max_digits=10, decimal_places=2),
        help_text="What is lacking to the minimum pay, by submission",
    )


class AmountsSerializer(StrictSerializer):
    amounts = serializers.DictField(
        child=serializers.RegexField(AMOUNT), help_text='By submission, such as "1.50", in the study\'s currency'
    )


class PaymentSerializer(serializers.ModelSerializer[BonusPayment]):
    amounts = serializers.DictField(child=serializers.CharField(), help_text="By submission")

    class Meta:
        model = BonusPayment
        fields = ("id", "reference", "amounts", "total_cents", "state", "created_at", "sent_at")
        read_only_fields = fields


class ProlificRows(SupervisedRows):
    def ask(self, do: Callable[[], Any]) -> Any:
        try:
            return do()
        except ProlificStudy.DoesNotExist as error:
            raise Conflict("Link the study on Prolific first.") from error
        except ProlificError as error:
            raise Conflict(str(error)) from error

    def said(self, kind: type[StrictSerializer]) -> Any:
        asked = kind(data=self.request.data)
        asked.is_valid(raise_exception=True)
        return asked.validated_data


class StudyViewSet(ProlificRows):
    read_scope, write_scope = "campaigns:read", "campaigns:write"
    lasting = ("draft_study", "add_places")

    @extend_schema(responses=StudySerializer)
    @action(detail=True)
    def study(self, request: Request, slug: str) -> Response:
        """The study that is linked, as Prolific last told."""
        found = ProlificStudy.objects.filter(campaign=self.supervised()).first()
        if found is None:
            raise NotFound("No study on Prolific is linked.")
        return Response(StudySerializer(found).data)

    @extend_schema(request=StudyIdSerializer, responses={201: StudySerializer})
    @study.mapping.post
    def link_study(self, request: Request, slug: str) -> Response:
        """One that is there already."""
        row, said = self.supervised(), self.said(StudyIdSerializer)
        self.ask(lambda: recruiting.link_study(row, said["study"]))
        return self._told(row, 201, "The study is linked.")

    @extend_schema(request=StudyDraftSerializer, responses={201: StudySerializer})
    @action(detail=True, methods=["post"], url_path="study/draft", url_name="study-draft")
    def draft_study(self, request: Request, slug: str) -> Response:
        """A new one, as a draft: whom it is for is chosen on Prolific, and there it is published."""
        row, said = self.supervised(), self.said(StudyDraftSerializer)
        told = said["name"], said["description"], self.worker_link(row), said["places"]
        self.ask(lambda: recruiting.draft_study(row, *told))
        return self._told(row, 201, "The draft is on Prolific.")

    @extend_schema(request=PlacesSerializer, responses=StudySerializer)
    @action(detail=True, methods=["post"], url_path="study/places", url_name="study-places")
    def add_places(self, request: Request, slug: str) -> Response:
        """For more people. Two such requests add twice."""
        row, said = self.supervised(), self.said(PlacesSerializer)
        self.ask(lambda: recruiting.add_places(row, said["more"]))
        return self._told(row, 200, f"{said['more']} places added on Prolific.")

    def _told(self, row: Campaign, status: int, done: str) -> Response:
        record(self.user, row.team, Act.RECRUITED, row, done=done)
        return Response(StudySerializer(ProlificStudy.objects.get(campaign=row)).data, status)


class ProlificViewSet(ProlificRows):
    lasting = ("request_returns",)

    @extend_schema(responses=SubmissionSerializer(many=True))
    @action(detail=True)
    def submissions(self, request: Request, slug: str) -> Response:
        """As Prolific last told."""
        rows = self.supervised().prolific_submissions.all()
        return self.get_paginated_response(SubmissionSerializer(self.paginate_queryset(rows), many=True).data)

    @extend_schema(request=None, responses=DoneSerializer)
    @action(detail=True, methods=["post"], url_path="submissions/read", url_name="submissions-read")
    def read_submissions(self, request: Request, slug: str) -> Response:
        """Ask Prolific how the study and its submissions are now. Answers how many there are."""
        row = self.supervised()
        done = self.ask(lambda: recruiting.read(row).done)
        record(self.user, row.team, Act.RECRUITED, row, done=f"Read from Prolific: {done}")
        return Response({"done": done})

    @extend_schema(request=None, responses=TallySerializer)
    @action(detail=True, methods=["post"], url_path="submissions/returns", url_name="submissions-returns")
    def request_returns(self, request: Request, slug: str) -> Response:
        """Ask those who were sent away here to give their submission back, each once."""
        row = self.supervised()
        tally = self.ask(lambda: recruiting.request_returns(row))
        record(self.user, row.team, Act.RECRUITED, row, done=f"{tally.done} asked to return the submission")
        return Response({"done": tally.done, "left": tally.left})

    @extend_schema(request=None, responses=DoneSerializer)
    @action(detail=True, methods=["post"], url_path="participants/approve")
    def approve(self, request: Request, slug: str) -> Response:
        """On Prolific, everybody who completed and is not excluded."""
        row = self.supervised()
        done = self.ask(lambda: recruiting.approve_completed(row).done)
        record(self.user, row.team, Act.APPROVED, row, workers=done)
        return Response({"done": done})


class BonusViewSet(ProlificRows):
    lasting = ("set_up", "pay_bonuses")

    @extend_schema(responses=PaymentSerializer(many=True))
    @action(detail=True)
    def bonuses(self, request: Request, slug: str) -> Response:
        """Those set up from here, and whether they are paid."""
        rows = self.supervised().bonus_payments.all()
        return self.get_paginated_response(PaymentSerializer(self.paginate_queryset(rows), many=True).data)

    @extend_schema(responses=OwedSerializer)
    @action(detail=True, url_path="bonuses/owed", url_name="bonuses-owed")
    def owed(self, request: Request, slug: str) -> Response:
        """What to set up, without those who have a bonus from here already."""
        return Response(OwedSerializer({"owed": recruiting.owed(self.supervised())}).data)

    @extend_schema(request=AmountsSerializer, responses={201: PaymentSerializer})
    @bonuses.mapping.post
    def set_up(self, request: Request, slug: str) -> Response:
        """On Prolific, not paid yet: look at the sum, then pay."""
        row, amounts = self.supervised(), self.said(AmountsSerializer)["amounts"]
        form = BonusesForm({"amounts": "\n".join(f"{name},{amount}" for name, amount in amounts.items())})
        if not form.is_valid() or form.cleaned_data["amounts"].keys() != amounts.keys():
            raise Unfit({"amounts": [*form.errors.get("amounts", [])] or ["Expected submissions' ids."]})
        made = self.ask(lambda: recruiting.set_up_bonuses(row, form.cleaned_data["amounts"]))
        record(self.user, row.team, Act.RECRUITED, row, done=f"Bonuses of {len(amounts)} set up")
        return Response(PaymentSerializer(made).data, 201)

    @extend_schema(parameters=[PAYMENT], request=None, responses=PaymentSerializer)
    @action(detail=True, methods=["post"], url_path=r"bonuses/(?P<payment>[1-9][0-9]{0,8})/pay", url_name="bonuses-pay")
    def pay_bonuses(self, request: Request, slug: str, payment: str) -> Response:
        """At most once, however often it is asked for; a 409 says why it was not, or that nobody knows."""
        row = self.supervised()
        found = row.bonus_payments.select_related("campaign").filter(pk=payment).first()
        if found is None:
            raise NotFound("There is no such payment.")
        self.ask(lambda: recruiting.pay_bonuses(found))
        record(self.user, row.team, Act.PAID, row, workers=len(found.amounts), total=found.total)
        found.refresh_from_db()
        return Response(PaymentSerializer(found).data)
