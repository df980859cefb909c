"""Acts that cannot be undone are confirmed by typing the name of what goes (templates/components/confirm.html)."""

from collections.abc import Mapping
from typing import Any

from django import forms


class ConfirmForm(forms.Form):
    typed = forms.CharField(max_length=300, error_messages={"required": "Type the name to confirm."})

    def __init__(self, name: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.name = " ".join(name.split())

    def clean_typed(self) -> str:
        typed = " ".join(self.cleaned_data["typed"].split())
        if typed != self.name:
            raise forms.ValidationError(f"That is not “{self.name}”: type it as it stands here, capitals included.")
        return typed
