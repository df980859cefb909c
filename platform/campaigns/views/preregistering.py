from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import get_readable
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from campaigns.preregistering import document_of, registered
from campaigns.reading_out import as_markdown, read_out

KINDS = {"json": "application/json", "md": "text/markdown; charset=utf-8"}


def _readable(request: ResearcherRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    row = get_readable(rows, request.user, slug=slug)
    if row.imported:
        raise Http404("Nothing was registered here: its judgments come from elsewhere.")
    return row


@login_required
@require_safe
def preregistration(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = _readable(request, slug)
    context = {"campaign": row, "registration": registered(row), "sections": read_out(document_of(row))}
    return render(request, "campaigns/preregistration.html", context)


@login_required
@require_safe
def preregistration_file(request: ResearcherRequest, slug: str, kind: str) -> HttpResponse:
    row = _readable(request, slug)
    if kind not in KINDS:
        raise Http404(f"A pre-registration is written as {' or '.join(KINDS)}.")
    found = registered(row)
    content = document_of(row)
    name = f"{slug}-preregistration{'' if found else '-draft'}.{kind}"
    body = content if kind == "json" else as_markdown(content, found).encode()
    return HttpResponse(body, KINDS[kind], headers={"Content-Disposition": f'attachment; filename="{name}"'})
