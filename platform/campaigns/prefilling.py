"""The numbers of a plan, which a link to the wizard brings along."""

import math
from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.models import Campaign
from materials.models import Classifier, Dataset


class PlannedForm(forms.Form):
    """What is not there, or is no number of a design, stays as the protocol proposes."""

    texts = forms.IntegerField(min_value=1, required=False)
    judgments_per_stimulus = forms.IntegerField(min_value=1, max_value=100, required=False)
    most_per_worker = forms.IntegerField(min_value=1, required=False)
    seconds_per_item = forms.IntegerField(min_value=1, required=False)
    pay_per_worker = forms.DecimalField(min_value=0, max_digits=8, decimal_places=2, required=False)
    allocation = forms.ChoiceField(choices=Campaign.Allocation.choices, required=False)

    def numbers(self) -> dict[str, Any]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


def carried(given: Mapping[str, str]) -> dict[str, str]:
    """As it came, to be sent on while the rest is chosen."""
    return {name: given[name] for name in PlannedForm.base_fields if given.get(name)}


def planned(given: Mapping[str, str], dataset: Dataset, classifier: Classifier) -> dict[str, Any]:
    """Fields of the campaign; texts are spread over the labels."""
    found = PlannedForm(given).numbers()
    if "texts" in found:
        labels = len(dataset.label_names()) or len(classifier.label_names)
        found["texts_per_label"] = math.ceil(found.pop("texts") / labels)
    return found
