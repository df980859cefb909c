from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import editable_teams, get_editable
from accounts.requests import ResearcherRequest
from materials import uploading
from materials.counting import counted
from materials.forms import MappingForm, UploadForm
from materials.importing import FileError
from materials.models import Dataset
from materials.previewing import guess, import_upload, preview


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dataset_import(request: ResearcherRequest, slug: str = "") -> HttpResponse:
    """Choose a file: for a new dataset, or for more texts of the one named."""
    if not editable_teams(request.user).exists():
        raise PermissionDenied("You can look at the team's datasets, but not add to them. Ask an owner of the team.")
    into = get_editable(Dataset.objects.select_related("team"), request.user, slug=slug) if slug else None
    form = UploadForm(request.user, into, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        upload = uploading.keep(request.user, into, form.cleaned_data)
        try:
            preview(upload.table())
        except FileError as error:
            upload.discard()
            form.add_error("file", str(error))
        else:
            return redirect("dataset_mapping", upload.token)
    return render(request, "materials/dataset_import.html", {"form": form, "dataset": into})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dataset_mapping(request: ResearcherRequest, token: str) -> HttpResponse:
    """Look at the first rows, say which column is what, and import."""
    upload = uploading.find(request.user, token)
    with upload.alone():
        imported = upload.imported()
        if imported:
            messages.info(request, "This file is imported: its texts are here.")
            return redirect(imported)
        return _mapping(request, upload)


def _mapping(request: ResearcherRequest, upload: uploading.Upload) -> HttpResponse:
    table, into = upload.table(), upload.into(request.user)
    form = MappingForm(table.columns, into, request.POST or None, initial=guess(upload, table, into))
    context = {"upload": upload, "form": form, "dataset": into, **preview(table)}
    if request.method == "POST" and form.is_valid():
        try:
            dataset, outcome = import_upload(request.user, upload, form, "accept_rest" in request.POST)
        except FileError as error:
            form.add_error(None, str(error))
        else:
            if outcome.written:
                messages.success(request, f"{counted(outcome.taken, 'text')} imported.")
                return redirect(dataset)
            context["outcome"] = outcome
    return render(request, "materials/dataset_mapping.html", context)


@login_required
@require_safe
def dataset_rejected(request: ResearcherRequest, token: str) -> FileResponse:
    upload = uploading.find(request.user, token)
    if not upload.rejected.exists():
        raise Http404("No row of this file was rejected.")
    return FileResponse(upload.rejected.open("rb"), as_attachment=True, filename=f"rejected-{upload.details.file}.csv")


@login_required
@require_POST
def dataset_discard(request: ResearcherRequest, token: str) -> HttpResponse:
    uploading.find(request.user, token).discard()
    return redirect("dataset_list")
