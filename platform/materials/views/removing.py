"""What is being deleted: how far it is, and another try where it stopped."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import get_owned, get_readable, may_own
from accounts.requests import ResearcherRequest
from materials.models import Removal
from materials.removing import try_again

REMOVALS = Removal.objects.select_related("team")


@login_required
@require_safe
def removal(request: ResearcherRequest, number: int) -> HttpResponse:
    row = get_readable(REMOVALS.all(), request.user, pk=number)
    if request.htmx and not row.under_way:
        return HttpResponseClientRefresh()
    context = {"removal": row, "may_own": may_own(request.user, row.team)}
    return render(request, f"materials/removal{'_progress' if request.htmx else ''}.html", context)


@login_required
@require_POST
def removal_retry(request: ResearcherRequest, number: int) -> HttpResponse:
    row = get_owned(REMOVALS.all(), request.user, pk=number)
    try_again(row)
    return redirect(row)
