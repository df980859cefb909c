"""Form fields of the wizard that Django has not."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.core.validators import URLValidator

from campaigns.asking import AskingError, Question, write_questions
from catalogue.methods import METHODS, Method
from catalogue.metrics import METRICS, RATIONALE

MOST_KS, LARGEST_K = 20, 10_000
# Metrics that compare with people's marks are computed wherever texts have some.
OFFERED = {name: metric for name, metric in METRICS.items() if metric.needs != RATIONALE}


class KsField(forms.CharField):
    """Whole numbers by commas."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != data)

    def clean(self, value: Any) -> list[int]:
        text = super().clean(value)
        try:
            ks = sorted({int(part) for part in text.replace(";", ",").split(",") if part.strip()})
        except ValueError:
            raise forms.ValidationError("Give whole numbers by commas, such as 5, 10, 20.") from None
        if not ks:
            raise forms.ValidationError("Give at least one number of words, such as 5.")
        if ks[0] < 1 or ks[-1] > LARGEST_K:
            raise forms.ValidationError(f"Each number of words is from 1 to {LARGEST_K:,}.")
        if len(ks) > MOST_KS:
            raise forms.ValidationError(f"At most {MOST_KS} numbers: every one multiplies the judgments.")
        return ks


class MethodsField(forms.MultipleChoiceField):
    """Explanation methods, in the catalogue's order; imported ones, where they are offered, come last."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.offer(())

    def offer(self, imported: Iterable[Method]) -> None:
        methods = [*METHODS.values(), *imported]
        self.choices = [(method.name, method.label) for method in methods]
        self.order = [method.name for method in methods]

    def clean(self, value: Any) -> list[str]:
        chosen = super().clean(value)
        return [name for name in self.order if name in chosen]


class MetricsField(forms.MultipleChoiceField):
    """Automatic metrics, in the catalogue's order."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[(name, metric.label) for name, metric in OFFERED.items()], **kwargs)

    def clean(self, value: Any) -> list[str]:
        chosen = super().clean(value)
        return [name for name in OFFERED if name in chosen]


class ExitField(forms.URLField):
    """A web address that may hold {code}."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.pop("max_length", None)
        invalid = {"invalid": "Expected a web address that begins with https://."}
        super().__init__(max_length=200, assume_scheme="https", error_messages=invalid, **kwargs)
        self.validators = [
            URLValidator(schemes=["https", "http"]),
            *(one for one in self.validators if not isinstance(one, URLValidator)),
        ]

    def clean(self, value: Any) -> str:
        address = str(super().clean(value))
        if "//app.prolific.co/" in address:
            raise forms.ValidationError("Prolific's address is app.prolific.com; app.prolific.co is no longer served.")
        return address


class AskingField(forms.CharField):
    """Questions in plain lines; `read` makes them, or says which line cannot be read."""

    def __init__(self, read: Callable[[str], list[Question]], **kwargs: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 3, "class": "lines"}), **kwargs)
        self.read = read

    def prepare_value(self, value: Any) -> Any:
        return write_questions(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != data)

    def clean(self, value: Any) -> list[Question]:
        try:
            return self.read(super().clean(value))
        except AskingError as error:
            raise forms.ValidationError(str(error)) from None


class Noted:
    """A choice with a note below each option, which `notes` has by the option's value."""

    def __init__(self, notes: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.notes = notes

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)  # type: ignore[misc]
        return option | {"note": self.notes.get(str(value), "")}


class NotedRadioSelect(Noted, forms.RadioSelect):
    pass


class NotedCheckboxSelectMultiple(Noted, forms.CheckboxSelectMultiple):
    pass
