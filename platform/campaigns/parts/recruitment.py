"""Where workers come from, and how each outcome sends them back."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms

from campaigns.fields import ExitField
from campaigns.models import Campaign
from campaigns.parts.part import Part
from protocols import Protocol
from recruitment import OUTCOMES, PROVIDERS, Provider
from recruitment.outcomes import COMPLETED, OTHERS


class Row(NamedTuple):
    """The fields of one outcome."""

    name: str
    label: str
    meaning: str
    fields: tuple[forms.BoundField, ...]


class RecruitmentPart(Part):
    key, title, after = "recruiting", "Recruitment", "wording"
    layout = (("recruitment",), ("completion_code",))
    recruitment = forms.ChoiceField(
        label="Workers come from",
        choices=[(provider.name, provider.label) for provider in PROVIDERS.values()],
        widget=forms.RadioSelect,
        required=False,
    )
    exit_redirect = ExitField(
        label="Address to send workers to",
        required=False,
        help_text="Workers go there with one click when they are done; {code} stands for the code, {name} for a "
        "parameter that they came with. Prolific's own is filled in where this is empty.",
    )

    class Meta(Part.Meta):
        fields = ("recruitment", "worker_parameter", "completion_code", "exit_redirect", "exit_message")
        widgets = {"exit_message": forms.Textarea(attrs={"rows": 2})}
        labels = {"worker_parameter": "Parameter that names the worker", "exit_message": "Message at the end"}
        help_texts = {
            "worker_parameter": "Of the link. Only a keyed hash of its value is stored.",
            "completion_code": "Shown at the end, so that the platform can pay.",
        }

    def __init__(self, protocol: Protocol, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(protocol, data, **kwargs)
        exits = self.initial.get("exits") or self.instance.exits
        for name in OTHERS:
            self.fields |= _fields(name, exits.get(name, {}))
        self.asked = {
            provider.name: provider.settings(
                data, initial=provider.complete_settings(self.instance.recruitment_settings), prefix=provider.name
            )
            for provider in PROVIDERS.values()
            if provider.settings
        }

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        provider = PROVIDERS[data.get("recruitment") or "open_link"]
        data["recruitment"] = provider.name
        data["worker_parameter"] = provider.parameter or data.get("worker_parameter")
        self._check_completion(data, provider)
        self._check_codes(data)
        self.instance.exits = {name: way for name in OTHERS if any((way := self._way(data, name)).values())}
        self.instance.recruitment_settings = self._settings(provider)
        return data

    def _check_completion(self, data: dict[str, Any], provider: Provider) -> None:
        code, redirect = data.get("completion_code"), data.get("exit_redirect") or ""
        if code or provider.framed or "exit_redirect" not in data:
            return
        if not redirect or "{code}" in redirect:
            where = "fills the place of {code} in the address" if redirect else "shows that they are done"
            self.add_error("completion_code", f"Workers need a code that {where}: any word will do.")

    def _check_codes(self, data: dict[str, Any]) -> None:
        """Two outcomes with one code would look the same to the recruiter."""
        seen = {data.get("completion_code"): OUTCOMES[COMPLETED].label}
        for name in OTHERS:
            code, redirect = data.get(f"{name}_code"), data.get(f"{name}_redirect") or ""
            if code and code in seen:
                self.add_error(f"{name}_code", f"“{seen[code]}” has this code already: give each its own.")
            if not code and "{code}" in redirect:
                self.add_error(f"{name}_code", "Give a code to fill the place of {code} in the address.")
            seen[code] = OUTCOMES[name].label

    def _way(self, data: dict[str, Any], name: str) -> dict[str, str]:
        return {part: data.get(f"{name}_{part}") or "" for part in ("code", "redirect", "message")}

    def _settings(self, provider: Provider) -> dict[str, Any]:
        form = self.asked.get(provider.name)
        return form.cleaned_data if form and form.is_valid() else {}

    def is_valid(self) -> bool:
        """With the chosen provider's own settings, and nobody else's."""
        chosen = self.asked.get(self.cleaned_data.get("recruitment", "")) if super().is_valid() else None
        return super().is_valid() and (chosen is None or chosen.is_valid())

    def rows(self) -> Iterator[Row]:
        for name in OTHERS:
            fields = tuple(self[f"{name}_{part}"] for part in ("code", "redirect", "message"))
            yield Row(name, OUTCOMES[name].label, OUTCOMES[name].meaning, fields)

    def choices(self) -> list[tuple[forms.boundfield.BoundWidget, Provider]]:
        return list(zip(self["recruitment"], PROVIDERS.values(), strict=True))

    def has_other_errors(self) -> bool:
        return any(row_field.errors for row in self.rows() for row_field in row.fields)


def _fields(name: str, way: Mapping[str, str]) -> dict[str, forms.Field]:
    longest = Campaign._meta.get_field("completion_code").max_length
    return {
        f"{name}_code": forms.CharField(label="Code", required=False, max_length=longest, initial=way.get("code", "")),
        f"{name}_redirect": ExitField(label="Address", required=False, initial=way.get("redirect", "")),
        f"{name}_message": forms.CharField(
            label="Message", required=False, max_length=1000, initial=way.get("message", "")
        ),
    }
