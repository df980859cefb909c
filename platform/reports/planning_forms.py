from dataclasses import replace
from typing import Any

from django import forms
from django.conf import settings

from accounts.access import readable
from accounts.models import User
from analysis.planning.assumptions import DEFAULTS, GRADED, WITHOUT_POWER, Assumptions
from analysis.planning.composing import USUAL_WIDTH, WIDTHS, Asked, problem_of
from analysis.planning.designing import Pay
from analysis.planning.piloting import Pilot, PilotError, pilot
from analysis.planning.powering import ALPHA
from analysis.planning.searching import POWER
from analysis.study import MARKING, PAIRWISE
from campaigns.models import Campaign
from protocols import PROTOCOLS
from reports.aggregating import study_of

# So that the page answers in a second or two; the command simulates more.
BUDGET = 2_000_000
SHARES = {"share_texts": "text", "share_maps": "text_method", "share_workers": "worker"}
ASSUMED = {"base": "base", "effect": "effect", "seconds": "seconds", "ks": "steps", **SHARES}


RARE = (*SHARES, "alpha")
LINES = (
    ("protocol", "pilot"),
    ("effect", "base", "power", "width"),
    ("methods", "ks", "judgments", "load"),
    ("pay", "seconds"),
)


def _unused(protocol: str) -> tuple[str, ...]:
    ks = () if PROTOCOLS[protocol].needs_k else ("ks",)
    if protocol in WITHOUT_POWER:
        return (*ks, "effect", "power", "methods")
    return (*ks, "width", "base") if protocol == PAIRWISE else (*ks, "width")


def whole(label: str, most: int, initial: int | None = None, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=1, max_value=most, initial=initial, required=False, help_text=help_text
    )


def number(label: str, low: float, high: float, initial: float | None = None, help_text: str = "") -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(
        label=label, min_value=low, max_value=high, initial=initial, required=False, help_text=help_text, widget=widget
    )


class PlanForm(forms.Form):
    """What is left empty stands as the protocol, or the pilot, has it."""

    protocol = forms.ChoiceField(label="What workers do", choices=[(one.name, one.label) for one in PROTOCOLS.values()])
    pilot = forms.ModelChoiceField(
        Campaign.objects.none(), label="Pilot campaign", to_field_name="slug", required=False, empty_label="None"
    )
    effect = number("Difference worth finding", -100, 100)
    base = number("Score of the lesser method", 0, 100)
    methods = whole("Methods", 8, 2)
    ks = whole("Numbers of words shown", 20)
    judgments = whole("Judgments of each", 100, 5, "Different workers who judge each text under each condition.")
    load = whole("Most items per worker", 500, 40)
    power = number("Wanted power", 0.1, 0.99, POWER)
    width = number("Wanted width of the interval", 0.001, 100)
    pay = number("Pay an hour", 0.01, 1000)
    seconds = number("Seconds an item takes", 0.1, 3600)
    alpha = number("Alpha", 0.0001, 0.2, ALPHA)
    share_texts = number("Share of variance: texts", 0, 0.99)
    share_maps = number("… maps of one text", 0, 0.99)
    share_workers = number("… workers", 0, 0.99)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["pilot"]
        assert isinstance(field, forms.ModelChoiceField)
        states = (Campaign.State.LIVE, Campaign.State.PAUSED, Campaign.State.CLOSED)
        field.queryset = readable(Campaign.objects.filter(state__in=states), user).order_by("name")
        self.fields["pay"].label = f"Pay an hour, {settings.PAY_CURRENCY}"
        self.known: Pilot | None = None
        self._say_defaults(DEFAULTS.get(self["protocol"].value() or "", next(iter(DEFAULTS.values()))))

    def _say_defaults(self, assumed: Assumptions) -> None:
        """What the protocol has no use for is not asked; the rest says what stands where nothing is said."""
        for name in _unused(assumed.protocol):
            del self.fields[name]
        shown = {name: getattr(assumed, own) for name, own in ASSUMED.items()}
        shown |= {"pay": settings.MINIMUM_HOURLY_PAY, "width": WIDTHS.get(assumed.protocol, USUAL_WIDTH)}
        for name, field in self.fields.items():
            if not isinstance(field, forms.ChoiceField):
                field.widget.attrs["placeholder"] = f"{shown.get(name, field.initial):g}"
        if "effect" in self.fields:
            unit = "Points of the scale." if assumed.protocol in GRADED else "As a share: 0.1 is 10 points."
            self.fields["effect"].help_text = unit
        elif "base" in self.fields:
            self.fields["base"].label = "Expected alpha" if assumed.protocol == MARKING else "Mean rating"

    def lines(self) -> list[list[forms.BoundField]]:
        """What stands side by side."""
        asked = [[self[name] for name in line if name in self.fields] for line in LINES]
        return [line for line in asked if line]

    def rare(self) -> list[forms.BoundField]:
        return [self[name] for name in RARE]

    def has_rare_errors(self) -> bool:
        """In what is folded."""
        return any(name in self.errors for name in RARE)

    def has_rare_values(self) -> bool:
        return any(self[name].value() for name in SHARES)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        chosen = data.get("pilot")
        if chosen and chosen.protocol != data.get("protocol"):
            label = PROTOCOLS[chosen.protocol].label
            self.add_error("pilot", f"This campaign asked something else: choose “{label}” above.")
        elif chosen:
            try:
                self.known = pilot(study_of(chosen))
            except PilotError as error:
                self.add_error("pilot", str(error))
        if not self.errors and (found := problem_of(self.asked())):
            raise forms.ValidationError(f"This cannot be planned: {found}.")
        return data

    def asked(self) -> Asked:
        data = {name: value for name, value in self.cleaned_data.items() if value is not None}
        start = self.known.assumptions if self.known else DEFAULTS[data["protocol"]]
        return Asked(
            assumed=replace(start, **{own: data[name] for name, own in ASSUMED.items() if name in data}),
            judgments=(data.get("judgments", 5),),
            loads=(data.get("load", 40),),
            methods=data.get("methods", 2),
            power=data.get("power", POWER),
            width=data.get("width"),
            alpha=data.get("alpha", ALPHA),
            pay=Pay(data.get("pay", settings.MINIMUM_HOURLY_PAY)),
            grid=True,
            budget=BUDGET,
        )
