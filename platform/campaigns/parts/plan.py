"""What the researcher expects, and which comparisons it hangs on: said before launch, and frozen with the design."""

from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.parts.part import Part
from catalogue.baselines import BASELINES
from catalogue.imported import PREFIX, imported_label, is_imported
from catalogue.methods import METHODS
from protocols import Protocol

AGAINST = " against "
MOST_COMPARISONS = 30


class ComparisonsField(forms.CharField):
    """Pairs of arms, one a line, by name or label."""

    def prepare_value(self, value: Any) -> Any:
        return (
            "\n".join(f"{arm_label(a)}{AGAINST}{arm_label(b)}" for a, b in value) if isinstance(value, list) else value
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != data)

    def clean(self, value: Any) -> list[list[str]]:
        lines = [" ".join(line.split()) for line in super().clean(value).splitlines()]
        pairs = [_pair(number, line) for number, line in enumerate(lines, start=1) if line]
        if len(pairs) > MOST_COMPARISONS:
            raise forms.ValidationError(f"At most {MOST_COMPARISONS}: every one makes all others harder to show.")
        if len({frozenset(pair) for pair in pairs}) < len(pairs):
            raise forms.ValidationError("Two lines say the same comparison.")
        return pairs


def arm_label(name: str) -> str:
    if is_imported(name):
        return imported_label(name)
    known = METHODS.get(name) or BASELINES.get(name)
    return known.label if known else name


def _pair(number: int, line: str) -> list[str]:
    sides = [_arm(number, side.strip()) for side in line.split(AGAINST)]
    if len(sides) != 2 or sides[0] == sides[1]:
        raise forms.ValidationError(f"Line {number}: write two arms, such as “Integrated Gradients against Random”.")
    return sides


def _arm(number: int, said: str) -> str:
    known = {one.label.lower(): one.name for one in METHODS.values()}
    known |= {one.label.lower(): one.name for one in BASELINES.values()}
    name = known.get(said.lower(), said)
    if name in METHODS or name in BASELINES or is_imported(name):
        return name
    if said.endswith(imported_label(PREFIX)):
        return PREFIX + said.removesuffix(imported_label(PREFIX))
    raise forms.ValidationError(f"Line {number}: there is no arm {said!r}.")


class PlanPart(Part):
    key, title, after = "plan", "Pre-registration", "recruitment"
    layout = (("hypotheses",), ("comparisons",))
    comparisons = ComparisonsField(
        label="Main comparisons",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "lines"}),
        help_text="One a line, such as “Integrated Gradients against Random”. Empty: every arm against Random, or "
        "against no explanation where there is no Random.",
    )

    class Meta(Part.Meta):
        fields = ("hypotheses", "comparisons")
        widgets = {"hypotheses": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "hypotheses": "What you expect, and what would speak against it. Launching freezes it with the design, the "
            "exclusion rules and the analysis; the report says what came out otherwise than registered.",
        }

    def __init__(self, protocol: Protocol, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(protocol, data, **kwargs)
        if not protocol.maps:
            del self.fields["comparisons"]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        arms = {*_list(self.data, "methods"), *_list(self.data, "baselines")}
        absent = [arm for pair in data.get("comparisons", ()) for arm in pair if arm not in arms]
        if absent and arms:
            self.add_error("comparisons", f"{arm_label(absent[0])} is not among the arms chosen above.")
        return data


def _list(data: Mapping[str, Any], name: str) -> list[str]:
    found = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
    return list(found)
