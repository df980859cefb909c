"""The pages on which a whole campaign is exported, and taken in again."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import editable_teams, get_editable, get_supervised
from accounts.models import Team, User
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from materials.forms import TeamField, checked_size
from reports.archiving import asking
from reports.models import ArchiveJob


class ArchiveForm(forms.Form):
    file = forms.FileField(label="Archive", error_messages={"required": "Choose an archive first."})
    team = TeamField(queryset=Team.objects.none())

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team = self.fields["team"]
        assert isinstance(team, TeamField)
        team.limit_to(user)

    def clean_file(self) -> "UploadedFile[Any]":
        return checked_size(self.cleaned_data["file"], "import_campaign")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def archive_import(request: ResearcherRequest) -> HttpResponse:
    if not editable_teams(request.user).exists():
        raise PermissionDenied("You can look at the team's campaigns, but not add to them. Ask an owner of the team.")
    form = ArchiveForm(request.user, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            job = asking.ask_import(request.user, form.cleaned_data["team"], file.chunks(), file.name)
            return redirect("archive_importing", job.pk)
        except asking.TooManyArchives as error:
            form.add_error(None, str(error))
    return render(request, "reports/archive_import.html", {"form": form})


@login_required
@require_safe
def archive_importing(request: ResearcherRequest, number: int) -> HttpResponse:
    """Asked again and again by the page; once the import has ended, the page is loaded anew."""
    jobs = ArchiveJob.objects.filter(kind=ArchiveJob.Kind.IMPORT).select_related("team", "campaign")
    job = get_editable(jobs, request.user, pk=number)
    if job.under_way:
        page = "archive_progress" if request.htmx else "archive_importing"
        return render(request, f"reports/{page}.html", {"job": job})
    if request.htmx:
        return HttpResponseClientRefresh()
    if job.campaign:
        messages.success(request, f"{job.file} is imported, with all its judgments.")
        return redirect(job.campaign)
    return render(request, "reports/archive_import.html", {"form": ArchiveForm(request.user), "failed": job})


@login_required
@require_POST
def archive_dismiss(request: ResearcherRequest, number: int) -> HttpResponse:
    """Of one's own, and also where another tab has done so before."""
    asking.dismiss(request.user, number)
    return redirect("home")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_archive(request: ResearcherRequest, slug: str) -> HttpResponse:
    """What the archive holds, and how far it is; the page asks again and again while it is being made."""
    campaign = _campaign(request, slug)
    if request.method == "POST":
        asking.ask_export(request.user, campaign)
        return redirect("campaign_archive", slug)
    job = asking.exports_of(campaign).first()
    if request.htmx and not (job and job.under_way):
        return HttpResponseClientRefresh()
    context = {"campaign": campaign, "job": job}
    return render(request, f"reports/{'archive_progress' if request.htmx else 'archive'}.html", context)


@login_required
@require_safe
def archive_file(request: ResearcherRequest, slug: str) -> FileResponse:
    found = asking.open_export(_campaign(request, slug))
    if found is None:
        raise Http404("There is no archive of this campaign: make one first.")
    job, file = found
    return FileResponse(file, as_attachment=True, filename=job.file, content_type="application/zip")


def _campaign(request: ResearcherRequest, slug: str) -> Campaign:
    return get_supervised(Campaign.objects.select_related("team"), request.user, slug=slug)
