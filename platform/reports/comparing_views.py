"""Two campaigns compared on one page."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import get_readable, readable
from analysis.bootstrap import REPLICATES
from campaigns.models import Campaign
from reports.aggregating import CACHED_SECONDS, data_key, study_of
from reports.building import is_too_large
from reports.bundling import bundle_name
from reports.comparing import Contrast, compare, contrast_figure, contrast_table
from reports.drawing import draw_all
from reports.measuring import Settings
from reports.presenting import make_chart

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


@login_required
@require_safe
def compare_campaigns(request: HttpRequest) -> HttpResponse:
    for name in ("a", "b"):
        if slug := request.GET.get(name):
            get_readable(ROWS, request.user, slug=slug)
    both = bool(request.GET.get("a") and request.GET.get("b"))
    campaigns = readable(ROWS, request.user).exclude(state__in=_UNANSWERED).order_by("name", "pk")
    form = CompareForm(campaigns, request.GET if both else None, initial=request.GET.dict())
    shown = {"form": form, "bundle": bundle_name()}
    valid = both and form.is_valid()
    if valid:
        shown |= _compared(form.cleaned_data["a"], form.cleaned_data["b"])
    return render(request, "reports/compare.html", shown, status=400 if both and not valid else 200)


_UNANSWERED = (Campaign.State.DRAFT, Campaign.State.PREPARING, Campaign.State.READY)


def _compared(one: Campaign, other: Campaign) -> dict[str, Any]:
    """Made anew only when there are new judgments in either."""
    key = f"contrast:{data_key(one)}:{data_key(other)}"
    contrast: Contrast | None = cache.get(key)
    if contrast is None:
        contrast = compare(study_of(one), study_of(other), Settings(0, REPLICATES))
        cache.set(key, contrast, CACHED_SECONDS)
    names = (one.name, other.name) if one.name != other.name else (one.slug, other.slug)
    table, figures = contrast_table(contrast, names), contrast_figure(contrast, names)
    drawn = draw_all(figures)
    charts = [make_chart(figure, drawn, [table]) for figure in figures]
    return {"contrast": contrast, "table": table, "charts": charts, "one": one, "other": other, "names": names}
