from decimal import Decimal, InvalidOperation

from django import forms

from judging.inviting import MOST_AT_ONCE

MOST_USES = 10_000
MOST_PLACES = 5_000
LARGEST_BONUS = Decimal(1000)


class InvitationsForm(forms.Form):
    count = forms.IntegerField(label="How many", min_value=1, max_value=MOST_AT_ONCE, initial=20)


class ClassCodeForm(forms.Form):
    uses = forms.IntegerField(label="For how many people", min_value=1, max_value=MOST_USES, initial=30)


class StudyForm(forms.Form):
    study = forms.RegexField(
        r"^[0-9a-zA-Z]{6,64}$",
        label="The study's id on Prolific",
        error_messages={"invalid": "Expected the letters and digits after /studies/ in the study's address."},
        help_text="Letters and digits after /studies/ in the study's address on Prolific.",
    )


class DraftForm(forms.Form):
    """What Prolific shows people before they come."""

    name = forms.CharField(label="Title", max_length=120)
    description = forms.CharField(label="Description", max_length=4000, widget=forms.Textarea(attrs={"rows": 4}))
    places = forms.IntegerField(label="Places", min_value=1, max_value=MOST_PLACES)


class PlacesForm(forms.Form):
    more = forms.IntegerField(label="Places to add", min_value=1, max_value=MOST_PLACES)


class BonusesForm(forms.Form):
    """Lines such as 60f25f799fbd8a136cc6a9b0, 1.50."""

    amounts = forms.CharField(
        label="Who gets what",
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text="A line for each: the submission, a comma, the amount in the study's currency, such as 1.50.",
    )

    def clean_amounts(self) -> dict[str, Decimal]:
        found: dict[str, Decimal] = {}
        for number, line in enumerate(self.cleaned_data["amounts"].splitlines(), start=1):
            if line.strip():
                submission, amount = _line(number, line)
                if submission in found:
                    raise forms.ValidationError(f"Line {number}: {submission} stands above already.")
                found[submission] = amount
        return found


def _line(number: int, line: str) -> tuple[str, Decimal]:
    submission, _, amount = (part.strip() for part in line.partition(","))
    try:
        value = Decimal(amount)
    except InvalidOperation:
        value = Decimal("NaN")
    if not submission.isalnum() or not value.is_finite() or not Decimal("0.01") <= value <= LARGEST_BONUS:
        raise forms.ValidationError(
            f"Line {number}: expected a submission, a comma and an amount from 0.01 to {LARGEST_BONUS}."
        )
    if value != round(value, 2):
        raise forms.ValidationError(f"Line {number}: {amount} has more than two decimals.")
    return submission, value
