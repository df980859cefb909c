"""A user name and a password for a token."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import authenticate
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsing import BoundedJSONParser
from accounts.api.scopes import SCOPES
from accounts.api.throttling import PasswordLimit
from accounts.api.tokens import DEFAULT_DAYS, MOST_DAYS, make_token
from accounts.api.views import ApiView
from accounts.models import User


class CredentialsSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, style={"input_type": "password"})
    name = serializers.CharField(max_length=80, default="From a password", help_text="To tell tokens apart")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(list(SCOPES)), default=list(SCOPES), min_length=1, help_text="Left out, all"
    )
    days = serializers.IntegerField(
        min_value=1, max_value=MOST_DAYS, default=DEFAULT_DAYS, help_text="Until it expires"
    )


class NewTokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="The secret, which is shown this once")
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField()


class TokenView(ApiView):
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [PasswordLimit]
    parser_classes = [BoundedJSONParser, FormParser, MultiPartParser]
    action, secretive = "sign_in", ("sign_in",)

    @extend_schema(
        operation_id="token_create",
        tags=["token"],
        request=CredentialsSerializer,
        responses={200: NewTokenSerializer},
        examples=[OpenApiExample("For reading", request_only=True, value={
            "username": "alice", "password": "correct horse battery staple", "scopes": ["materials:read"], "days": 30,
        })],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Trade a user name and a password for a token."""
        asked = CredentialsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        user = authenticate(request._request, username=given["username"], password=given["password"])
        if not isinstance(user, User):
            raise ValidationError("No account has this user name and password.", code="authorization")
        if is_mfa_enabled(user):
            raise ValidationError("This account has a second step: its settings make tokens.", code="second_step")
        token, secret = make_token(user, given["name"], given["scopes"], given["days"])
        return Response({"token": secret, "scopes": token.scopes, "expires_at": token.expires_at})
