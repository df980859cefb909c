from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import get_owned
from accounts.log_narrowing import narrowed
from accounts.models import Team
from accounts.requests import ResearcherRequest
from accounts.team_forms import LogForm

ON_A_PAGE = 50


@login_required
@require_safe
def team_log(request: ResearcherRequest, pk: int) -> HttpResponse:
    team = get_owned(Team.objects.all(), request.user, pk=pk)
    entries = team.audit_entries.order_by("-pk")
    people = entries.order_by("actor_name").values_list("actor_name", flat=True).distinct()
    acts = entries.order_by("act").values_list("act", flat=True).distinct()
    form = LogForm([name for name in people if name], list(acts), request.GET or None)
    if form.is_bound and form.is_valid():
        entries = narrowed(entries, **form.cleaned_data)
    page = Paginator(entries.select_related("actor"), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"team": team, "form": form, "page": page}
    return render(request, "accounts/log.html", context, status=400 if form.errors else 200)
