"""What can be set on a method or a metric."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Value = int | float | str | tuple[float, ...]


@dataclass(frozen=True)
class Parameter:
    name: str
    default: Value
    description: str
    minimum: float | None = None


def complete_params(owner: str, parameters: Iterable[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """`given` over the defaults; ValueError names an unknown parameter or a value out of range."""
    known = {parameter.name: parameter for parameter in parameters}
    if unknown := [name for name in given if name not in known]:
        raise ValueError(f"{owner} has no parameter {unknown[0]!r}; it has: {', '.join(known) or 'none'}.")
    return {
        name: _checked(owner, parameter, given[name]) if name in given else parameter.default
        for name, parameter in known.items()
    }


def _checked(owner: str, parameter: Parameter, value: Any) -> Any:
    if isinstance(value, list):
        # JSON knows no tuples.
        value = tuple(value)
    kind = (int, float) if isinstance(parameter.default, float) else type(parameter.default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{owner}: {parameter.name} is {value!r}; give a value like {parameter.default!r}.")
    if parameter.minimum is not None and isinstance(value, int | float) and not value >= parameter.minimum:
        raise ValueError(f"{owner}: {parameter.name} is {value}; the least is {parameter.minimum:g}.")
    return value
