from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import editable_teams, get_editable
from accounts.requests import ResearcherRequest
from webhooks import announcing, delivering, registering
from webhooks.events import EVENTS
from webhooks.forms import EndpointForm, NewEndpointForm
from webhooks.models import Attempt, Endpoint
from webhooks.registering import WebhookError
from webhooks.signing import secret_of

ON_A_PAGE = 50
ROWS = Endpoint.objects.select_related("team")


@login_required
@require_safe
def webhook_list(request: ResearcherRequest) -> HttpResponse:
    rows = ROWS.filter(team__in=editable_teams(request.user))
    context = {"endpoints": rows, "events": EVENTS, "may_add": editable_teams(request.user).exists()}
    return render(request, "webhooks/webhook_list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_add(request: ResearcherRequest) -> HttpResponse:
    if not editable_teams(request.user).exists():
        raise PermissionDenied("Webhooks are added by those who edit. Ask an owner of the team.")
    form = NewEndpointForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            made = registering.add(said["team"], said["url"], said["events"], request.user)
            return _told(request, made)
        except WebhookError as error:
            form.add_error(None, str(error))
    return render(request, "webhooks/webhook_add.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: ResearcherRequest, number: int) -> HttpResponse:
    """Its settings, and what was sent of late."""
    endpoint = get_editable(ROWS, request.user, pk=number)
    form = EndpointForm(request.POST or None, instance=endpoint)
    if request.method == "POST" and form.is_valid():
        registering.change(form.save(commit=False), request.user)
        messages.success(request, "Saved.")
        return redirect(endpoint)
    rows = endpoint.deliveries.prefetch_related(Prefetch("attempts", Attempt.objects.order_by("-pk")))
    context = {"form": form, "page": Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))}
    return render(request, "webhooks/webhook.html", context | {"endpoint": ROWS.get(pk=number)})


@login_required
@require_POST
def webhook_secret(request: ResearcherRequest, number: int) -> HttpResponse:
    endpoint = get_editable(ROWS, request.user, pk=number)
    registering.renew_secret(endpoint, request.user)
    return _told(request, endpoint)


@login_required
@require_POST
def webhook_ping(request: ResearcherRequest, number: int) -> HttpResponse:
    endpoint = get_editable(ROWS, request.user, pk=number)
    announcing.ping(endpoint)
    messages.success(request, "A ping is on its way: what came of it stands below in a moment.")
    return redirect(endpoint)


@login_required
@require_POST
def webhook_redeliver(request: ResearcherRequest, number: int, delivery: int) -> HttpResponse:
    endpoint = get_editable(ROWS, request.user, pk=number)
    delivering.redeliver(get_object_or_404(endpoint.deliveries, pk=delivery))
    messages.success(request, "It is sent again.")
    return redirect(endpoint)


@login_required
@require_POST
def webhook_delete(request: ResearcherRequest, number: int) -> HttpResponse:
    endpoint = get_editable(ROWS, request.user, pk=number)
    registering.remove(endpoint, request.user)
    messages.success(request, f"Nothing is sent to {endpoint.url} any more.")
    return redirect("webhook_list")


def _told(request: ResearcherRequest, endpoint: Endpoint) -> HttpResponse:
    """The secret, on the answer to its making and nowhere else."""
    context = {"endpoint": endpoint, "secret": secret_of(endpoint)}
    response = render(request, "webhooks/secret.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response
