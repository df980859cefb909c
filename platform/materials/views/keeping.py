"""The settings of a dataset and of a classifier: their names, and their end."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import get_editable, get_owned, may_own
from accounts.confirming import ConfirmForm
from accounts.requests import ResearcherRequest
from materials.deleting import DeletingError, delete_classifier, delete_dataset, going_with
from materials.models import Classifier, Dataset, Removal
from materials.relabelling import MOST, RelabellingError, SameName, TextLabelsForm, holding, relabel
from materials.renaming import ClassifierNameForm, DatasetNameForm, rename

DATASETS = Dataset.objects.select_related("team")
CLASSIFIERS = Classifier.objects.select_related("team")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dataset_settings(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(DATASETS.all(), request.user, slug=slug)
    return _settings(request, row, DatasetNameForm(request.POST or None, instance=row))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def classifier_settings(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(CLASSIFIERS.all(), request.user, slug=slug)
    return _settings(request, row, ClassifierNameForm(request.POST or None, instance=row))


def _settings(request: ResearcherRequest, row: Any, form: "forms.ModelForm[Any]") -> HttpResponse:
    before = row.name
    if request.method == "POST" and form.is_valid() and rename(form, before, request.user):
        messages.success(request, "Saved.")
        return redirect(row)
    return _page(request, row, form, before)


@login_required
@require_POST
def dataset_labels(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(DATASETS.all(), request.user, slug=slug)
    before = request.POST.getlist("was") or row.label_names()
    form = TextLabelsForm(before, request.POST)
    if form.is_valid():
        try:
            relabel(row, before, form.names(), request.user)
        except SameName as error:
            form.add_error(None, str(error))
        except RelabellingError as error:  # Another page than this one tells how it is now.
            messages.error(request, str(error))
            return redirect("dataset_settings", slug)
        else:
            messages.success(request, "The labels have new names.")
            return redirect(row)
    return _page(request, row, DatasetNameForm(instance=row), row.name, labels=form)


@login_required
@require_POST
def dataset_delete(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_owned(DATASETS.all(), request.user, slug=slug)
    return _delete(request, row, DatasetNameForm(instance=row), delete_dataset, "dataset_list")


@login_required
@require_POST
def classifier_delete(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_owned(CLASSIFIERS.all(), request.user, slug=slug)
    return _delete(request, row, ClassifierNameForm(instance=row), delete_classifier, "classifier_list")


def _delete(request: ResearcherRequest, row: Any, form: Any, delete: Any, then: str) -> HttpResponse:
    confirm = ConfirmForm(row.name, request.POST)
    if not confirm.is_valid():
        return _page(request, row, form, row.name, confirm)
    try:
        removal = delete(row, request.user)
    except DeletingError as error:
        messages.error(request, str(error))
        return redirect(row)
    if removal.state != Removal.State.DONE:
        return redirect(removal)
    messages.success(request, f"{row.name} is deleted, with all that belonged to it.")
    return redirect(then)


def _page(
    request: ResearcherRequest,
    row: Any,
    form: "forms.ModelForm[Any]",
    name: str,
    confirm: ConfirmForm | None = None,
    labels: TextLabelsForm | None = None,
) -> HttpResponse:
    kind = row._meta.verbose_name
    context = {"row": row, "kind": kind, "name": name, "form": form, "confirm": confirm, "going": going_with(row)}
    if isinstance(row, Dataset):
        names = row.label_names()
        context |= {"labels": labels or TextLabelsForm(names), "holding": holding(row), "few": len(names) <= MOST}
    return render(request, "materials/settings.html", context | {"may_own": may_own(request.user, row.team)})
