"""The campaigns that a researcher may read, as a list that can be narrowed, ordered and turned over."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.urls import reverse

from accounts.access import readable
from accounts.models import Team, User
from campaigns.going import going
from campaigns.models import Campaign
from campaigns.moving import State
from campaigns.sketching import begun
from materials.counting import counted
from materials.removing import Kind, removals_of

ON_A_PAGE = 25
ASIDE = "aside"
STATES = [("", "All"), *State.choices, (ASIDE, "Put aside")]
ORDERS = {"": "Newest first", "oldest": "Oldest first", "name": "Name", "state": "State"}
# What goes on stands before what is over.
BY_STATE = (State.LIVE, State.PAUSED, State.READY, State.PREPARING, State.DRAFT, State.CLOSED)


class CampaignFilterForm(forms.Form):
    """What is not there, or is none of the choices, narrows nothing."""

    q = forms.CharField(label="Name", required=False, max_length=120, widget=forms.TextInput(attrs={"type": "search"}))
    state = forms.ChoiceField(label="State", required=False, choices=STATES)
    team = forms.ModelChoiceField(Team.objects.none(), label="Team", required=False, empty_label="All")
    order = forms.ChoiceField(label="Order", required=False, choices=list(ORDERS.items()))

    def __init__(self, user: User, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        teams = readable(Team.objects.order_by("name"), user)
        if len(teams) > 1:
            self.fields["team"].queryset = teams  # type: ignore[attr-defined]
        else:
            del self.fields["team"]
        self.is_valid()

    def rows(self, mine: QuerySet[Campaign]) -> QuerySet[Campaign]:
        said = self.cleaned_data
        rows = mine.filter(archived_at__isnull=said.get("state") != ASIDE)
        if said.get("q"):
            rows = rows.filter(Q(name__icontains=said["q"]) | Q(slug__icontains=said["q"]))
        if said.get("state") in State.values:
            rows = rows.filter(state=said["state"])
        if said.get("team"):
            rows = rows.filter(team=said["team"])
        return _ordered(rows, said.get("order", ""))


def _ordered(rows: QuerySet[Campaign], order: str) -> QuerySet[Campaign]:
    if order == "state":
        cases = (When(state=state, then=Value(at)) for at, state in enumerate(BY_STATE))
        return rows.annotate(place=Case(*cases, output_field=IntegerField())).order_by("place", "-created_at", "-pk")
    return rows.order_by(*{"oldest": ["created_at", "pk"], "name": ["name", "pk"]}.get(order, ["-created_at", "-pk"]))


def campaigns_page(user: User, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A constant number of queries, whatever the number and the size of the campaigns."""
    form = CampaignFilterForm(user, asked)
    mine = readable(Campaign.objects.all(), user)
    shown = form.rows(mine).select_related("dataset", "classifier", "team")
    page = Paginator(shown, ON_A_PAGE).get_page(asked.get("page"))
    narrowed = any(form.cleaned_data.values())
    return {
        "form": form,
        "clear": reverse("campaign_list"),
        "page": page,
        "rows": going(page.object_list),
        "found": counted(page.paginator.count, "campaign") if narrowed else "",
        "narrowed": narrowed,
        "any": page.paginator.count > 0 or mine.exists(),
        "removals": removals_of(user, Kind.CAMPAIGN),
        "begun": [] if narrowed else begun(user),
        "several_teams": "team" in form.fields,
    }
