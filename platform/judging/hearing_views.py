from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from judging.hearing import Malformed, Unsigned, hear


@csrf_exempt  # The signature says who speaks.
@require_POST
def prolific_hook(request: HttpRequest) -> HttpResponse:
    """What concerns nobody here is acknowledged too: Prolific gives up on addresses that refuse."""
    try:
        effect = hear(request.headers, request.body)
    except Unsigned as error:
        return HttpResponse(str(error), status=403, content_type="text/plain")
    except Malformed as error:
        return HttpResponse(str(error), status=400, content_type="text/plain")
    return HttpResponse(effect.label if effect else "Nothing to do.", content_type="text/plain")
