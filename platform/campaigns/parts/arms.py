"""Arms besides the methods, how maps are drawn, and who meets which of them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MinValueValidator

from campaigns.models import Campaign
from campaigns.parts.part import Part
from catalogue.baselines import BASELINES
from protocols import Protocol
from protocols.displays import DISPLAYS


class ArmsPart(Part):
    key, title, after = "arms", "Arms and workers", "design"
    layout = (
        ("baselines",),
        ("displays",),
        ("examples_per_label",),
        ("allocation",),
        ("block_size",),
        ("once_per_dataset",),
        ("unfinished_count",),
    )
    baselines = forms.MultipleChoiceField(
        label="Baselines",
        choices=[(one.name, one.label) for one in BASELINES.values()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    displays = forms.MultipleChoiceField(
        label="How scores are shown",
        choices=[(one.name, one.label) for one in DISPLAYS.values()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one way to show the scores."},
        help_text="Each multiplies the conditions.",
    )

    class Meta(Part.Meta):
        fields = (
            "baselines",
            "displays",
            "examples_per_label",
            "allocation",
            "block_size",
            "once_per_dataset",
            "unfinished_count",
        )
        labels = {
            "allocation": "Which worker meets what",
            "block_size": "Items between two breaks",
            "once_per_dataset": "Nobody meets a text again in another campaign of this dataset",
            "unfinished_count": "Judgments of workers who stop half way count",
            "examples_per_label": "Solved examples per label",
        }
        help_texts = {
            "block_size": "0 for no breaks.",
            "once_per_dataset": "Of those campaigns that say so too.",
            "unfinished_count": "Otherwise their places are given to others.",
            "examples_per_label": "Workers learn from these before they are asked.",
        }

    def __init__(self, protocol: Protocol, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(protocol, data, **kwargs)
        self._offer("baselines", protocol.baselines)
        self._offer("displays", protocol.displays)
        if not protocol.learning:
            del self.fields["examples_per_label"]
        else:
            self.fields["examples_per_label"].validators.append(MinValueValidator(1))
        if protocol.between:
            del self.fields["allocation"]
            self.instance.allocation = Campaign.Allocation.BETWEEN

    def _offer(self, name: str, offered: tuple[str, ...]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(value, label) for value, label in field.choices if value in offered]  # type: ignore[union-attr, misc]
        if len(offered) < (2 if name == "displays" else 1):
            del self.fields[name]
