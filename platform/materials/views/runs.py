from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import may_edit, readable
from accounts.requests import ResearcherRequest
from materials import explaining
from materials.models import Dataset, Run

ACTIONS = {"cancel": explaining.cancel, "resume": explaining.resume}


def _run(request: ResearcherRequest, pk: int) -> Run:
    mine = Run.objects.filter(dataset__in=readable(Dataset.objects.all(), request.user))
    return get_object_or_404(mine.select_related("dataset__team", "classifier"), pk=pk)


@login_required
@require_safe
def run_progress(request: ResearcherRequest, pk: int) -> HttpResponse:
    """Asked again and again by the page; once the run has ended the page is loaded anew."""
    run = _run(request, pk)
    if run.state != Run.State.RUNNING and request.htmx:
        return HttpResponseClientRefresh()
    context = {"run": run, "progress": explaining.progress(run), "may_edit": may_edit(request.user, run.dataset.team)}
    return render(request, "materials/run.html", context)


@login_required
@require_POST
def run_action(request: ResearcherRequest, pk: int, action: str) -> HttpResponse:
    run = _run(request, pk)
    if not may_edit(request.user, run.dataset.team):
        raise PermissionDenied("You can look at this, but not change it. Ask an owner of the team.")
    ACTIONS[action](run)
    if run.kind == Run.Kind.EXPLAIN:
        return redirect(f"{reverse('classifier_passport', args=[run.classifier.slug])}?dataset={run.dataset.slug}")
    return redirect(run.dataset)
