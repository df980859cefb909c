from typing import Any

from django import forms

from accounts.access import editable_teams
from accounts.models import Team, User
from webhooks.events import EVENTS
from webhooks.models import Endpoint
from webhooks.registering import check_url


class EndpointForm(forms.ModelForm[Endpoint]):
    url = forms.CharField(
        label="Address",
        max_length=500,
        validators=[check_url],
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/peekaword"}),
        help_text=(
            "On the internet, by https://. It is sent a signed POST request, and answers 2xx within ten seconds. "
            "An address in a network of your own has to be opened first, by whoever runs this server "
            "(the setting WEBHOOK_NETWORKS)."
        ),
    )
    events = forms.MultipleChoiceField(
        label="Events",
        choices=list(EVENTS.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one event."},
    )

    class Meta:
        model = Endpoint
        fields = ["url", "events", "active"]
        labels = {"active": "Switched on"}


class NewEndpointForm(EndpointForm):
    """With the team whose events it gets."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    field_order = ["team", "url", "events"]

    class Meta(EndpointForm.Meta):
        fields = ["url", "events"]

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team = self.fields["team"]
        assert isinstance(team, forms.ModelChoiceField)
        team.queryset = editable_teams(user)
        if team.queryset.count() == 1:
            team.widget, team.initial = forms.HiddenInput(), team.queryset.get()
