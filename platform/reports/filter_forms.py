from typing import Any

from django import forms

from reports.filtering import Asked, Choices
from reports.palette import method_label

TOO_MANY = (
    "This campaign has too many judgments to filter them while you wait. Export them, keep the rows you want, and give "
    "the file to the command analyse."
)


class FilterForm(forms.Form):
    """What part of the judgments to look at; of what there is no choice, no field."""

    method = forms.MultipleChoiceField(label="Methods", required=False, widget=forms.CheckboxSelectMultiple)
    label = forms.ChoiceField(label="Label of the text", required=False)
    language = forms.ChoiceField(label="Language", required=False)
    output = forms.ChoiceField(label="Output of the model", required=False)
    excluded = forms.ChoiceField(
        label="Workers whom the rules exclude", required=False, choices=[("", "Left out"), ("in", "Counted in")]
    )

    def __init__(self, *args: Any, choices: Choices, rules: bool, large: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.large, self.n_methods = large, len(choices.methods)
        offered = {
            "method": [(name, method_label(name)) for name in choices.methods],
            "label": [("", "All"), *((name, name) for name in choices.labels)],
            "language": [("", "All"), *((name, name) for name in choices.languages)],
            "output": [("", "All"), *((name, name.capitalize()) for name in choices.outputs)],
        }
        for name, options in offered.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = options
            if len(options) < 2:
                del self.fields[name]
        if not rules:
            del self.fields["excluded"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.large and any(cleaned.values()):
            raise forms.ValidationError(TOO_MANY)
        return cleaned

    @property
    def asked(self) -> Asked:
        """All methods are as good as none."""
        found = self.cleaned_data
        methods = tuple(sorted(found.get("method", [])))
        return Asked(
            () if len(methods) == self.n_methods else methods,
            found.get("label", ""),
            found.get("language", ""),
            found.get("output", ""),
            bool(found.get("excluded")),
        )
