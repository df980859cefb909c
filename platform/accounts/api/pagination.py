"""Pages by cursor: each goes on after the last id of the one before, so none costs more than the first."""

import re
from collections.abc import Sequence
from typing import Any

from django.utils.http import int_to_base36
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

DEFAULT, MOST = 100, 1000
# All of these stand for numbers that ids can be.
CURSOR = re.compile("c[0-9a-z]{1,12}")


class CursorPages(BasePagination):
    """In the order of ids; newest first where the view says `newest_first`."""

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        newest_first = getattr(view, "newest_first", False)
        size, after = page_size(request), position(request)
        if after is not None:
            queryset = queryset.filter(**{"pk__lt" if newest_first else "pk__gt": after})
        found = list(queryset.order_by("-pk" if newest_first else "pk")[: size + 1])
        self.next_link = next_link(request, found[size - 1].pk) if len(found) > size else None
        return found[:size]

    def get_paginated_response(self, data: Sequence[Any]) -> Response:
        headers = {"Link": f'<{self.next_link}>; rel="next"'} if self.next_link else {}
        return Response({"next": self.next_link, "results": data}, headers=headers)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {
                "next": {"type": ["string", "null"], "format": "uri", "description": "Address of the next page"},
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        size = {"type": "integer", "minimum": 1, "maximum": MOST, "default": DEFAULT}
        cursor = {"type": "string", "pattern": f"^{CURSOR.pattern}$"}
        return [
            {"name": "cursor", "in": "query", "schema": cursor, "description": "Where the page begins: from `next`"},
            {"name": "page_size", "in": "query", "schema": size, "description": "How many a page"},
        ]


def page_size(request: Request) -> int:
    asked = request.query_params.get("page_size", str(DEFAULT))
    if not (asked.isascii() and asked.isdigit() and len(asked) < 6 and 1 <= int(asked) <= MOST):
        raise ValidationError({"page_size": f"Expected a number from 1 to {MOST}."})
    return int(asked)


def position(request: Request) -> int | None:
    """The id that the cursor stands for, in base 36."""
    cursor = request.query_params.get("cursor")
    if cursor is None:
        return None
    if not CURSOR.fullmatch(cursor):
        raise ValidationError({"cursor": "This is no cursor: take the `next` of a page."})
    return int(cursor[1:], 36)


def next_link(request: Request, pk: int) -> str:
    cursor = f"c{int_to_base36(pk)}"
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)
