"""What a known-answer task finds: values by method and setting, and whether the method passes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval
from catalogue.methods import METHODS, methods_for
from catalogue.parameters import complete_params
from catalogue.tasks import FAILED, PASSED, UNDEFINED, VARIANTS

# What is going on, how much of it is done, and of how much.
Progress = Callable[[str, int, int], None]
NO_SIGN = "its scores have no sign"
ALL_EQUAL = "its scores are all equal"


@dataclass(frozen=True)
class Arm:
    """A method with all its parameters; `variant` is what tells it from others of the same method."""

    method: str
    params: dict[str, Any]
    variant: str = ""

    @property
    def signed(self) -> bool:
        return METHODS[self.method].signed_with(self.params)


class Value(NamedTuple):
    """The mean of `n`; `low` and `high` are the ends of its bar, None where nothing varies."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Row:
    """One method in one setting; `reason` says why it is undefined, or what of it fails."""

    arm: Arm
    setting: str
    values: dict[str, Value]
    verdict: str
    reason: str = ""


@dataclass(frozen=True)
class Outcome:
    """`about`: what the models are like that the methods explained."""

    rows: list[Row]
    about: list[dict[str, Any]] = field(default_factory=list)


def arms_for(
    kind: str, methods: Iterable[str], params: Mapping[str, Mapping[str, Any]], absent: str = "remove"
) -> list[Arm]:
    """The methods that serve a kind, those of `VARIANTS` once with each value; ValueError names what does not fit.

    `absent`: how words are left out by methods that do so, unless their parameters say it.
    """
    arms = []
    for name in methods:
        if name not in methods_for(kind):
            raise ValueError(f"{name} does not serve this task, whose models are of the kind {kind}.")
        leaves_out = any(one.name == "absent" for one in METHODS[name].parameters)
        given = {**({"absent": absent} if leaves_out else {}), **params.get(name, {})}
        parameter, choices = VARIANTS.get(name, ("", ()))
        chosen = [{parameter: choice} for choice in choices if parameter not in given] or [{}]
        for one in chosen:
            full = complete_params(name, METHODS[name].parameters, {**given, **one})
            arms.append(Arm(name, full, f"{parameter} = {full[parameter]}" if parameter else ""))
    return arms


def spread(values: Sequence[float | None]) -> Value:
    """The mean of what is defined and finite, and the ends of its middle 95 %."""
    found = [value for value in values if value is not None and isfinite(value)]
    if not found:
        return Value(None, None, None, 0)
    low, high = np.quantile(found, [0.025, 0.975])
    return Value(float(np.mean(found)), float(low), float(high), len(found))


def bootstrapped(values: FloatArray) -> Value:
    """The mean of `values` (texts,), with its 95 % bootstrap interval over texts."""
    low, high = percentile_interval(bootstrap(lambda drawn: drawn @ values / drawn.sum(1), len(values)))
    return Value(float(values.mean()), float(low), float(high), len(values))


def judge(arm: Arm, setting: str, values: dict[str, Value], faults: Sequence[str], undefined: str = "") -> Row:
    """Undefined for a reason; else passed where there is no fault."""
    if undefined:
        return Row(arm, setting, values, UNDEFINED, undefined)
    return Row(arm, setting, values, FAILED if faults else PASSED, "; ".join(faults))
