"""Recruitment and participants for programs. What tells of workers is for owners and editors alone."""

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_supervised
from accounts.api.problems import Conflict
from accounts.auditing import Act, record
from campaigns.api import CampaignRows
from campaigns.models import Campaign
from judging import inviting
from judging.api_serializers import (
    ClassCodeSerializer,
    CountSerializer,
    EarningSerializer,
    ExcludeSerializer,
    ParticipantSerializer,
    RecruitmentSerializer,
    SettlementSerializer,
    TicketsSerializer,
    UsesSerializer,
    WorkerInvitationSerializer,
)
from judging.excluding import exclude, readmit
from judging.models import Participation
from judging.paying import earnings
from judging.recruiting_showing import invitation_link, needed, with_query
from judging.settling import KINDS, settlement
from recruitment import PROVIDERS

INVITATION = OpenApiParameter(
    "invitation", {"type": "integer", "minimum": 1, "maximum": 10**9 - 1}, OpenApiParameter.PATH
)
CODE = OpenApiParameter("code", {"type": "string", "pattern": "^[A-Za-z0-9]{1,20}$"}, OpenApiParameter.PATH)
KIND = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=KINDS)
NUMBER = OpenApiParameter("number", {"type": "integer", "minimum": 1, "maximum": 2**31}, OpenApiParameter.PATH)


class SupervisedRows(CampaignRows):
    """Parts of a campaign that tell of its workers."""

    read_scope, write_scope = "workers:read", "workers:write"

    def supervised(self) -> Campaign:
        """Not locked: workers must not wait for it."""
        row: Campaign = get_supervised(self.rows(), self.user, slug=self.kwargs["slug"])
        return row

    def worker_link(self, row: Campaign) -> str:
        return self.request.build_absolute_uri(reverse("worker_arrival", args=[row.slug]))


class RecruitmentViewSet(SupervisedRows):
    read_scope, write_scope = "campaigns:read", "campaigns:write"

    @extend_schema(responses=RecruitmentSerializer)
    @action(detail=True)
    def recruitment(self, request: Request, slug: str) -> Response:
        """The link to hand out, and how many more workers are needed."""
        row = self.supervised()
        told = {"provider": row.recruitment, "entry": PROVIDERS[row.recruitment].entry}
        told |= {"link": with_query(row, self.worker_link(row)), **needed(row)._asdict()}
        return Response(RecruitmentSerializer(told).data)

    @extend_schema(responses=ClassCodeSerializer(many=True))
    @action(detail=True)
    def codes(self, request: Request, slug: str) -> Response:
        """Class codes, and how many have come by each."""
        rows = self.supervised().class_codes.all()
        return self.get_paginated_response(ClassCodeSerializer(self.paginate_queryset(rows), many=True).data)

    @extend_schema(request=UsesSerializer, responses={201: ClassCodeSerializer})
    @codes.mapping.post
    def add_code(self, request: Request, slug: str) -> Response:
        """A class code, for so many people."""
        row, asked = self.supervised(), UsesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        made = inviting.add_code(row, asked.validated_data["uses"])
        record(self.user, row.team, Act.TICKETS_MADE, row, uses=made.uses)
        return Response(ClassCodeSerializer(made).data, 201)

    @extend_schema(parameters=[CODE], responses={204: None})
    @action(detail=True, methods=["delete"], url_path="codes/(?P<code>[A-Za-z0-9]{1,20})", url_name="revoke-code")
    def revoke_code(self, request: Request, slug: str, code: str) -> Response:
        """It lets nobody new in. Who came by it goes on."""
        row = self.supervised()
        if not row.class_codes.filter(code=code).exists():
            raise NotFound("There is no such code.")
        if not inviting.revoke_code(row, code):
            raise Conflict("The code is taken back already.")
        record(self.user, row.team, Act.RECRUITED, row, revoked=code)
        return Response(status=204)


class InvitationViewSet(SupervisedRows):
    read_scope, write_scope = "campaigns:read", "campaigns:write"
    secretive = ("invite",)

    @extend_schema(responses=WorkerInvitationSerializer(many=True))
    @action(detail=True)
    def invitations(self, request: Request, slug: str) -> Response:
        """Without their links, which nobody can be told again."""
        rows = self.supervised().invitations.select_related("participation")
        return self.get_paginated_response(WorkerInvitationSerializer(self.paginate_queryset(rows), many=True).data)

    @extend_schema(request=CountSerializer, responses={201: TicketsSerializer})
    @invitations.mapping.post
    def invite(self, request: Request, slug: str) -> Response:
        """New ones, with the links that this answer alone tells."""
        row, asked = self.supervised(), CountSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        made = inviting.invite(row, asked.validated_data["count"])
        record(self.user, row.team, Act.TICKETS_MADE, row, count=len(made))
        told = [{"number": number, "link": invitation_link(self.worker_link(row), ticket)} for number, ticket in made]
        return Response(TicketsSerializer({"invitations": told}).data, 201)

    @extend_schema(parameters=[INVITATION], responses={204: None})
    @action(detail=True, methods=["delete"], url_path=r"invitations/(?P<invitation>[1-9][0-9]{0,8})", url_name="revoke")
    def revoke(self, request: Request, slug: str, invitation: str) -> Response:
        """Take one back that nobody has come by."""
        row = self.supervised()
        if not row.invitations.filter(number=invitation).exists():
            raise NotFound("There is no such invitation.")
        if not inviting.revoke(row, int(invitation)):
            raise Conflict(f"Invitation {invitation} is in use or taken back already.")
        record(self.user, row.team, Act.RECRUITED, row, revoked=invitation)
        return Response(status=204)


class ParticipantViewSet(SupervisedRows):
    newest_first = True

    @extend_schema(
        parameters=[OpenApiParameter("state", enum=Participation.State.values)],
        responses=ParticipantSerializer(many=True),
    )
    @action(detail=True)
    def participants(self, request: Request, slug: str) -> Response:
        """Who came, the newest first; who they are is known to nobody."""
        wanted = request.query_params.get("state")
        if wanted is not None and wanted not in Participation.State.values:
            raise ValidationError({"state": f"Expected one of {', '.join(Participation.State.values)}."})
        rows = self.supervised().participations.filter(**({"state": wanted} if wanted else {}))
        return self.get_paginated_response(ParticipantSerializer(self.paginate_queryset(rows), many=True).data)

    @extend_schema(parameters=[NUMBER], responses=ParticipantSerializer)
    @action(detail=True, url_path=r"participants/(?P<number>[1-9][0-9]{0,17})", url_name="participant")
    def participant(self, request: Request, slug: str, number: str) -> Response:
        return Response(ParticipantSerializer(self._one(self.supervised(), number)).data)

    @extend_schema(parameters=[NUMBER], request=ExcludeSerializer, responses=ParticipantSerializer)
    @action(detail=True, methods=["post"], url_path=r"participants/(?P<number>[1-9][0-9]{0,17})/exclude")
    def exclude(self, request: Request, slug: str, number: str) -> Response:
        """From now on nothing of this worker counts, and others are asked for it."""
        row, asked = self.supervised(), ExcludeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        one = self._one(row, number)
        if one.erased_at:
            raise Conflict("All that could be excluded was erased at the worker's wish.")
        if exclude(one, asked.validated_data["reason"], self.user):
            record(self.user, row.team, Act.EXCLUDED, row, worker=f"w{one.number}", reason=one.exclusion_reason)
        return Response(ParticipantSerializer(one).data)

    @extend_schema(parameters=[NUMBER], request=None, responses=ParticipantSerializer)
    @action(detail=True, methods=["post"], url_path=r"participants/(?P<number>[1-9][0-9]{0,17})/readmit")
    def readmit(self, request: Request, slug: str, number: str) -> Response:
        """Counts again, except where others have answered meanwhile."""
        row = self.supervised()
        one = self._one(row, number)
        if readmit(one):
            record(self.user, row.team, Act.READMITTED, row, worker=f"w{one.number}")
        return Response(ParticipantSerializer(one).data)

    @extend_schema(responses=EarningSerializer(many=True))
    @action(detail=True, pagination_class=None)
    def pay(self, request: Request, slug: str) -> Response:
        """Of everybody who completed: time, pay, and what is lacking to the minimum."""
        row = self.supervised()
        record(self.user, row.team, Act.PAY_FILE, row)
        return Response(EarningSerializer(earnings(row), many=True).data)

    @extend_schema(parameters=[KIND], responses=SettlementSerializer)
    @action(detail=True, url_path=f"settlement/(?P<kind>{'|'.join(KINDS)})", url_name="settlement")
    def settlement(self, request: Request, slug: str, kind: str) -> Response:
        """Whom the recruiter is to approve, to look at again, or to pay more, by the recruiter's own references."""
        row = self.supervised()
        columns, *rows = settlement(row, kind)
        record(self.user, row.team, Act.PAY_FILE, row, kind=kind)
        return Response(SettlementSerializer({"columns": columns, "rows": rows}).data)

    def _one(self, campaign: Campaign, number: str) -> Participation:
        row = campaign.participations.filter(pk=number).first()
        if row is None:
            raise NotFound("There is no such participant.")
        return row
