"""The arms of a campaign: its methods, each with the parameters that were chosen for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaigns.models import Campaign
from catalogue.documenting import allowed, shown_default
from catalogue.methods import METHODS, Method
from catalogue.parameters import Parameter, complete_params, parse_value
from materials.picturing import settings_of
from materials.resolving import resolve_all

MethodParams = Mapping[str, Mapping[str, Any]]


def arms(campaign: Campaign) -> dict[str, Method]:
    """By name. Their parameters stand at the chosen values, which `params_of` then gives."""
    methods = resolve_all(campaign.methods, campaign.team)
    return {name: settled(method, campaign.method_params.get(name, {})) for name, method in methods.items()}


def settled(method: Method, chosen: Mapping[str, Any]) -> Method:
    """The method with these in place of its defaults, and with the sign that they give its scores."""
    params = complete_params(method.name, method.parameters, chosen)
    parameters = tuple(replace(one, default=params[one.name]) for one in method.parameters)
    return replace(method, parameters=parameters, signed=method.signed_with(params))


def described(method: Method) -> str:
    """Its label, with what is not as the catalogue has it."""
    usual = METHODS.get(method.name, method)
    settings = settings_of(usual, {one.name: one.default for one in method.parameters})
    said = ", ".join(f"{name} = {value}" for name, value in settings.items())
    return f"{method.label} ({said})" if said else method.label


def field_name(method: str, parameter: str) -> str:
    """Of the input in the wizard."""
    return f"param-{method}-{parameter}"


def read_params(methods: Iterable[Method], data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What differs from the defaults, by method; ValueError says which value cannot be. Imported maps are as made."""
    chosen: dict[str, dict[str, Any]] = {}
    for method in (one for one in methods if one.name in METHODS):
        given = {one: str(data.get(field_name(method.name, one.name), "")).strip() for one in method.parameters}
        values = {one.name: parse_value(method.label, one, raw) for one, raw in given.items() if raw}
        complete_params(method.label, method.parameters, values)
        if different := settings_of(method, values):
            chosen[method.name] = different
    return chosen


@dataclass(frozen=True)
class Setting:
    """One parameter in the wizard; `value` is empty where the default stands."""

    field: str
    parameter: Parameter
    value: str

    @property
    def default(self) -> str:
        return shown_default(self.parameter)

    @property
    def choices(self) -> Sequence[str]:
        return ("True", "False") if isinstance(self.parameter.default, bool) else self.parameter.choices

    @property
    def hint(self) -> str:
        values = "" if self.choices else allowed(self.parameter)
        return f"{self.parameter.description}{values and f' ({values})'}"


@dataclass(frozen=True)
class Choice:
    """A method in the wizard; `known` says what it is worth, where that is known."""

    method: Method
    chosen: bool
    settings: Sequence[Setting]
    known: str = ""

    @property
    def is_set(self) -> bool:
        return any(setting.value for setting in self.settings)


def families(
    methods: Iterable[Method], chosen: Iterable[str], values: Mapping[str, str], known: Mapping[str, str]
) -> list[tuple[str, list[Choice]]]:
    """The methods to choose from, by family; `values` are what stands in the inputs of parameters.

    `known`: a line by method, of those of which something is known.
    """
    found: dict[str, list[Choice]] = {}
    for method in methods:
        names = [(field_name(method.name, one.name), one) for one in method.parameters]
        settings = [Setting(field, one, values.get(field, "")) for field, one in names]
        # How imported maps were made is no longer to be chosen.
        settings = settings if method.name in METHODS else []
        choice = Choice(method, method.name in chosen, settings, known.get(method.name, ""))
        found.setdefault(method.family, []).append(choice)
    return list(found.items())


def values_of(params: MethodParams) -> dict[str, str]:
    """As the inputs show them."""
    return {
        field_name(method, name): ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for method, given in params.items()
        for name, value in given.items()
    }
