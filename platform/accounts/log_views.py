from datetime import datetime, time
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.timezone import make_aware
from django.views.decorators.http import require_safe

from accounts.access import get_owned
from accounts.models import AuditEntry, Team
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
        entries = _narrowed(entries, form.cleaned_data)
    page = Paginator(entries.select_related("actor"), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"team": team, "form": form, "page": page}
    return render(request, "accounts/log.html", context, status=400 if form.errors else 200)


def _narrowed(entries: QuerySet[AuditEntry], wanted: dict[str, Any]) -> QuerySet[AuditEntry]:
    if wanted["person"]:
        entries = entries.filter(actor_name=wanted["person"])
    if wanted["act"]:
        entries = entries.filter(act=wanted["act"])
    if wanted["q"]:
        entries = entries.filter(subject_name__icontains=wanted["q"])
    if wanted["since"]:
        entries = entries.filter(at__gte=make_aware(datetime.combine(wanted["since"], time.min)))
    if wanted["until"]:
        entries = entries.filter(at__lte=make_aware(datetime.combine(wanted["until"], time.max)))
    return entries
