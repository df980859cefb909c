"""allauth's forms in our words: labels instead of placeholders, hints only where they help."""

from typing import Any

from allauth.account import forms as account_forms
from allauth.account.models import EmailAddress
from allauth.mfa.base import forms as code_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.db import transaction
from django.http import HttpRequest

from accounts.changing import note_change, note_reset
from accounts.models import User

LONG_ENOUGH = "At least 8 characters. A sentence of your own is easier to keep and harder to guess than a word."


class _Plain:
    labels: dict[str, str] = {}
    hints: dict[str, str] = {}
    attributes: dict[str, dict[str, str]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.hints.get(name, "")
            field.widget.attrs |= self.attributes.get(name, {})


class SignInForm(_Plain, account_forms.LoginForm):  # type: ignore[misc]
    labels = {"login": "Username or e-mail address", "password": "Password"}
    attributes = {"login": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}}

    def add_prefix(self, field_name: str) -> str:
        """The form's names are Django's, which password managers and scripts know."""
        return str(super().add_prefix("username" if field_name == "login" else field_name))


class ResetForm(_Plain, account_forms.ResetPasswordForm):  # type: ignore[misc]
    labels = {"email": "E-mail address"}


class NewPasswordForm(_Plain, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    labels = {"password1": "New password", "password2": "New password, once more"}
    hints = {"password1": LONG_ENOUGH}

    def save(self) -> None:
        with transaction.atomic():
            super().save()
            note_reset(self.user)


class _Changing:
    user: User

    def save(self) -> None:
        with transaction.atomic():
            super().save()  # type: ignore[misc]
            note_change(self.user)


class ChangePasswordForm(_Plain, _Changing, account_forms.ChangePasswordForm):  # type: ignore[misc]
    labels = NewPasswordForm.labels | {"oldpassword": "Current password"}
    hints = NewPasswordForm.hints


class FirstPasswordForm(_Plain, _Changing, account_forms.SetPasswordForm):  # type: ignore[misc]
    labels = NewPasswordForm.labels
    hints = NewPasswordForm.hints


class ConfirmIdentityForm(_Plain, account_forms.ReauthenticateForm):  # type: ignore[misc]
    labels = {"password": "Your password"}


class EmailForm(_Plain, account_forms.AddEmailForm):  # type: ignore[misc]
    labels = {"email": "New e-mail address"}

    def save(self, request: HttpRequest) -> EmailAddress:
        """The old address stays, confirmed or not, until the new one is confirmed."""
        own = EmailAddress.objects.filter(user=self.user)
        own.filter(verified=False).exclude(email__iexact=self.user.email).delete()
        address, _ = own.get_or_create(user=self.user, email=self.cleaned_data["email"])
        address.send_confirmation(request)
        return address


_CODE = {"code": {"inputmode": "numeric", "autocomplete": "one-time-code", "spellcheck": "false"}}


class CodeForm(_Plain, code_forms.AuthenticateForm):  # type: ignore[misc]
    labels = {"code": "Code"}
    hints = {"code": "Six digits from your authenticator, or one of your recovery codes."}
    attributes = _CODE


class ConfirmByCodeForm(_Plain, code_forms.ReauthenticateForm):  # type: ignore[misc]
    labels = CodeForm.labels
    hints = CodeForm.hints
    attributes = _CODE


class TurnOnForm(_Plain, ActivateTOTPForm):  # type: ignore[misc]
    labels = {"code": "Code that it shows"}
    attributes = _CODE
