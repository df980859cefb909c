from collections.abc import Callable

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from django.contrib.auth.views import LogoutView
from django.http import HttpResponseBase
from django.urls import URLPattern, path, re_path
from django.views import View
from django.views.decorators.http import require_http_methods

from accounts import joining_views, log_views, settings_views, team_views, token_views
from accounts.hosting import hosted


def _page(view: type[View], template: str = "") -> Callable[..., HttpResponseBase]:
    """Looked at and sent, and nothing else: a form's class would take PUT too."""
    named = {"template_name": f"accounts/{template}"} if template else {}
    return hosted(require_http_methods(["GET", "HEAD", "POST"])(view.as_view(**named)))


SIGN_IN = _page(account.LoginView, "sign_in.html")
SIGN_OUT = LogoutView.as_view()

# What anybody may open: signing in, and coming back without a password. allauth looks its pages up by its own names.
_entrance: list[URLPattern] = [
    path("sign-in/", SIGN_IN, name="login"),
    path("sign-in/", SIGN_IN, name="account_login"),
    path("sign-out/", SIGN_OUT, name="logout"),
    path("sign-out/", SIGN_OUT, name="account_logout"),
    path("sign-in/code/", _page(mfa.AuthenticateView, "code.html"), name="mfa_authenticate"),
    path(
        "sign-in/inactive/",
        _page(account.AccountInactiveView, "inactive.html"),
        name="account_inactive",
    ),
    path("forgotten/", _page(settings_views.ForgottenView), name="account_reset_password"),
    path("forgotten/sent/", _page(settings_views.SentView), name="account_reset_password_done"),
    path(
        "forgotten/done/",
        _page(account.PasswordResetFromKeyDoneView, "reset_done.html"),
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^forgotten/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        _page(account.PasswordResetFromKeyView, "reset.html"),
        name="account_reset_password_from_key",
    ),
    re_path(
        r"^settings/email/(?P<key>[-:\w]+)/$",
        _page(account.ConfirmEmailView, "email_confirm.html"),
        name="account_confirm_email",
    ),
    path("invitations/<str:token>/", joining_views.invitation, name="invitation"),
    path("join/", joining_views.join, name="join"),
]

_own: list[URLPattern] = [
    path("settings/", settings_views.profile, name="account_settings"),
    path("settings/email/", _page(account.EmailView, "email.html"), name="account_email"),
    path(
        "settings/password/",
        _page(account.PasswordChangeView, "password.html"),
        name="account_change_password",
    ),
    path(
        "settings/password/first/",
        _page(account.PasswordSetView, "password.html"),
        name="account_set_password",
    ),
    path("settings/sessions/", _page(settings_views.SessionsView), name="usersessions_list"),
    path("settings/two-step/", _page(mfa.IndexView, "two_step.html"), name="mfa_index"),
    path(
        "settings/two-step/on/",
        _page(totp.ActivateTOTPView, "two_step_on.html"),
        name="mfa_activate_totp",
    ),
    path(
        "settings/two-step/off/",
        _page(totp.DeactivateTOTPView, "two_step_off.html"),
        name="mfa_deactivate_totp",
    ),
    path(
        "settings/two-step/codes/",
        _page(codes.ViewRecoveryCodesView, "recovery_codes.html"),
        name="mfa_view_recovery_codes",
    ),
    path(
        "settings/two-step/codes/new/",
        _page(codes.GenerateRecoveryCodesView, "recovery_codes_new.html"),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "settings/two-step/codes/codes.txt",
        _page(codes.DownloadRecoveryCodesView, "recovery_codes.txt"),
        name="mfa_download_recovery_codes",
    ),
    path("settings/tokens/", token_views.token_list, name="token_list"),
    path("settings/tokens/new/", token_views.token_new, name="token_new"),
    path("settings/tokens/<int:number>/revoke/", token_views.token_revoke, name="token_revoke"),
    path(
        "settings/confirm/",
        _page(account.ReauthenticateView, "confirm_identity.html"),
        name="account_reauthenticate",
    ),
    path(
        "settings/confirm/code/",
        _page(mfa.ReauthenticateView, "confirm_identity.html"),
        name="mfa_reauthenticate",
    ),
]

_teams: list[URLPattern] = [
    path("teams/", team_views.team_list, name="team_list"),
    path("teams/<int:pk>/", team_views.team, name="team"),
    path("teams/<int:pk>/choose/", team_views.choose, name="team_choose"),
    path("teams/<int:pk>/rename/", team_views.team_rename, name="team_rename"),
    path("teams/<int:pk>/invite/", team_views.team_invite, name="team_invite"),
    path("teams/<int:pk>/invitations/<int:number>/withdraw/", team_views.withdraw, name="team_invitation_withdraw"),
    path("teams/<int:pk>/members/<int:number>/role/", team_views.member_role, name="team_member_role"),
    path("teams/<int:pk>/members/<int:number>/remove/", team_views.member_remove, name="team_member_remove"),
    path("teams/<int:pk>/leave/", team_views.leave, name="team_leave"),
    path("teams/<int:pk>/log/", log_views.team_log, name="team_log"),
]

urlpatterns = _entrance + _own + _teams
