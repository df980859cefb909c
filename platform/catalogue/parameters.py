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
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"{owner} has no parameter {name!r}; it has: {', '.join(known) or 'none'}.")
        _check(owner, known[name], value)
    return {name: given.get(name, parameter.default) for name, parameter in known.items()}


def _check(owner: str, parameter: Parameter, value: Any) -> None:
    kind = (int, float) if isinstance(parameter.default, float) else type(parameter.default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{owner}: {parameter.name} is {value!r}; give a value like {parameter.default!r}.")
    if parameter.minimum is not None and isinstance(value, int | float) and value < parameter.minimum:
        raise ValueError(f"{owner}: {parameter.name} is {value}; the least is {parameter.minimum:g}.")
