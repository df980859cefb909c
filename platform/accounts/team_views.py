from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.mail import send_mail
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import inviting, leaving
from accounts.access import get_owned, get_readable, may_own, readable
from accounts.joining import TeamError, current_team
from accounts.models import Invitation, Team
from accounts.requests import ResearcherRequest
from accounts.team_forms import ROLES, InvitationForm, RoleForm, TeamForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def team_list(request: ResearcherRequest) -> HttpResponse:
    form = TeamForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        return redirect("team", leaving.found(request.user, form.cleaned_data["name"]).pk)
    memberships = request.user.memberships.select_related("team").annotate(n=Count("team__memberships"))
    context = {"memberships": memberships.order_by("team__name"), "form": form, "current": current_team(request.user)}
    return render(request, "accounts/teams.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def team(request: ResearcherRequest, pk: int) -> HttpResponse:
    return _page(request, get_readable(Team.objects.all(), request.user, pk=pk))


def _page(request: ResearcherRequest, row: Team, status: int = 200, **more: Any) -> HttpResponse:
    owner = may_own(request.user, row)
    context = {
        "team": row,
        "memberships": row.memberships.select_related("user").order_by("user__username"),
        "may_own": owner,
        "current": current_team(request.user) == row,
        "roles": [(role, role.label, words) for role, words in ROLES.items()],
    }
    if owner:
        context |= {
            "invitations": inviting.open_invitations(row).select_related("invited_by").order_by("-pk"),
            "invitation_form": InvitationForm(),
            "team_form": TeamForm(instance=row),
            "days": inviting.DAYS_OPEN,
        }
    return render(request, "accounts/team.html", context | more, status=status)


@login_required
@require_POST
def choose(request: ResearcherRequest, pk: int) -> HttpResponse:
    request.user.current_team = get_object_or_404(readable(Team.objects.all(), request.user), pk=pk)
    request.user.save(update_fields=["current_team"])
    messages.success(request, f"What you make now is proposed to belong to {request.user.current_team}.")
    return redirect("team_list")


@login_required
@require_POST
def team_rename(request: ResearcherRequest, pk: int) -> HttpResponse:
    row = get_owned(Team.objects.all(), request.user, pk=pk)
    form = TeamForm(request.POST)
    if not form.is_valid():
        return _page(request, row, status=422, team_form=form)
    leaving.rename(row, form.cleaned_data["name"], request.user)
    return redirect("team", pk)


@never_cache
@login_required
@require_POST
def team_invite(request: ResearcherRequest, pk: int) -> HttpResponse:
    """The link stands on the page that answers, and nowhere else afterwards."""
    row = get_owned(Team.objects.all(), request.user, pk=pk)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, row, status=422, invitation_form=form)
    try:
        made, token = inviting.invite(row, request.user, form.cleaned_data["role"], form.cleaned_data["email"])
    except TeamError as error:
        form.add_error("email", str(error))
        return _page(request, row, status=422, invitation_form=form)
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    _send(made, link)
    return _page(request, row, made=made, link=link, sent=made.email and settings.EMAIL_HOST)


def _send(made: Invitation, link: str) -> None:
    if made.email:
        text = render_to_string(
            "accounts/email/invitation.txt", {"invitation": made, "link": link, "days": inviting.DAYS_OPEN}
        )
        send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}Join {made.team}", text, None, [made.email])


@login_required
@require_POST
def withdraw(request: ResearcherRequest, pk: int, number: int) -> HttpResponse:
    row = get_owned(Team.objects.all(), request.user, pk=pk)
    invitation = get_object_or_404(row.invitations.select_related("team"), pk=number)
    if inviting.withdraw(invitation, request.user):
        messages.success(request, f"The invitation of {invitation} lets nobody in any more.")
    else:
        messages.error(request, f"The invitation of {invitation} was used or over before.")
    return redirect("team", pk)


@login_required
@require_POST
def member_role(request: ResearcherRequest, pk: int, number: int) -> HttpResponse:
    row = get_owned(Team.objects.all(), request.user, pk=pk)
    membership = get_object_or_404(row.memberships, pk=number)
    form = RoleForm(request.POST)
    if form.is_valid():
        _try(request, lambda: leaving.change_role(membership, form.cleaned_data["role"], request.user))
    return redirect("team", pk)


@login_required
@require_POST
def member_remove(request: ResearcherRequest, pk: int, number: int) -> HttpResponse:
    row = get_owned(Team.objects.all(), request.user, pk=pk)
    membership = get_object_or_404(row.memberships.exclude(user=request.user).select_related("user"), pk=number)
    if _try(request, lambda: leaving.remove(membership, request.user)):
        messages.success(request, f"{membership.user} is no longer in {row}.")
    return redirect("team", pk)


@login_required
@require_POST
def leave(request: ResearcherRequest, pk: int) -> HttpResponse:
    row = get_readable(Team.objects.all(), request.user, pk=pk)
    if _try(request, lambda: leaving.remove(row.memberships.get(user=request.user), request.user)):
        messages.success(request, f"You have left {row}.")
        return redirect("team_list")
    return redirect("team", pk)


def _try(request: ResearcherRequest, act: Callable[[], None]) -> bool:
    try:
        act()
    except TeamError as error:
        messages.error(request, str(error))
        return False
    return True
