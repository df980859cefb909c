"""The API on a page of our own: drawn here from the schema, so that nothing has to come from elsewhere."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from accounts.api.problems import TITLES, Problem
from accounts.api.scopes import SCOPES

METHODS = ("get", "post", "put", "patch", "delete")
# These are alike everywhere, and told once.
COMMON = {"If-None-Match", "If-Match", "Idempotency-Key", "cursor", "page_size"}
Schema = dict[str, Any]


@dataclass(frozen=True)
class Member:
    """A parameter, or a member of a body."""

    name: str
    kind: str
    required: bool
    description: str


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    description: str
    scope: str
    parameters: list[Member]
    body: list[Member]
    example: str
    answers: list[str]

    @property
    def anchor(self) -> str:
        return f"{self.method.lower()}{self.path.replace('/', '-').replace('{', '').replace('}', '')}".rstrip("-")


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    context = {"areas": described(), "scopes": SCOPES.items(), "problems": sorted(_problems().items())}
    return render(request, "api/docs.html", context)


@cache
def described() -> dict[str, list[Operation]]:
    """Operations by what they are of. The schema is the same as long as the process runs."""
    schema: Schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    areas: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                areas.setdefault(methods[method]["tags"][0], []).append(
                    _operation(schema, method, path, methods[method])
                )
    return dict(sorted(areas.items()))


def _operation(schema: Schema, method: str, path: str, of: Schema) -> Operation:
    content = next(iter(of.get("requestBody", {}).get("content", {"": {}}).values()))
    examples = [one["value"] for one in content.get("examples", {}).values()]
    return Operation(
        method=method.upper(),
        path=path,
        description=of.get("description", ""),
        scope=next(iter(of["security"][0].get("token", [])), ""),
        parameters=[
            Member(one["name"], _kind(one["schema"]), one.get("required", False), one.get("description", ""))
            for one in of.get("parameters", [])
            if one["name"] not in COMMON
        ],
        body=list(_members(schema, content.get("schema", {}))),
        example=json.dumps(examples[0], indent=2, ensure_ascii=False) if examples else "",
        answers=[status for status in of["responses"] if status.startswith("2")],
    )


def _members(schema: Schema, of: Schema) -> Iterator[Member]:
    found = _found(schema, of)
    for name, one in found.get("properties", {}).items():
        yield Member(name, _kind(_found(schema, one)), name in found.get("required", ()), one.get("description", ""))


def _found(schema: Schema, of: Schema) -> Schema:
    """What a reference refers to, or what is there."""
    for one in (of, *of.get("allOf", ()), *of.get("oneOf", ())):
        if "$ref" in one:
            found: Schema = schema["components"]["schemas"][one["$ref"].rpartition("/")[2]]
            return found
    return of


def _kind(of: Schema) -> str:
    if "enum" in of:
        return " or ".join(str(one) or "nothing" for one in of["enum"])
    kind = of.get("type", "")
    if kind == "array":
        return f"list of {_kind(of.get('items', {})) or 'objects'}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _problems() -> dict[str, str]:
    """Every kind of problem, by the code that its type ends with."""
    kinds, found = [Problem], dict(TITLES)
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        found |= {str(kind.default_code): kind.title} if kind.title else {}
    return found
