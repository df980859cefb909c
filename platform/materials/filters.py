"""The filters over the lists of datasets, texts and runs. What makes no sense filters nothing."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from accounts.access import readable
from accounts.models import User
from materials.models import Dataset, Run


class RunFilters(forms.Form):
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), to_field_name="slug", required=False, empty_label="All datasets"
    )
    kind = forms.ChoiceField(choices=[("", "All"), *Run.Kind.choices], required=False)
    state = forms.ChoiceField(choices=[("", "Any"), *Run.State.choices], required=False)

    def __init__(self, user: User, data: Any) -> None:
        super().__init__(data)
        field = self.fields["dataset"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = readable(Dataset.objects.all(), user).order_by("name")

    def narrow(self, runs: QuerySet[Run]) -> QuerySet[Run]:
        self.is_valid()
        return runs.filter(**{name: value for name, value in self.cleaned_data.items() if value})
