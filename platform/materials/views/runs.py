from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import may_edit, readable
from accounts.requests import ResearcherRequest
from materials import explaining
from materials.failing import NothingFailed, failures_of, retry
from materials.filters import RunFilters
from materials.models import Dataset, Run
from materials.running import made_by, rows_of

RUNS_ON_A_PAGE, FAILURES_ON_A_PAGE = 25, 50
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
    return render(request, "materials/run.html", context | {"stay": "stay" in request.GET})


@login_required
@require_POST
def run_action(request: ResearcherRequest, pk: int, action: str) -> HttpResponse:
    run = _editable(request, pk)
    ACTIONS[action](run)
    if "stay" in request.POST:
        return redirect("explanation_run", run.pk)
    if run.kind == Run.Kind.EXPLAIN:
        return redirect(f"{reverse('classifier_passport', args=[run.classifier.slug])}?dataset={run.dataset.slug}")
    return redirect(run.dataset)


@login_required
@require_safe
def explanation_list(request: ResearcherRequest) -> HttpResponse:
    """What was predicted and explained, when, at what cost, and what failed."""
    form = RunFilters(request.user, request.GET)
    runs = form.narrow(Run.objects.filter(dataset__in=readable(Dataset.objects.all(), request.user)))
    page = Paginator(runs.order_by("-pk"), RUNS_ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "materials/explanation_list.html", {"form": form, "page": page, "rows": rows_of(page)})


@login_required
@require_safe
def explanation_run(request: ResearcherRequest, pk: int) -> HttpResponse:
    run = _run(request, pk)
    page = Paginator(failures_of(run), FAILURES_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"run": run, "progress": explaining.progress(run), "may_edit": may_edit(request.user, run.dataset.team)}
    return render(
        request, "materials/explanation_run.html", context | {"page": page, "made": made_by(run), "stay": True}
    )


@login_required
@require_POST
def run_retry(request: ResearcherRequest, pk: int) -> HttpResponse:
    """The texts that failed, once more."""
    run = _editable(request, pk)
    try:
        again = retry(run, request.user)
    except NothingFailed:
        messages.info(request, "All that failed has been made since then.")
        return redirect("explanation_run", run.pk)
    messages.success(request, "The texts that failed are tried again: this is the new run.")
    return redirect("explanation_run", again.pk)


def _editable(request: ResearcherRequest, pk: int) -> Run:
    run = _run(request, pk)
    if not may_edit(request.user, run.dataset.team):
        raise PermissionDenied("You can look at this, but not change it. Ask an owner of the team.")
    return run
