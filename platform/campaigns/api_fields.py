"""The fields of a design as a program says them: each takes what the schema says, and what cannot be is named."""

from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.api.fields import StrictSerializer, TextField
from accounts.api.problems import Unprocessable
from analysis.quality.rules import RULES
from campaigns.asking import LONGEST, MOST_CHOICES
from campaigns.translating import PHRASES, WORDING
from catalogue.languages import LANGUAGES
from catalogue.methods import METHODS
from protocols import PROTOCOLS
from recruitment import PROVIDERS
from recruitment.outcomes import OTHERS

Scalar = str | int | float | bool


class NamesField(serializers.ListField):
    """Of methods, metrics, arms: which there are, the wizard's form says."""

    child = TextField(max_length=150)


@extend_schema_field({"type": "string", "pattern": r"^[0-9]{1,6}(\.[0-9]{1,2})?$"})
class PayField(serializers.DecimalField):
    """With digits before and, if any, after the point."""


class SettingsField(serializers.DictField):
    """{name: value, ...}; values are strings, numbers, booleans, or lists of strings."""

    child = serializers.JSONField()

    def run_child_validation(self, data: Any) -> Any:
        if len(data) > 100:
            raise ValidationError("At most 100 members.")
        for name, value in data.items():
            parts = value if isinstance(value, list) else [value]
            if not all(isinstance(one, Scalar) and "\0" not in str(one) and len(str(one)) <= 2000 for one in parts):
                raise Unprocessable(
                    f"{name!r}: expected a string, a number, true or false, or a list of these.", f"/{self.field_name}"
                )
        return dict(data)


class ParamsField(serializers.DictField):
    """{method: {parameter: value, ...}, ...}"""

    child = SettingsField()

    def run_child_validation(self, data: Any) -> Any:
        given = super().run_child_validation(data)
        for name, params in given.items():
            known = {one.name for one in METHODS[name].parameters} if name in METHODS else set()
            require_known(params, known, f"{name} has no such parameter", self.field_name)
        return given


class TestSerializer(StrictSerializer):
    """A question with one right choice."""

    question = TextField(max_length=LONGEST)
    choices = serializers.ListField(child=TextField(max_length=LONGEST - 2), min_length=2, max_length=MOST_CHOICES)
    right = serializers.IntegerField(min_value=0, max_value=MOST_CHOICES - 1, help_text="A position, from 0")


class QuestionSerializer(StrictSerializer):
    question = TextField(max_length=LONGEST - 20)
    kind = serializers.ChoiceField(choices=["choice", "number", "text"], default="choice")
    choices = serializers.ListField(child=TextField(max_length=LONGEST - 2), default=list, max_length=MOST_CHOICES)
    optional = serializers.BooleanField(default=False)


class ExitSerializer(StrictSerializer):
    code = serializers.CharField(max_length=60, allow_blank=True, default="")
    redirect = serializers.CharField(max_length=200, allow_blank=True, default="")
    message = serializers.CharField(max_length=1000, allow_blank=True, default="")


class ExitsField(serializers.DictField):
    """{outcome: {code, redirect, message}, ...} of those who do not complete."""

    child = ExitSerializer()

    def run_child_validation(self, data: Any) -> Any:
        require_known(data, OTHERS, "There is no such outcome", self.field_name)
        return super().run_child_validation(data)


class RulesField(serializers.DictField):
    """{rule: {threshold: number, ...}, ...}"""

    child = serializers.DictField(child=serializers.FloatField(min_value=0, max_value=1e9))

    def run_child_validation(self, data: Any) -> Any:
        require_known(data, RULES, "There is no such rule", self.field_name)
        given = super().run_child_validation(data)
        for name, thresholds in given.items():
            known = {one.name for one in RULES[name].thresholds}
            require_known(thresholds, known, f"{name} has no such threshold", self.field_name)
        return given


class TranslationsField(serializers.DictField):
    """{language: {field: wording, ..., "phrases": {phrase: wording, ...}}, ...}"""

    child = serializers.DictField(child=serializers.JSONField())

    def run_child_validation(self, data: Any) -> Any:
        require_known(data, LANGUAGES, "There is no such language", self.field_name)
        given = super().run_child_validation(data)
        for fields in given.values():
            require_known(fields, {*WORDING, PHRASES}, "There is no such wording", self.field_name)
            phrases = fields.get(PHRASES, {})
            said = [text for name, text in fields.items() if name != PHRASES]
            if not isinstance(phrases, dict) or len(phrases) > 500:
                raise ValidationError("Expected phrases as an object, of 500 members at most.")
            if not all(isinstance(text, str) and "\0" not in text for text in [*said, *phrases, *phrases.values()]):
                raise ValidationError("Expected strings.")
        return given


class ComparisonsField(serializers.ListField):
    """[[arm, arm], ...]"""

    child = serializers.ListField(child=TextField(max_length=60), min_length=2, max_length=2)


def require_known(given: Iterable[str], known: Iterable[str], complaint: str, field: str | None) -> None:
    unknown = [name for name in given if name not in set(known)]
    if unknown:
        there_are = ", ".join(known) or "none"
        raise Unprocessable(f"{str(unknown[0])[:60]!r}: {complaint.lower()}; there are {there_are}.", f"/{field}")


def check_settings(protocol: str, recruitment: str, values: Mapping[str, Any]) -> None:
    """What neither the protocol nor the provider asks would otherwise be lost in silence."""
    asked = {
        "protocol_settings": PROTOCOLS[protocol].settings,
        "recruitment_settings": PROVIDERS[recruitment].settings if recruitment in PROVIDERS else None,
    }
    for field, form in asked.items():
        known = form.base_fields if form else ()
        if unknown := set(values.get(field, {})) - set(known):
            raise ValidationError({field: f"Nothing called {min(unknown)!r} is asked; what is: {', '.join(known)}."})
