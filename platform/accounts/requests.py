from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class ResearcherRequest(HttpRequest):
    """What a view behind `login_required` gets."""

    user: User
    htmx: HtmxDetails
