import gzip

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from reports.bundling import bundle_name, bundle_path

FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def chart_bundle(request: HttpRequest, name: str) -> HttpResponse:
    """For everybody: it is a published library and tells nothing of anybody."""
    if name != bundle_name():
        raise Http404("There is no such bundle.")
    packed = bundle_path().read_bytes()
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    headers = {"Cache-Control": FOR_EVER, "X-Content-Type-Options": "nosniff"}
    if zipped:
        headers["Content-Encoding"] = "gzip"
    response = HttpResponse(
        packed if zipped else gzip.decompress(packed), content_type="text/javascript; charset=utf-8", headers=headers
    )
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
