"""What allauth is told about this house: who may have an account, in which words, and how secrets are kept."""

import base64
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.encoding import force_bytes

from accounts.joining import ensure_team
from accounts.models import User

WRONG = "Please enter a correct username and password: in both, capitals and small letters differ."
TOO_MANY = "Too many sign-ins have failed. Wait five minutes, or have your password reset."


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": WRONG,
        "email_password_mismatch": WRONG,
        "too_many_login_attempts": TOO_MANY,
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your current password.",
        "duplicate_email": "This is your address already.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def post_login(self, request: HttpRequest, user: User, **said: Any) -> HttpResponse:
        ensure_team(user)
        response: HttpResponse = super().post_login(request, user, **said)
        return response

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account_settings")


class SecondStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of the second step are encrypted under a key of their own, made from SECRET_KEY."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "This is not the code. It changes every half minute: look again.",
    }

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """What was kept under a key that is gone becomes a secret that nobody knows, so that no code is right."""
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


def _cipher() -> MultiFernet:
    """The first key encrypts; older ones still decrypt."""
    return MultiFernet([Fernet(_derived(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _derived(key: str | bytes) -> bytes:
    made = HKDF(SHA256(), length=32, salt=None, info=b"peekaword second step").derive(force_bytes(key))
    return base64.urlsafe_b64encode(made)
