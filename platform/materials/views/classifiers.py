from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import editable_teams, get_editable, get_readable, may_edit, readable
from accounts.auditing import Act, record
from accounts.requests import ResearcherRequest
from materials.describing import dataset_rows
from materials.forms import ClassifierForm, LabelsForm
from materials.models import Classifier
from materials.registering import LabelError, add_classifier, register, rename_labels
from materials.removing import Kind, removals_of


@login_required
@require_safe
def classifier_list(request: ResearcherRequest) -> HttpResponse:
    classifiers = readable(Classifier.objects.all(), request.user).select_related("team")
    context = {
        "classifiers": classifiers,
        "removals": removals_of(request.user, Kind.CLASSIFIER),
        "may_add": editable_teams(request.user).exists(),
    }
    return render(request, "materials/classifier_list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def classifier_add(request: ResearcherRequest) -> HttpResponse:
    if not editable_teams(request.user).exists():
        raise PermissionDenied("You can look at the team's classifiers, but not add one. Ask an owner of the team.")
    form = ClassifierForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("team", "name", "source", "revision", "kind")}
        return redirect(add_classifier(**given, options=form.options()))
    return render(request, "materials/classifier_add.html", {"form": form})


@login_required
@require_safe
def classifier(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_readable(Classifier.objects.select_related("team"), request.user, slug=slug)
    return _page(request, row, LabelsForm(row.label_names))


def _page(request: ResearcherRequest, row: Classifier, form: LabelsForm) -> HttpResponse:
    context = {
        "classifier": row,
        "datasets": dataset_rows(row),
        "form": form,
        "may_edit": may_edit(request.user, row.team),
    }
    return render(request, "materials/classifier.html", context)


@login_required
@require_safe
def classifier_state(request: ResearcherRequest, slug: str) -> HttpResponse:
    """Asked again and again while a worker process reads the files; then the page is loaded anew."""
    row = get_readable(Classifier.objects.all(), request.user, slug=slug)
    if row.state != Classifier.State.LOADING:
        return HttpResponseClientRefresh()
    return render(request, "materials/classifier_loading.html", {"classifier": row})


@login_required
@require_POST
def classifier_reload(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(Classifier.objects.select_related("team"), request.user, slug=slug)
    if row.state == Classifier.State.FAILED:
        register(row)
    return redirect(row)


@login_required
@require_POST
def classifier_labels(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(Classifier.objects.select_related("team"), request.user, slug=slug)
    form = LabelsForm(row.label_names, request.POST)
    if form.is_valid():
        try:
            rename_labels(row, form.names(), request.POST.getlist("was"))
        except LabelError as error:
            form.add_error(None, str(error))
        else:
            record(request.user, row.team, Act.EDITED, row, labels=", ".join(row.label_names))
            messages.success(request, "The labels have new names.")
            return redirect(row)
    return _page(request, row, form)
