from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import ResearcherRequest
from console.styleguide import styleguide
from reports.replaying import SCHEMES


@login_required
@require_safe
def styleguide_page(request: ResearcherRequest) -> HttpResponse:
    """In the reader's own scheme, or in the one that is asked for."""
    asked = request.GET.get("scheme", "")
    scheme = asked if asked in SCHEMES else ""
    return render(request, "styleguide.html", styleguide() | {"scheme": scheme, "schemes": SCHEMES})
