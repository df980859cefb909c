"""What every source of workers tells the rest of the house. Plain data in, plain data out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django import forms

# Whom the link lets in: anybody who has it, holders of an invitation of their own, or those who know a code.
Entry = Literal["anyone", "invitation", "code"]


@dataclass(frozen=True)
class Arrival:
    """`worker` is the recruiter's own id of the worker, empty where the link carried none. `ticket` is an invitation
    or a class code. A `preview` is somebody who only looks, and is not taken in."""

    worker: str
    parameters: dict[str, str]
    ticket: str = ""
    preview: bool = False


@dataclass(frozen=True)
class Way:
    """What the researcher has set for one outcome: a code to show, and an address that may hold {code}."""

    code: str = ""
    redirect: str = ""


@dataclass(frozen=True)
class Exit:
    """The way back: a link, or, where there are `fields`, an address that takes them by POST. Empty where none."""

    url: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Provider:
    """`arrive(query, worker_parameter, settings)` reads the link, `leave(outcome, way, parameters)` builds the way out.

    `parameter` names the worker where the provider decides that, `query` is what it fills into the link. `named` takes
    nobody in whom the link does not name. `statuses` maps the provider's to an outcome, or to "started" or "rejected".
    `framed`: the provider shows our pages inside its own.
    """

    name: str
    label: str
    summary: str
    arrive: Callable[[Mapping[str, str], str, Mapping[str, Any]], Arrival]
    leave: Callable[[str, Way, Mapping[str, str]], Exit]
    entry: Entry = "anyone"
    parameter: str = ""
    query: str = ""
    named: bool = False
    framed: bool = False
    statuses: Mapping[str, str] = field(default_factory=dict)
    settings: type[forms.Form] | None = None

    def complete_settings(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """What is chosen, and the initial value of the rest."""
        asked = self.settings().fields if self.settings else {}
        return {name: chosen.get(name, one.initial) for name, one in asked.items()}
