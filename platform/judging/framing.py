"""Our pages may stand in nobody's frame, but for hosts whose protocol works that way."""

from django.conf import settings
from django.http import HttpResponse

from campaigns.models import Campaign
from recruitment import PROVIDERS


def framed(response: HttpResponse, campaign: Campaign | None) -> HttpResponse:
    """As the campaign's recruitment needs it; the middleware reads these marks."""
    if campaign and PROVIDERS[campaign.recruitment].framed:
        response.xframe_options_exempt = True
        hosts = [f"https://{host}" for host in settings.MTURK_SUBMIT_HOSTS]
        # The same hosts take the finished work back, in a form.
        allowed = {"frame-ancestors": hosts or ["'none'"], "form-action": ["'self'", *hosts]}
        response._csp_replace = allowed  # type: ignore[attr-defined]
    return response
