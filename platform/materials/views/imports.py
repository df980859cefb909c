from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.access import editable_teams, get_editable
from accounts.requests import ResearcherRequest
from materials import uploading
from materials.bringing import Asked, ask_import, dismiss, import_of, rows_read
from materials.counting import counted
from materials.errors import FileError
from materials.forms import MappingForm, UploadForm
from materials.models import Dataset, Import
from materials.previewing import asked_by, filled_in, guess, preview


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dataset_import(request: ResearcherRequest, slug: str = "") -> HttpResponse:
    """Choose a file: for a new dataset, or for more texts of the one named."""
    if not editable_teams(request.user).exists():
        raise PermissionDenied("You can look at the team's datasets, but not add to them. Ask an owner of the team.")
    into = get_editable(Dataset.objects.select_related("team"), request.user, slug=slug) if slug else None
    form = UploadForm(request.user, into, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("dataset_mapping", _kept(request, into, form).token)
        except (FileError, uploading.TooManyUploads) as error:
            form.add_error("file", str(error))
    return render(request, "materials/dataset_import.html", {"form": form, "dataset": into})


def _kept(request: ResearcherRequest, into: Dataset | None, form: UploadForm) -> uploading.Upload:
    """FileError where it cannot be read, and then it does not stay."""
    upload = uploading.keep(request.user, into, form.cleaned_data)
    try:
        preview(upload.table())
    except FileError:
        upload.discard()
        raise
    return upload


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dataset_mapping(request: ResearcherRequest, token: str) -> HttpResponse:
    """Look at the first rows, say which column is what, and follow the import."""
    upload = uploading.find(request.user, token)
    tried = import_of(upload)
    if tried and tried.under_way:
        return render(request, "materials/dataset_importing.html", {"tried": tried, "rows_read": rows_read(tried)})
    if tried and tried.state == Import.State.DONE:
        messages.success(request, f"{counted(tried.taken, 'text')} imported.")
        return redirect(tried.dataset or "dataset_list")
    return _mapping(request, upload, tried)


def _mapping(request: ResearcherRequest, upload: uploading.Upload, tried: Import | None) -> HttpResponse:
    try:
        table, into = upload.table(), upload.into(request.user)
        shown = preview(table)
    except FileError as error:
        messages.error(request, str(error))
        return redirect("dataset_import")
    start = filled_in(Asked.from_json(tried.asked)) if tried else guess(upload, table, into)
    form = MappingForm(table.columns, into, request.POST or None, initial=start)
    if request.method == "POST" and form.is_valid():
        ask_import(request.user, upload, asked_by(form, "accept_rest" in request.POST))
        return redirect("dataset_mapping", upload.token)
    context = {"upload": upload, "form": form, "dataset": into, "tried": tried, **shown}
    return render(request, "materials/dataset_mapping.html", context)


@login_required
@require_safe
def dataset_import_progress(request: ResearcherRequest, token: str) -> HttpResponse:
    """Asked again and again by the page; once the import has ended, the page is loaded anew."""
    tried = import_of(uploading.find(request.user, token))
    if tried is None or not tried.under_way:
        return HttpResponseClientRedirect(reverse("dataset_mapping", args=[token]))
    return render(request, "materials/dataset_import_progress.html", {"tried": tried, "rows_read": rows_read(tried)})


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
    """Also where it is gone by now: another tab, or time, has discarded it."""
    dismiss(request.user, token)
    with suppress(Http404):
        uploading.find(request.user, token).discard()
    return redirect("home" if request.POST.get("from") == "home" else "dataset_list")
