from typing import Any

from django import forms

from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from materials.models import Classifier, Dataset
from materials.passport.loading import MOST_TEXTS
from materials.passport.starting import CHEAP_PASSES, DEFAULT_TEXTS, is_cheap, method_passes, metrics_for


class ComputeForm(forms.Form):
    """What a passport still lacks, and on how many texts; what is dear is not ticked."""

    texts = forms.IntegerField(
        label="Texts",
        min_value=2,
        max_value=MOST_TEXTS,
        initial=DEFAULT_TEXTS,
        help_text=f"Up to {MOST_TEXTS}, balanced over labels. Those with maps come first.",
    )
    methods = forms.MultipleChoiceField(error_messages={"required": "Choose at least one method."})
    metrics = forms.MultipleChoiceField(required=False)

    def __init__(self, classifier: Classifier, dataset: Dataset, data: Any = None) -> None:
        super().__init__(data)
        self.passes = method_passes(classifier, dataset)
        self.offered = metrics_for(classifier, dataset)
        for name, choices in (("methods", self._methods()), ("metrics", self._metrics())):
            field = self.fields[name]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(choice, label) for choice, label, _, _ in choices]

    def usual(self) -> dict[str, Any]:
        """What is ticked as long as nobody has said anything."""
        cheap = {name: [one for one, _, _, is_ticked in choices if is_ticked] for name, choices in (
            ("methods", self._methods()), ("metrics", self._metrics()),
        )}  # fmt: skip
        return {"texts": DEFAULT_TEXTS, **cheap}

    def method_choices(self) -> list[tuple[str, str, str, bool]]:
        return self._ticked("methods", self._methods())

    def metric_choices(self) -> list[tuple[str, str, str, bool]]:
        return self._ticked("metrics", self._metrics())

    def _methods(self) -> list[tuple[str, str, str, bool]]:
        """(name, label, what it costs, whether it is cheap)."""
        return [
            (name, METHODS[name].label, _shown_passes(passes), passes <= CHEAP_PASSES)
            for name, passes in self.passes.items()
        ]

    def _metrics(self) -> list[tuple[str, str, str, bool]]:
        return [
            (name, METRICS[name].label, "" if is_cheap(name) else "runs each method again", is_cheap(name))
            for name in self.offered
        ]

    def _ticked(self, name: str, choices: list[tuple[str, str, str, bool]]) -> list[tuple[str, str, str, bool]]:
        if not self.is_bound:
            return choices
        chosen = self[name].value() or ()
        return [(choice, label, note, choice in chosen) for choice, label, note, _ in choices]


def _shown_passes(passes: float) -> str:
    if not passes:
        return "no pass"
    return "1 pass a text" if passes < 1.5 else f"{passes:,.0f} passes a text"
