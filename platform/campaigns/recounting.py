"""What a campaign is set to beyond its texts and methods, in lines for its page; what is not used is left out."""

from collections.abc import Iterator
from typing import Any

from django import forms

from analysis.quality.rules import RULES
from campaigns.models import Campaign
from campaigns.recognising import protocol_of
from catalogue.baselines import BASELINES
from catalogue.languages import LANGUAGES
from materials.counting import counted
from protocols.displays import DISPLAYS
from recruitment import PROVIDERS

Line = tuple[str, str]


def of_the_task(campaign: Campaign) -> list[Line]:
    protocol = protocol_of(campaign)
    lines = [("Arms without a map", ", ".join(BASELINES[name].label for name in campaign.baselines))]
    if len(protocol.displays) > 1:
        lines.append(("Scores shown as", ", ".join(DISPLAYS[name].label for name in campaign.displays)))
    if protocol.settings:
        chosen = protocol.complete_settings(campaign.protocol_settings)
        fields = protocol.settings.base_fields
        lines += [(str(field.label), _said(field, chosen.get(name))) for name, field in fields.items()]
    return [(name, said) for name, said in lines if said]


def _said(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.BooleanField):
        return "yes" if value else "no"
    if isinstance(field, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in field.choices}  # type: ignore[union-attr, misc]
        return ", ".join(labels.get(str(one), str(one)) for one in (value if isinstance(value, list) else [value]))
    if isinstance(value, list):
        return counted(len(value), "question") if value else ""
    return "" if value is None else str(value)


def of_the_workers(campaign: Campaign) -> list[Line]:
    """Quality, care, languages and recruitment."""
    return [(name, said) for name, said in (*_quality(campaign), *_care(campaign), *_ways(campaign)) if said]


def _quality(campaign: Campaign) -> Iterator[Line]:
    needed = f", {campaign.practice_needed} of them right to go on" if campaign.practice_needed else ""
    yield "Practice", counted(campaign.practice_items, "text") + needed
    yield "About the instructions", _questions(campaign.comprehension)
    yield "Attention checks", _questions(campaign.checks)
    yield "With a known answer", counted(campaign.gold_items, "item") if campaign.gold_items else ""
    yield "Exclusion rules", ", ".join(RULES[name].label for name in campaign.rules) or "none"


def _care(campaign: Campaign) -> Iterator[Line]:
    yield "Content warning", campaign.content_warning
    yield "Before the work", _questions(campaign.demographics)
    yield "After the work", _questions(campaign.survey)
    yield "Debriefing", "shown before the code" if campaign.debrief else ""
    months = campaign.retention_months
    yield "What could lead to workers", f"removed {counted(months, 'month')} after closing" if months else ""


def _ways(campaign: Campaign) -> Iterator[Line]:
    codes = [campaign.language, *campaign.translations]
    yield "Languages", ", ".join(LANGUAGES[code].english if code in LANGUAGES else code for code in codes)
    yield "Workers come from", PROVIDERS[campaign.recruitment].label


def _questions(asked: list[Any]) -> str:
    return counted(len(asked), "question") if asked else ""
