"""Arms besides the methods, how maps are drawn, and who meets which of them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MinValueValidator

from campaigns.fields import NotedCheckboxSelectMultiple, NotedRadioSelect
from campaigns.models import Campaign
from campaigns.parts.part import Part
from catalogue.baselines import BASELINES
from protocols import Protocol
from protocols.displays import DISPLAYS

ALLOCATIONS: dict[str, str] = {
    Campaign.Allocation.LEAST_FILLED: (
        "The usual choice. Every worker meets all methods equally often, so that they are compared within each person, "
        "and any number of workers fills all conditions evenly."
    ),
    Campaign.Allocation.LATIN_SQUARE: (
        "Fixed lists: on each, every text stands under one condition, and every condition comes equally often with "
        "each label. Each list needs workers of its own."
    ),
    Campaign.Allocation.BETWEEN: (
        "No method colours how the next one is read, and workers get used to theirs. People differ, so this takes more "
        "of them for the same certainty. What else varies, such as the number of words, still does."
    ),
}
DRAWN = {
    "colour": "Stronger words have a stronger ground. Easiest to read on; least exact.",
    "bars": "A bar below each word. Exact, and long words look no more important than short ones.",
    "corrected": "Colour in finer steps, paler for long words, which people take for more important than they are.",
}


class ArmsPart(Part):
    key, title, after = "arms", "Arms and workers", "design"
    layout = (
        ("baselines",),
        ("displays",),
        ("examples_per_label",),
        ("allocation",),
        ("block_size",),
    )
    baselines = forms.MultipleChoiceField(
        label="Arms without a map",
        choices=[(one.name, one.label) for one in BASELINES.values()],
        widget=NotedCheckboxSelectMultiple({one.name: one.description for one in BASELINES.values()}),
        required=False,
        help_text="What the methods are held against. Random, among the methods, is one more such arm.",
    )
    displays = forms.MultipleChoiceField(
        label="How scores are shown",
        choices=[(one.name, one.label) for one in DISPLAYS.values()],
        widget=NotedCheckboxSelectMultiple(DRAWN),
        error_messages={"required": "Choose at least one way to show the scores."},
        help_text="With more than one, every method is judged in each: they multiply the conditions.",
    )

    class Meta(Part.Meta):
        fields = (
            "baselines",
            "displays",
            "examples_per_label",
            "allocation",
            "block_size",
            "idle_minutes",
            "once_per_dataset",
            "unfinished_count",
        )
        widgets = {"allocation": NotedRadioSelect(ALLOCATIONS)}
        labels = {
            "allocation": "Which worker meets what",
            "block_size": "Items between two breaks",
            "idle_minutes": "Minutes a worker may be idle",
            "once_per_dataset": "Nobody meets a text again in another campaign of this dataset",
            "unfinished_count": "Judgments of workers who stop half way count",
            "examples_per_label": "Solved examples per label",
        }
        help_texts = {
            "block_size": "0 for no breaks. No time runs during a break.",
            "idle_minutes": "Then others are asked. Whoever comes back goes on. 0 for no limit.",
            "once_per_dataset": "Among those campaigns that say so too, as far as the link names the worker.",
            "unfinished_count": "Otherwise they are kept in the export, and others are asked for the same texts.",
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
        # With one arm alone there is nothing to choose.
        if protocol.between or not protocol.maps:
            del self.fields["allocation"]
            allocations = Campaign.Allocation
            self.instance.allocation = allocations.BETWEEN if protocol.between else allocations.LEAST_FILLED

    def has_breaks(self) -> bool:
        """Whether anything of the fold differs from what stands by itself."""
        folded = ("block_size", "idle_minutes", "once_per_dataset", "unfinished_count")
        usual = Campaign()
        return any(
            self[name].errors or str(self[name].value()) not in ("", "None", str(getattr(usual, name)))
            for name in folded
        )

    def _offer(self, name: str, offered: tuple[str, ...]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(value, label) for value, label in field.choices if value in offered]  # type: ignore[union-attr, misc]
        if len(offered) < (2 if name == "displays" else 1):
            del self.fields[name]
