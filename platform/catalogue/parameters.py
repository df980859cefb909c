"""What can be set on a method or a metric."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Value = int | float | str | bool | tuple[float, ...]


@dataclass(frozen=True)
class Parameter:
    """`choices`: the only values of a word; `minimum` and `maximum` are allowed themselves, for each of several."""

    name: str
    default: Value
    description: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


def complete_params(owner: str, parameters: Iterable[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """`given` over the defaults; ValueError names an unknown parameter or a value out of range."""
    known = {parameter.name: parameter for parameter in parameters}
    if unknown := [name for name in given if name not in known]:
        raise ValueError(f"{owner} has no parameter {unknown[0]!r}; it has: {', '.join(known) or 'none'}.")
    return {
        name: _checked(owner, parameter, given[name]) if name in given else parameter.default
        for name, parameter in known.items()
    }


def parse_value(owner: str, parameter: Parameter, raw: str) -> Value:
    """What somebody typed, as the kind of value that the default is; ValueError where it is none."""
    try:
        return _parsed(parameter.default, raw)
    except (ValueError, KeyError) as error:
        wanted = f"a value like {parameter.default!r}"
        raise ValueError(f"{owner}: {parameter.name} is {raw!r}; give {wanted}.") from error


def _parsed(default: Value, raw: str) -> Value:
    if isinstance(default, bool):
        return {"true": True, "false": False}[raw.lower()]
    if isinstance(default, tuple):
        return tuple(_finite(part) for part in raw.split(",") if part.strip())
    return _finite(raw) if isinstance(default, float) else type(default)(raw)


def _finite(raw: str) -> float:
    value = float(raw)
    if not math.isfinite(value):
        raise ValueError(raw)
    return value


def _checked(owner: str, parameter: Parameter, value: Any) -> Any:
    if isinstance(value, list):
        # JSON knows no tuples.
        value = tuple(value)
    if not _is_of_kind(parameter.default, value):
        raise ValueError(f"{owner}: {parameter.name} is {value!r}; give a value like {parameter.default!r}.")
    if parameter.choices and value not in parameter.choices:
        raise ValueError(f"{owner}: {parameter.name} is {value!r}; it may be {', '.join(parameter.choices)}.")
    for one in value if isinstance(value, tuple) else (value,):
        _check_range(owner, parameter, one)
    return value


def _check_range(owner: str, parameter: Parameter, value: Any) -> None:
    if parameter.minimum is not None and isinstance(value, int | float) and not value >= parameter.minimum:
        raise ValueError(f"{owner}: {parameter.name} is {value}; the least is {parameter.minimum:g}.")
    if parameter.maximum is not None and isinstance(value, int | float) and not value <= parameter.maximum:
        raise ValueError(f"{owner}: {parameter.name} is {value}; the most is {parameter.maximum:g}.")


def _is_of_kind(default: Value, value: Any) -> bool:
    """A whole number may stand for a fraction; True and False are no numbers, nor are NaN and infinity here."""
    if isinstance(value, bool) or isinstance(default, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    if isinstance(default, tuple):
        return isinstance(value, tuple) and bool(value) and all(_is_of_kind(0.0, one) for one in value)
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return isinstance(value, (int, float) if isinstance(default, float) else type(default))
