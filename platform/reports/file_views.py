"""A report's files: one by one, or all in an archive that a worker process makes."""

import mimetypes

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import get_readable
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from reports.building import archive_of, build_of, drawn_of, is_current, is_large, state_of
from reports.files import FILES
from reports.filing import archive, find_file, make_files, pack


def _campaign(request: HttpRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    return get_readable(rows, request.user, slug=slug)


@login_required
@require_safe
def report_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    drawn = drawn_of(_campaign(request, slug))
    found = find_file(pack(drawn.report, drawn.figures), name) if drawn else None
    if found is None:
        raise Http404(f"The report has no file {name}.")
    kind = mimetypes.guess_type(name)[0] or "text/plain"
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return _download(found.content, f"{slug}-{name.rpartition('/')[2]}", kind + charset)


@login_required
@require_safe
def report_archive(request: HttpRequest, slug: str) -> HttpResponse:
    """As it was built; of a small campaign made at once where nobody asked for it before."""
    campaign = _campaign(request, slug)
    content = archive_of(campaign)
    if content is None and is_large(campaign):
        return redirect("campaign_report", slug)
    if content is None and (drawn := drawn_of(campaign)):
        content = archive(make_files(pack(drawn.report, drawn.figures)), f"{slug}-report")
    return _download(content or b"", f"{slug}-report.zip", "application/zip")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_build(request: ResearcherRequest, slug: str) -> HttpResponse:
    """How far the archive is, asked again and again by the page; whoever may read it may ask for it."""
    campaign = _campaign(request, slug)
    build = state_of(campaign, request.user) if request.method == "POST" else build_of(campaign)
    if request.method == "POST" and not request.headers.get("HX-Request"):
        return redirect("campaign_report", slug)
    context = {"campaign": campaign, "build": build, "current": build and is_current(build), "kinds": FILES}
    context["newer"] = request.method != "POST" and is_large(campaign)
    return render(request, "reports/build.html", context)


def _download(content: bytes, name: str, kind: str) -> HttpResponse:
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
