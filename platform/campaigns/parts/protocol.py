"""What only the chosen protocol asks its researcher, such as the ends of a scale."""

from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.parts.part import Part
from protocols import Protocol

PREFIX = "protocol"


class ProtocolPart(Part):
    key, title, after = "task", "The task", "study"

    class Meta(Part.Meta):
        fields = ()

    def __init__(self, protocol: Protocol, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(protocol, data, **kwargs)
        assert protocol.settings is not None
        chosen = protocol.complete_settings(self.instance.protocol_settings)
        self.asked = protocol.settings(data, initial=chosen, prefix=PREFIX)

    @classmethod
    def applies(cls, protocol: Protocol) -> bool:
        return protocol.settings is not None

    def lines(self) -> list[list[forms.BoundField]]:
        return [[field] for field in self.asked]

    def is_valid(self) -> bool:
        if not (self.is_bound and self.asked.is_valid()):
            return False
        self.instance.protocol_settings = self.asked.cleaned_data
        return super().is_valid()
