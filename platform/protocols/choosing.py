"""What a protocol lets its researcher choose."""

from collections.abc import Mapping
from typing import Any

from django import forms


class SettingsForm(forms.Form):
    """Cleaned data can be written as JSON. A field's initial value is its default, sent or not."""

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.unsent = [name for name in self.fields if self.is_bound and self._is_unsent(name)]
        for name in self.unsent:
            self.fields[name].required = False

    def _is_unsent(self, name: str) -> bool:
        """Boxes that are not ticked are never sent: they are off, whatever the default."""
        widget = self.fields[name].widget
        return bool(widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name)))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        return data | {name: self.fields[name].initial for name in self.unsent}

    @classmethod
    def complete(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """With the defaults for what was not chosen."""
        return {name: chosen.get(name, field.initial) for name, field in cls.base_fields.items()}


def one_of(label: str, choices: Mapping[str, str], help_text: str = "") -> forms.ChoiceField:
    """Radio buttons; the first choice is the default."""
    return forms.ChoiceField(
        label=label,
        choices=list(choices.items()),
        initial=next(iter(choices)),
        widget=forms.RadioSelect,
        help_text=help_text,
    )
