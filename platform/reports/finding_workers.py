"""Which participants are asked for, and in what order, without reading a judgment unless a rule is asked about."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import F, Q, QuerySet

from campaigns.models import Campaign
from judging.arriving import worker_hash
from judging.models import Participation
from judging.paying import REFERENCES
from judging.signalling import excluded_by_rule

EXCLUDED, BREAKING = "excluded", "breaking"
# What a list can be narrowed to, in the order of the choices.
FILTERS = {
    "": "All",
    "practised": "Judging",
    "completed": "Completed",
    "screened_out": "Screened out",
    "returned": "Returned",
    "timed_out": "Timed out",
    "declined": "Declined",
    BREAKING: "Breaking a rule",
    EXCLUDED: "Excluded by hand",
}
SPENT = F("finished_at") - F("started_at")
ORDERS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "": ("Newest first", ("-pk",)),
    "oldest": ("Oldest first", ("pk",)),
    "items": ("Most items that count", ("-counted", "-pk")),
    "shortest": ("Shortest from first to last item", (SPENT.asc(nulls_last=True), "-pk")),
    "longest": ("Longest from first to last item", (SPENT.desc(nulls_last=True), "-pk")),
    "ended": ("Ended last", (F("finished_at").desc(nulls_last=True), "-pk")),
}
# As pages and reports write a worker's number.
LONGEST_NUMBER = 18


class WorkerFilterForm(forms.Form):
    """What is not there, or is none of the choices, narrows nothing."""

    q = forms.CharField(
        label="Worker",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "w12, or the recruiter’s id"}),
    )
    state = forms.ChoiceField(label="State", required=False, choices=list(FILTERS.items()))
    order = forms.ChoiceField(
        label="Order", required=False, choices=[(name, label) for name, (label, _) in ORDERS.items()]
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.is_valid()

    @property
    def narrows(self) -> bool:
        return bool(self.cleaned_data.get("q") or self.cleaned_data.get("state"))

    def rows(self, campaign: Campaign) -> QuerySet[Participation]:
        said = self.cleaned_data
        rows = _in_state(campaign, said.get("state", ""))
        if said.get("q"):
            rows = rows.filter(_called(campaign, said["q"]))
        return rows.order_by(*ORDERS[said.get("order", "")][1])


def _in_state(campaign: Campaign, chosen: str) -> QuerySet[Participation]:
    rows = campaign.participations.all()
    if chosen == EXCLUDED:
        return rows.filter(excluded_at__isnull=False)
    if chosen == BREAKING:
        return rows.filter(pk__in=list(excluded_by_rule(campaign)))
    return rows.filter(state=chosen) if chosen else rows


def _called(campaign: Campaign, said: str) -> Q:
    """By the number here, by the recruiter's reference of the visit, or by the recruiter's id of the worker, of which
    only a keyed hash is stored: the whole of it has to be given."""
    number = said.removeprefix("w").removeprefix("W")
    found = Q(worker_hash=worker_hash(campaign, said))
    for name in REFERENCES:
        found |= Q(**{f"parameters__{name}": said})
    if number.isdecimal() and len(number) <= LONGEST_NUMBER:
        found |= Q(known_as=int(number)) | Q(known_as=None, pk=int(number))
    return found
