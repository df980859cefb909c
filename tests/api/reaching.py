"""What the API offers, as its schema says; and a client that speaks to it."""

import functools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from accounts.api.scopes import SCOPES
from accounts.api.tokens import make_token
from accounts.models import User

METHODS = ("get", "post", "put", "patch", "delete")


@functools.cache
def schema() -> dict[str, Any]:
    made: dict[str, Any] = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return made


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, address and description of each."""
    for path, methods in sorted(schema()["paths"].items()):
        for method in METHODS:
            if method in methods:
                yield method.upper(), path, methods[method]


def conforms(name: str, answer: Any) -> None:
    """That the answer's body is as the schema says of the operation, such as `GET /api/v1/plan/`."""
    method, path = name.split()
    told = schema()["paths"][path][method.lower()]["responses"][str(answer.status_code)]
    wanted = told["content"]["application/json"]["schema"]
    jsonschema_rs.validate({**wanted, "components": json.loads(_components())}, answer.json())


@functools.cache
def _components() -> str:
    return OpenApiJsonRenderer().render(schema()["components"]).decode()


class Speaker:
    """Asks by a token of its user, or by nothing."""

    def __init__(self, user: User | None = None, scopes: tuple[str, ...] = tuple(SCOPES)) -> None:
        self.client = Client()
        self.credentials = {"authorization": f"Bearer {make_token(user, 'test', scopes)[1]}"} if user else {}

    def ask(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Any:
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body)
        return self.client.generic(method, path, sent, kind, headers=self.credentials | dict(headers or {}))

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("GET", path, headers=_named(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("POST", path, {} if body is None else body, _named(headers))


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
