from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import get_readable, may_edit
from accounts.requests import ResearcherRequest
from materials.errors import FileError
from materials.forms import MapsForm
from materials.maps.describing import shelves
from materials.maps.exporting import WRITERS, map_rows, maps_of
from materials.maps.importing import MapsError
from materials.maps.uploading import import_uploaded
from materials.models import Classifier, Dataset

KINDS = {"jsonl": "application/x-ndjson; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dataset_maps(request: ResearcherRequest, slug: str) -> HttpResponse:
    """All maps of the dataset, to be downloaded; and others, to be brought."""
    row = get_readable(Dataset.objects.select_related("team"), request.user, slug=slug)
    if request.method == "POST" and not may_edit(request.user, row.team):
        raise PermissionDenied("You can look at this, but not change it. Ask an owner of the team.")
    form = MapsForm(row, request.POST or None, request.FILES or None)
    context = {"dataset": row, "form": form, "may_edit": may_edit(request.user, row.team)}
    if request.method == "POST" and form.is_valid():
        try:
            outcome = import_uploaded(row, form.cleaned_data)
        except (FileError, MapsError) as error:
            form.add_error("file", str(error))
        else:
            if outcome.written:
                messages.success(request, str(outcome))
                return redirect("dataset_maps", row.slug)
            context["outcome"] = outcome
    return render(request, "materials/dataset_maps.html", context | {"shelves": shelves(row)})


@login_required
@require_safe
def maps_file(request: ResearcherRequest, slug: str, kind: str) -> StreamingHttpResponse:
    """Of all classifiers, or of the one asked for."""
    row = get_readable(Dataset.objects.select_related("team"), request.user, slug=slug)
    wanted = request.GET.get("classifier", "")
    # Postgres refuses a NUL in what it is asked for, and an address may hold one.
    classifier = get_object_or_404(Classifier, team=row.team, slug=wanted.replace("\0", "\ufffd")) if wanted else None
    if not maps_of(row, classifier).exists():
        raise Http404("There are no maps yet.")
    name = f"{row.slug}-maps.{kind}"
    return StreamingHttpResponse(
        WRITERS[kind](map_rows(row, classifier)),
        content_type=KINDS[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
