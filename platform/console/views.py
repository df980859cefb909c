from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import ResearcherRequest
from console.home import home
from console.searching import search
from console.styleguide import styleguide
from reports.replaying import SCHEMES


@login_required
@require_safe
def home_page(request: ResearcherRequest) -> HttpResponse:
    return render(request, "console/home.html", {"home": home(request.user)})


@login_required
@require_safe
def search_page(request: ResearcherRequest) -> HttpResponse:
    asked = request.GET.get("q", "").strip()
    return render(request, "console/search.html", {"asked": asked, "found": search(request.user, asked)})


@login_required
@require_safe
def styleguide_page(request: ResearcherRequest) -> HttpResponse:
    """In the reader's own scheme, or in the one that is asked for."""
    asked = request.GET.get("scheme", "")
    scheme = asked if asked in SCHEMES else ""
    return render(request, "console/styleguide.html", styleguide() | {"scheme": scheme, "schemes": SCHEMES})
