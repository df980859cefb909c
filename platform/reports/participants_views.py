import io
from collections.abc import Iterable

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.access import get_editable, get_supervised
from accounts.auditing import Act, record
from accounts.requests import ResearcherRequest
from analysis.presets.escaping import csv_writer, escape_cell
from campaigns.models import Campaign
from judging.excluding import exclude, readmit
from judging.paying import earnings, pay_rows
from judging.settling import KINDS, settlement
from reports.participants import participants_page, pay_page
from reports.participants_file import participants_csv

CSV = "text/csv; charset=utf-8"
ROWS = Campaign.objects.select_related("team", "dataset")


class ExcludeForm(forms.Form):
    reason = forms.CharField(max_length=300, error_messages={"required": "Say why: the reason stands in the report."})


@login_required
@require_safe
def participants(request: ResearcherRequest, slug: str) -> HttpResponse:
    campaign = get_supervised(ROWS, request.user, slug=slug)
    page = participants_page(campaign, request.GET)
    return render(request, "reports/participants.html", page | {"campaign": campaign})


@login_required
@require_safe
def participants_pay(request: ResearcherRequest, slug: str) -> HttpResponse:
    campaign = get_supervised(ROWS, request.user, slug=slug)
    template = "reports/pay.html" if request.htmx else "reports/participants_pay.html"
    return render(request, template, pay_page(campaign) | {"campaign": campaign})


@login_required
@require_POST
def participant_exclude(request: ResearcherRequest, slug: str, number: int) -> HttpResponse:
    campaign = get_editable(ROWS, request.user, slug=slug)
    participation = get_object_or_404(campaign.participations, pk=number, erased_at=None)
    form = ExcludeForm(request.POST)
    if form.is_valid():
        with transaction.atomic():
            changed = exclude(participation, form.cleaned_data["reason"], request.user)
            if changed:
                record(request.user, campaign.team, Act.EXCLUDED, campaign, worker=f"w{number}", **form.cleaned_data)
        counts = "no longer counts; others are asked for the same texts" if changed else "was excluded before"
        messages.success(request, f"Worker w{participation.number} {counts}. “Readmit” takes it back.")
    else:
        messages.error(request, str(form.errors["reason"][0]))
    return _back(request, slug)


@login_required
@require_POST
def participant_readmit(request: ResearcherRequest, slug: str, number: int) -> HttpResponse:
    campaign = get_editable(ROWS, request.user, slug=slug)
    participation = get_object_or_404(campaign.participations, pk=number)
    with transaction.atomic():
        changed = readmit(participation)
        if changed:
            record(request.user, campaign.team, Act.READMITTED, campaign, worker=f"w{number}")
    said = f"Worker w{participation.number} counts again, except where others have answered meanwhile."
    messages.success(request, said)
    return _back(request, slug)


def _back(request: ResearcherRequest, slug: str) -> HttpResponse:
    """To the list as it was narrowed and turned."""
    here, shown = reverse("campaign_participants", args=[slug]), request.POST.get("shown", "")
    return redirect(f"{here}?{shown}" if shown else here)


@login_required
@require_safe
def pay_file(request: ResearcherRequest, slug: str) -> HttpResponse:
    """Holds the recruiter's own references, so that only those who run the campaign get it."""
    campaign = get_supervised(ROWS, request.user, slug=slug)
    record(request.user, campaign.team, Act.PAY_FILE, campaign)
    return _file(pay_rows(earnings(campaign), only_top_ups="top-ups" in request.GET), f"{slug}-pay.csv")


@login_required
@require_safe
def settlement_file(request: ResearcherRequest, slug: str, kind: str) -> HttpResponse:
    """For the recruiter's own pages: whom to approve, whom to look at again, whom to pay more."""
    campaign = get_supervised(ROWS, request.user, slug=slug)
    if kind not in KINDS:
        raise Http404(f"There is no such list; there are {', '.join(KINDS)}.")
    record(request.user, campaign.team, Act.PAY_FILE, campaign, list=kind)
    return _file(settlement(campaign, kind), f"{slug}-{kind}.csv")


def _file(rows: Iterable[tuple[str, ...]], name: str) -> HttpResponse:
    out = io.StringIO()
    csv_writer(out).writerows([escape_cell(cell) for cell in row] for row in rows)
    return HttpResponse(out.getvalue(), content_type=CSV, headers=_named(name))


@login_required
@require_safe
def participants_file(request: ResearcherRequest, slug: str) -> StreamingHttpResponse:
    """Holds what people said of themselves, so that only those who run the campaign get it."""
    campaign = get_supervised(ROWS, request.user, slug=slug)
    record(request.user, campaign.team, Act.EXPORTED, campaign, file="participants")
    lines = participants_csv(campaign)
    return StreamingHttpResponse(lines, content_type=CSV, headers=_named(f"{slug}-participants.csv"))


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
