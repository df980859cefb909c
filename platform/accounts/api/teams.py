"""Teams, their members, and invitations to them."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import get_owned, get_readable
from accounts.acts import Act
from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Conflict
from accounts.api.views import ResourceViewSet
from accounts.inviting import invite, open_invitations, withdraw
from accounts.joining import TeamError
from accounts.leaving import change_role, found, remove, rename
from accounts.log_narrowing import narrowed
from accounts.models import AuditEntry, Invitation, Membership, Team

USER = OpenApiParameter("user", int, OpenApiParameter.PATH, description="The member's number")
# Not for all members.
OWNERS_READ = ("invitations", "log")
INVITATION = OpenApiParameter("invitation", int, OpenApiParameter.PATH, description="The invitation's number")


class TeamSerializer(serializers.ModelSerializer[Team]):
    class Meta:
        model = Team
        fields = ["id", "name"]


class NewTeamSerializer(StrictSerializer):
    name = TextField(max_length=120)


class MemberSerializer(serializers.ModelSerializer[Membership]):
    user = serializers.IntegerField(source="user_id")
    username = serializers.CharField(source="user.username")

    class Meta:
        model = Membership
        fields = ["user", "username", "role"]


class RoleSerializer(StrictSerializer):
    role = serializers.ChoiceField(Membership.Role.choices)


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    class Meta:
        model = Invitation
        fields = ["id", "role", "email", "created_at", "expires_at"]


class NewInvitationSerializer(RoleSerializer):
    email = serializers.EmailField(max_length=254, default="", allow_blank=True, help_text="Of the one who may come")


class MadeInvitationSerializer(InvitationSerializer):
    token = serializers.CharField(help_text="Lets one person in; shown this once")

    class Meta(InvitationSerializer.Meta):
        fields = [*InvitationSerializer.Meta.fields, "token"]


class AuditEntrySerializer(serializers.ModelSerializer[AuditEntry]):
    person = serializers.CharField(source="actor_name", help_text="Empty where a command or a task did it")
    subject = serializers.CharField(source="subject_name", help_text="Its name at the time")
    subject_kind = serializers.CharField(help_text="Such as dataset; empty where it is none of ours")
    detail = serializers.DictField(help_text="Strings, numbers, true or false, by what they are of")

    class Meta:
        model = AuditEntry
        fields = ["id", "at", "person", "act", "subject_kind", "subject", "detail"]


class LogQuerySerializer(serializers.Serializer[Any]):
    person = serializers.CharField(required=False, max_length=150, help_text="User name")
    act = serializers.ChoiceField(Act.values, required=False)
    q = serializers.CharField(required=False, max_length=100, help_text="In the name of what it was done to")
    since = serializers.DateField(required=False, help_text="The first day")
    until = serializers.DateField(required=False, help_text="The last day")


class TeamViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    """Members read; owners change who else is in."""

    model = Team
    serializer_class = TeamSerializer
    read_scope, write_scope = "teams:read", "teams:write"
    lookup_field, lookup_value_regex = "pk", "[0-9]{1,18}"
    secretive = ("invite",)

    def find(self, rows: QuerySet[Any]) -> Any:
        leaves = self.action == "remove_member" and self.kwargs["user"] == str(self.user.pk)
        owners_only = self.action in OWNERS_READ or not self.reads
        allowed = get_readable if leaves or not owners_only else get_owned
        return allowed(rows, self.user, pk=self.kwargs["pk"])

    @extend_schema(request=NewTeamSerializer, responses={201: TeamSerializer})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Found a team that you own."""
        return self.made(found(self.user, self._named(request)))

    @extend_schema(request=NewTeamSerializer, responses={200: TeamSerializer})
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give it another name."""
        team = self.get_object()
        if name := self._named(request, partial=True):
            rename(team, name, self.user)
        return Response(self.represent(team))

    def _named(self, request: Request, partial: bool = False) -> str:
        asked = NewTeamSerializer(data=request.data, partial=partial)
        asked.is_valid(raise_exception=True)
        return " ".join(asked.validated_data.get("name", "").split())

    @extend_schema(responses={200: MemberSerializer(many=True)})
    @action(detail=True)
    def members(self, request: Request, pk: str) -> Response:
        """Who is in, and as what."""
        page = self.paginate_queryset(self.get_object().memberships.select_related("user"))
        return self.get_paginated_response(MemberSerializer(page, many=True).data)

    @extend_schema(request=RoleSerializer, responses={200: MemberSerializer}, parameters=[USER])
    @action(detail=True, methods=["patch"], url_path="members/(?P<user>[0-9]{1,18})")
    def member(self, request: Request, pk: str, user: str) -> Response:
        """Give a member another role."""
        membership = self._membership(user)
        asked = RoleSerializer(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        try:
            change_role(membership, asked.validated_data.get("role", membership.role), self.user)
        except TeamError as error:
            raise Conflict(str(error)) from error
        membership.refresh_from_db()
        return Response(MemberSerializer(membership).data)

    @extend_schema(parameters=[USER])
    @member.mapping.delete
    def remove_member(self, request: Request, pk: str, user: str) -> Response:
        """Remove a member, or leave."""
        try:
            remove(self._membership(user), self.user)
        except TeamError as error:
            raise Conflict(str(error)) from error
        return Response(status=204)

    def _membership(self, user: str) -> Membership:
        members = self.get_object().memberships.select_related("user", "team")
        membership: Membership = get_object_or_404(members, user_id=int(user))
        return membership

    @extend_schema(responses={200: InvitationSerializer(many=True)})
    @action(detail=True)
    def invitations(self, request: Request, pk: str) -> Response:
        """Those that are open."""
        page = self.paginate_queryset(open_invitations(self.get_object()))
        return self.get_paginated_response(InvitationSerializer(page, many=True).data)

    @extend_schema(request=NewInvitationSerializer, responses={201: MadeInvitationSerializer})
    @invitations.mapping.post
    def invite(self, request: Request, pk: str) -> Response:
        """Invite somebody, who comes in by the token."""
        team = self.get_object()
        asked = NewInvitationSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            invitation, token = invite(team, self.user, **asked.validated_data)
        except TeamError as error:
            raise Conflict(str(error)) from error
        return Response(InvitationSerializer(invitation).data | {"token": token}, 201)

    @extend_schema(parameters=[INVITATION])
    @action(detail=True, methods=["delete"], url_path="invitations/(?P<invitation>[0-9]{1,18})")
    def invitation(self, request: Request, pk: str, invitation: str) -> Response:
        """Withdraw an invitation."""
        found = get_object_or_404(self.get_object().invitations.select_related("team"), pk=int(invitation))
        if not withdraw(found, self.user):
            raise Conflict("It is over already.")
        return Response(status=204)

    @extend_schema(parameters=[LogQuerySerializer], responses={200: AuditEntrySerializer(many=True)})
    @action(detail=True, newest_first=True)
    def log(self, request: Request, pk: str) -> Response:
        """Who did what, the newest first. Owners alone read it."""
        entries = self.get_object().audit_entries.all()
        asked = LogQuerySerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        page = self.paginate_queryset(narrowed(entries, **asked.validated_data))
        return self.get_paginated_response(AuditEntrySerializer(page, many=True).data)
