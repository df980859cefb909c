"""ETags are hashes of what is answered: equal ones mean byte for byte the same. RFC 9110, section 13."""

import hashlib
from typing import Any

from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.problems import Problem


class Changed(Problem):
    status_code = 412
    default_code = "precondition_failed"
    title = "It is not what you think it is"
    default_detail = "It has changed since the answer with the ETag of If-Match: read it again."


def etag_of(data: Any) -> str:
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'


def require_match(request: Request, data: Any) -> None:
    """`data` is what a GET would answer. Compares strongly, as If-Match asks for."""
    wanted = parse_etags(request.headers.get("If-Match", "")) if "If-Match" in request.headers else []
    if "If-Match" in request.headers and "*" not in wanted and etag_of(data) not in wanted:
        raise Changed


def tag(request: Request, response: Response) -> None:
    """Say the ETag; answer 304 to whoever has it already."""
    response.headers["ETag"] = etag = etag_of(response.data)
    known = [one.removeprefix("W/") for one in parse_etags(request.headers.get("If-None-Match", ""))]
    if request.method in ("GET", "HEAD") and (etag in known or "*" in known):
        response.status_code, response.data = 304, None
