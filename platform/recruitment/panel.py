"""Any panel that opens a link with parameters and wants its people back at an address of each outcome."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms

from recruitment.linking import kept, leave, read
from recruitment.provider import Arrival, Provider


class PanelForm(forms.Form):
    captured = forms.CharField(
        label="Parameters to keep",
        required=False,
        initial="",
        max_length=300,
        help_text="Of the panel's link, by commas; addresses to send workers to may hold them, such as {session}. "
        "Empty keeps all but the one that names the worker.",
    )

    def clean_captured(self) -> str:
        names = names_of(self.cleaned_data["captured"])
        odd = [name for name in names if not re.fullmatch(r"\w{1,60}", name)]
        if odd:
            raise forms.ValidationError(f"{odd[0]!r} cannot be a parameter's name: expected letters, digits and _.")
        return ", ".join(names)


def names_of(captured: str) -> list[str]:
    return [name.strip() for name in captured.split(",") if name.strip()]


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    arrival = read(query, worker_parameter)
    names = names_of(settings.get("captured") or "")
    return replace(arrival, parameters=kept(arrival, frozenset(names))) if names else arrival


PANEL = Provider(
    name="panel",
    label="A panel",
    summary="A panel's link names its workers, and takes them back at an address of each outcome.",
    arrive=arrive,
    leave=leave,
    named=True,
    settings=PanelForm,
)
