from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from accounts.access import get_editable, get_readable, may_edit
from accounts.requests import ResearcherRequest
from materials.explaining import progress
from materials.models import Classifier, Dataset, Run
from materials.passport.asking import ComputeForm
from materials.passport.starting import estimate, running, start
from reports import passport_showing as showing
from reports.passport_charts import drawn_measures
from reports.passporting import dataset_of, figures_of, of_method, passport_of


def _classifier(request: ResearcherRequest, slug: str) -> Classifier:
    return get_readable(Classifier.objects.select_related("team"), request.user, slug=slug)


def _dataset(classifier: Classifier, slug: str) -> Dataset:
    found = dataset_of(classifier, slug)
    if found is None:
        raise Http404("The classifier's team has no such dataset.")
    return found


@login_required
@require_safe
def passport(request: ResearcherRequest, slug: str) -> HttpResponse:
    """What every method is worth for the classifier on a dataset."""
    row = _classifier(request, slug)
    wanted = request.GET.get("dataset", "")
    dataset = _dataset(row, wanted) if wanted else dataset_of(row, "")
    if dataset is None:
        return render(request, "reports/passport_empty.html", {"classifier": row})
    return _page(request, row, dataset, ComputeForm(row, dataset))


def _page(request: ResearcherRequest, row: Classifier, dataset: Dataset, form: ComputeForm) -> HttpResponse:
    made = passport_of(row, dataset)
    found = made.passport
    context = {
        "classifier": row,
        "dataset": dataset,
        "datasets": Dataset.objects.filter(team=row.team).order_by("name"),
        "passport": found,
        "made_at": made.made_at,
        "is_drawn": bool(drawn_measures(found)),
        "findings": showing.findings(found),
        "columns": showing.columns(found),
        "lines": showing.overview(found),
        "panels": showing.panels(found),
        "matrix": showing.matrix(found),
        "matrix_reasons": showing.matrix_reasons(found),
        "runs": [(run, progress(run)) for run in running(dataset, row)],
        "form": form,
        "may_edit": may_edit(request.user, row.team),
        "is_ready": row.state == Classifier.State.READY,
    }
    return render(request, "reports/passport.html", context)


@login_required
@require_safe
def passport_figure(request: ResearcherRequest, slug: str) -> HttpResponse:
    """A part of the page, which follows when it is drawn; else the figure as a file."""
    row = _classifier(request, slug)
    dataset = _dataset(row, request.GET.get("dataset", ""))
    figures = figures_of(passport_of(row, dataset))
    if not figures:
        raise Http404("There are no two methods to compare yet.")
    if request.htmx:
        context = {"classifier": row, "dataset": dataset, "figures": figures}
        return render(request, "reports/passport_figure.html", context)
    response = HttpResponse(figures["passport"], content_type="image/svg+xml; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{slug}-passport.svg"'
    return response


@login_required
@require_safe
def passport_json(request: ResearcherRequest, slug: str) -> JsonResponse:
    """All of it, or the one method asked for, with every setting that it has."""
    row = _classifier(request, slug)
    found = passport_of(row, _dataset(row, request.GET.get("dataset", ""))).passport
    wanted = request.GET.get("method", "")
    told = of_method(found, wanted) if wanted else found
    if told is None:
        raise Http404(f"Nothing is known of {wanted} yet.")
    return JsonResponse(told, json_dumps_params={"ensure_ascii": False, "allow_nan": False})


@login_required
@require_POST
def passport_compute(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(Classifier.objects.select_related("team"), request.user, slug=slug)
    dataset = _dataset(row, request.POST.get("dataset", ""))
    form = ComputeForm(row, dataset, request.POST)
    if row.state != Classifier.State.READY:
        messages.error(request, f"{row} is not ready: see its page.")
    elif not form.is_valid():
        return _page(request, row, dataset, form)
    else:
        runs = start(dataset, row, form.cleaned_data["methods"], form.cleaned_data["metrics"],
                     form.cleaned_data["texts"], request.user)  # fmt: skip
        if Run.objects.filter(pk__in=[run.pk for run in runs], state=Run.State.CANCELLED).exists():
            messages.error(request, "The queue cannot be reached, so nothing is computed. Try again in a while.")
    return redirect(f"{reverse('classifier_passport', args=[row.slug])}?{urlencode({'dataset': dataset.slug})}")


@login_required
@require_POST
def passport_estimate(request: ResearcherRequest, slug: str) -> HttpResponse:
    """How long it will take, as far as it is filled in."""
    row = _classifier(request, slug)
    dataset = _dataset(row, request.POST.get("dataset", ""))
    form = ComputeForm(row, dataset, request.POST)
    asked = form.cleaned_data if form.is_valid() else None
    computing = estimate(dataset, row, asked["methods"], asked["metrics"], asked["texts"]) if asked else None
    return render(request, "reports/passport_estimate.html", {"computing": computing, "asked": asked})
