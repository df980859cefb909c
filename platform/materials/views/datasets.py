from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.access import editable_teams, get_editable, get_readable, may_edit, readable
from accounts.requests import ResearcherRequest
from materials import explaining
from materials.describing import classifier_rows, failures, running
from materials.models import Classifier, Dataset, Run
from materials.showing import with_map_counts

PAGE = 50


@login_required
@require_safe
def dataset_list(request: ResearcherRequest) -> HttpResponse:
    datasets = readable(Dataset.objects.all(), request.user).select_related("team").annotate(n=Count("texts"))
    return render(
        request,
        "materials/dataset_list.html",
        {"datasets": datasets, "may_add": editable_teams(request.user).exists()},
    )


@login_required
@require_safe
def dataset(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_readable(Dataset.objects.select_related("team"), request.user, slug=slug)
    label = request.GET.get("label", "")
    counts = dict(row.texts.values_list("label").annotate(n=Count("pk")).order_by("label"))
    total = sum(counts.values())
    texts = Paginator(row.texts.filter(label=label) if label else row.texts.all(), PAGE)
    texts.count = counts.get(label, 0) if label else total
    page = texts.get_page(request.GET.get("page"))
    return render(
        request,
        "materials/dataset.html",
        {
            "dataset": row,
            "labels": [(name, n, 100 * n / total) for name, n in counts.items()],
            "total": total,
            "label": label,
            "page": page,
            "texts": with_map_counts(page),
            "classifiers": classifier_rows(row, [name for name in counts if name], total),
            "runs": running(row),
            "failures": failures(row),
            "may_edit": may_edit(request.user, row.team),
        },
    )


@login_required
@require_POST
def evaluate(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(Dataset.objects.select_related("team"), request.user, slug=slug)
    ready = Classifier.objects.filter(state=Classifier.State.READY)
    classifier = get_readable(ready, request.user, slug=request.POST.get("classifier", ""))
    run = explaining.evaluate(row, classifier, request.user)
    if run.state == Run.State.DONE:
        messages.success(request, f"{classifier} has predicted all texts of {row} already.")
    return redirect(row)
