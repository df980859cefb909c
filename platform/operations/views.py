from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from accounts.requests import ResearcherRequest
from console.working import work
from operations.models import FailedTask
from operations.queueing import send_again
from operations.showing import may_look, standing

ON_A_PAGE = 50


@login_required
@require_safe
def queue(request: ResearcherRequest) -> HttpResponse:
    """For owners: whether work gets done. For staff also what the tasks are, as they are of all teams."""
    if not may_look(request.user):
        raise PermissionDenied("The queue is for owners of a team, and for those who run this server.")
    context = {"standing": standing(), "work": work(request.user)}
    if request.htmx:
        return render(request, "operations/queue_standing.html", context)
    if request.user.is_staff:
        failed = FailedTask.objects.filter(retried_at=None)
        context["page"] = Paginator(failed, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "operations/queue.html", context)


@login_required
@require_POST
def queue_retry(request: ResearcherRequest, number: int) -> HttpResponse:
    if not request.user.is_staff:
        raise PermissionDenied("Only those who run this server send failed tasks again.")
    failed = get_object_or_404(FailedTask, pk=number, retried_at=None, args__isnull=False)
    try:
        send_again(failed)
        messages.success(request, f"{failed.name} was sent again.")
    except OperationalError:
        messages.error(request, "The queue cannot be reached: try again once it is back.")
    return redirect("queue")
