"""Which two campaigns are to be compared, and what comes of it: made anew only when there are new judgments."""

from typing import Any

from django import forms
from django.core.cache import cache
from django.db.models import QuerySet

from accounts.access import readable
from accounts.models import User
from analysis.bootstrap import REPLICATES
from campaigns.models import Campaign
from reports.aggregating import CACHED_SECONDS, data_key, study_of
from reports.building import is_too_large
from reports.comparing import Contrast, compare
from reports.measuring import Settings

ROWS = Campaign.objects.select_related("team", "dataset", "classifier", "run")
SAME = "Choose two campaigns: these are one."
LARGE = "{} has too many judgments to compare while you wait: compare the scores in the two reports."


class _CampaignField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """By slug, and named with it: campaigns may bear one name."""

    def __init__(self, label: str) -> None:
        super().__init__(Campaign.objects.none(), to_field_name="slug", label=label, empty_label="Choose a campaign")

    def label_from_instance(self, campaign: Campaign) -> str:
        return f"{campaign.name} ({campaign.slug})"


class CompareForm(forms.Form):
    a = _CampaignField("Campaign")
    b = _CampaignField("With campaign")

    def __init__(self, campaigns: QuerySet[Campaign], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("a", "b"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = campaigns

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        one, other = cleaned.get("a"), cleaned.get("b")
        if one and one == other:
            raise forms.ValidationError(SAME)
        for campaign in (one, other):
            if campaign and is_too_large(campaign):
                raise forms.ValidationError(LARGE.format(campaign.name))
        return cleaned


_UNANSWERED = (Campaign.State.DRAFT, Campaign.State.PREPARING, Campaign.State.READY)


def comparable(user: User) -> QuerySet[Campaign]:
    """The user's campaigns to which there are answers."""
    return readable(ROWS, user).exclude(state__in=_UNANSWERED).order_by("name", "pk")


def contrast_of(one: Campaign, other: Campaign) -> Contrast:
    key = f"contrast:{data_key(one)}:{data_key(other)}"
    contrast: Contrast | None = cache.get(key)
    if contrast is None:
        contrast = compare(study_of(one), study_of(other), Settings(0, REPLICATES))
        cache.set(key, contrast, CACHED_SECONDS)
    return contrast
