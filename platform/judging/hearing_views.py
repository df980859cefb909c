from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from judging.crowding import crowded
from judging.hearing import Malformed, Unsigned, hear

# A message has a few hundred bytes; of a large study they come by the hundred.
LARGEST, PER_MINUTE = 2**18, 1200


@csrf_exempt  # The signature says who speaks.
@require_POST
def prolific_hook(request: HttpRequest) -> HttpResponse:
    """What concerns nobody here is acknowledged too: Prolific gives up on addresses that refuse."""
    if len(request.body) > LARGEST or crowded(request, "hooks", PER_MINUTE):
        return HttpResponse("That is more than Prolific sends.", status=429, content_type="text/plain")
    try:
        effect = hear(request.headers, request.body)
    except Unsigned as error:
        return HttpResponse(str(error), status=403, content_type="text/plain")
    except Malformed as error:
        return HttpResponse(str(error), status=400, content_type="text/plain")
    return HttpResponse(effect.label if effect else "Nothing to do.", content_type="text/plain")
