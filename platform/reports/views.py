import io
import mimetypes
import zipfile

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import get_readable, may_edit
from campaigns.models import Campaign
from reports.aggregating import report_of
from reports.exporting import columns_of, csv_lines, judgment_rows
from reports.watching import watch
from reports.writing import page_context, render_files


def _campaign(request: HttpRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    return get_readable(rows, request.user, slug=slug)


@login_required
@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = _campaign(request, slug)
    context = {
        "campaign": campaign,
        "watch": watch(campaign),
        "may_edit": may_edit(request.user, campaign.team),
        "currency": settings.PAY_CURRENCY,
        "minimum_pay": settings.MINIMUM_HOURLY_PAY,
    }
    return render(request, "reports/live.html", context)


@login_required
@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = _campaign(request, slug)
    drawn = report_of(campaign)
    shown = {"campaign": campaign, "downloads": True, "made_at": drawn.made_at}
    context = page_context(drawn.report, drawn.figures) | shown
    return render(request, "reports/campaign.html", context)


@login_required
@require_safe
def report_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    drawn = report_of(_campaign(request, slug))
    content = render_files(drawn.report, drawn.figures).get(name)
    if content is None:
        raise Http404(f"The report has no file {name}.")
    kind = mimetypes.guess_type(name)[0] or "text/plain"
    return _download(content.encode(), f"{slug}-{name.rpartition('/')[2]}", f"{kind}; charset=utf-8")


@login_required
@require_safe
def report_archive(request: HttpRequest, slug: str) -> HttpResponse:
    drawn = report_of(_campaign(request, slug))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in render_files(drawn.report, drawn.figures).items():
            archive.writestr(f"{slug}-report/{name}", content)
    return _download(packed.getvalue(), f"{slug}-report.zip", "application/zip")


@login_required
@require_safe
def judgments(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    campaign = _campaign(request, slug)
    columns = columns_of(campaign)
    lines = csv_lines(columns, judgment_rows(campaign, columns))
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=_named(f"{slug}-judgments.csv"))


def _download(content: bytes, name: str, kind: str) -> HttpResponse:
    return HttpResponse(content, content_type=kind, headers=_named(name))


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
