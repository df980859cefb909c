from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.access import editable_teams, get_editable, get_readable, may_edit, readable
from accounts.requests import ResearcherRequest
from materials import explaining
from materials.bringing import imports_of
from materials.browsing import TextFilters, browse, label_counts, languages_of, text_counts
from materials.describing import classifier_rows, failures, running
from materials.models import Classifier, Dataset, Run
from materials.removing import Kind, removals_of


@login_required
@require_safe
def dataset_list(request: ResearcherRequest) -> HttpResponse:
    datasets = readable(Dataset.objects.all(), request.user).select_related("team")
    counts = text_counts(datasets)
    context = {
        "datasets": [(one, counts.get(one.pk, 0)) for one in datasets],
        "imports": imports_of(request.user),
        "removals": removals_of(request.user, Kind.DATASET),
        "may_add": editable_teams(request.user).exists(),
    }
    return render(request, "materials/dataset_list.html", context)


@login_required
@require_safe
def dataset(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_readable(Dataset.objects.select_related("team"), request.user, slug=slug)
    counts = label_counts(row)
    total = sum(counts.values())
    classifiers = classifier_rows(row, [name for name in counts if name], total)
    predicting = {one.classifier: one.predicted >= total for one in classifiers if one.predicted}
    form = TextFilters(request.GET, list(counts), languages_of(row), predicting)
    context = {
        "dataset": row,
        "labels": [(name, n, 100 * n / total) for name, n in counts.items()],
        "total": total,
        "form": form,
        "classifiers": classifiers,
        "runs": running(row),
        "failures": failures(row),
        "may_edit": may_edit(request.user, row.team),
    }
    return render(request, "materials/dataset.html", context | browse(row, form, counts, request.GET.get("page")))


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
