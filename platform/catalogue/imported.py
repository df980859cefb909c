"""Methods that are known only by the maps somebody brought: named as imported, wherever they appear."""

from collections.abc import Mapping
from typing import Any

from catalogue.methods import Method
from catalogue.parameters import Parameter

PREFIX = "imported:"
FAMILY = "imported"
# Maps from elsewhere explain whatever somebody explained with them.
KINDS = ("transformer", "lstm", "causal-lm")


def is_imported(method: str) -> bool:
    return method.startswith(PREFIX)


def imported_label(method: str) -> str:
    """What people read for `imported:NAME`; no database is needed to name an arm of an export."""
    return f"{method.removeprefix(PREFIX)} (imported)"


def imported_method(
    method: str, signed: bool = True, source: str = "", params: Mapping[str, Any] | None = None
) -> Method:
    """A catalogue entry for `imported:NAME`. Its parameters stand at the values that the maps were made with."""
    return Method(
        method,
        imported_label(method),
        FAMILY,
        source,
        f"Maps made elsewhere{f' ({source})' if source else ''} and imported.",
        signed=signed,
        complete=False,
        classifier_kinds=KINDS,
        parameters=tuple(Parameter(name, value, "as the maps were made") for name, value in (params or {}).items()),
    )
