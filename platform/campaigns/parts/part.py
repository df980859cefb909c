"""One section of the wizard beside what every campaign has: fields of the campaign with a form of their own."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms

from campaigns.models import Campaign
from protocols import Protocol


class Part(forms.ModelForm[Campaign]):
    """`after` is the key of the section it follows, `layout` what stands side by side.

    A valid part has set its fields on the campaign, which it shares with the wizard's form.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    after: ClassVar[str]
    layout: ClassVar[Sequence[Sequence[str]]]

    class Meta:
        model = Campaign
        fields: Sequence[str] = ()

    def __init__(self, protocol: Protocol, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.protocol = protocol
        for name in self._with_defaults():
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """What is left empty stands at its default."""
        data = super().clean() or self.cleaned_data
        for name, default in self._with_defaults().items():
            if data.get(name) in ("", None):
                data[name] = default
        return data

    def _with_defaults(self) -> dict[str, Any]:
        fields = {field.name: field for field in Campaign._meta.concrete_fields if field.name in self.fields}
        return {name: field.get_default() for name, field in fields.items() if field.has_default() and not field.blank}

    @classmethod
    def applies(cls, protocol: Protocol) -> bool:
        return True

    def lines(self) -> list[list[forms.BoundField]]:
        """Without the fields that this protocol does not have."""
        found = [[self[name] for name in line if name in self.fields] for line in self.layout]
        return [line for line in found if line]
