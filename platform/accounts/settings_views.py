from typing import Any

from allauth.account.views import PasswordResetDoneView, PasswordResetView
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.browsers import browser_of
from accounts.requests import ResearcherRequest
from accounts.team_forms import ProfileForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: ResearcherRequest) -> HttpResponse:
    form = ProfileForm(request.POST if request.method == "POST" else None, instance=request.user)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, "Kept.")
        return redirect("account_settings")
    return render(request, "accounts/profile.html", {"form": form}, status=422 if form.errors else 200)


class SessionsView(ListUserSessionsView):  # type: ignore[misc]
    template_name = "accounts/sessions.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """This session is in its own list, however it began."""
        UserSession.objects.create_from_request(self.request)
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"rows": [(session, browser_of(session.user_agent)) for session in context["sessions"]]}


class ForgottenView(PasswordResetView):  # type: ignore[misc]
    template_name = "accounts/forgotten.html"
    extra_context = {"mails": lambda: bool(settings.EMAIL_HOST)}


class SentView(PasswordResetDoneView):  # type: ignore[misc]
    template_name = "accounts/reset_sent.html"
    extra_context = {"mails": lambda: bool(settings.EMAIL_HOST)}
