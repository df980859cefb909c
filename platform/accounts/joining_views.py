"""How invited people come in. The token leaves the address at once: addresses are logged, kept and passed on."""

from allauth.account.models import EmailAddress
from allauth.account.utils import perform_login
from allauth.decorators import rate_limit
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from accounts.hosting import hosted
from accounts.inviting import OVER, accept, find
from accounts.joining import TeamError
from accounts.models import Invitation, Team, User
from accounts.team_forms import JoinForm

KEPT = "invitation"


@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    if find(token) is None:
        return render(request, "accounts/invitation_over.html", {"problem": OVER}, status=404)
    request.session[KEPT] = token
    return redirect("join")


@never_cache
@hosted
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator]
def join(request: HttpRequest) -> HttpResponse:
    token = request.session.get(KEPT, "")
    found = find(token)
    if found is None:
        return render(request, "accounts/invitation_over.html", {"problem": OVER}, status=404)
    form = JoinForm(found, request.POST if request.method == "POST" and request.user.is_anonymous else None)
    if request.method != "POST" or not (request.user.is_authenticated or form.is_valid()):
        return _page(request, found, form)
    try:
        team, user = _joined(token, found, request, form)
    except TeamError as error:
        return render(request, "accounts/invitation_over.html", {"problem": str(error)}, status=409)
    del request.session[KEPT]
    messages.success(request, f"You are now in {team}.")
    if request.user.is_authenticated:
        return redirect("team", team.pk)
    response: HttpResponse = perform_login(request, user, redirect_url=reverse("team", args=[team.pk]))
    return response


def _page(request: HttpRequest, found: Invitation, form: JoinForm) -> HttpResponse:
    context = {"invitation": found, "form": form, "sign_in": f"{reverse('login')}?next={reverse('join')}"}
    return render(request, "accounts/invitation.html", context, status=422 if form.errors else 200)


def _joined(token: str, found: Invitation, request: HttpRequest, form: JoinForm) -> tuple[Team, User]:
    """An account is made only where the invitation still holds; a second click waits for the first."""
    with transaction.atomic():
        Invitation.objects.select_for_update().get(pk=found.pk)
        if find(token) is None:
            raise TeamError(OVER)
        user = request.user if isinstance(request.user, User) else _new_user(found, form)
        team = accept(token, user).team
        User.objects.filter(pk=user.pk).update(current_team=team)
    return team, user


def _new_user(found: Invitation, form: JoinForm) -> User:
    said = form.cleaned_data
    email = found.email or said["email"].lower()
    user = User.objects.create_user(said["username"], email, said["password"])
    # Who follows a link that was sent to an address has that address.
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=bool(found.email))
    return user
