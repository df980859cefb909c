"""Serializers that take what the schema says and nothing that could be made into it: no "5" for 5, no 1 for true."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

NOT_BLANK = r"[^\s\x00-\x1f\x85]"
KINDS: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], tuple[type, ...], str], ...] = (
    (serializers.BooleanField, (bool,), "true or false"),
    (serializers.IntegerField, (int,), "a whole number"),
    (serializers.FloatField, (int, float), "a number"),
    (serializers.ChoiceField, (str,), "a string"),
    (serializers.CharField, (str,), "a string"),
    (serializers.ListField, (list,), "a list"),
    (serializers.DictField, (dict,), "an object"),
)


class StrictSerializer(serializers.Serializer[Any]):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            fields = {name: field for name, field in self.fields.items() if not field.read_only and name in data}
            if wrong := {name: message for name, field in fields.items() if (message := _mistyped(field, data[name]))}:
                raise ValidationError(wrong, code="type")
        return super().to_internal_value(data)


class TextField(serializers.RegexField):
    """Something that can be read, on one line or several; kept as it came."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(NOT_BLANK, trim_whitespace=False, **kwargs)
        self.error_messages["invalid"] = "Expected something that can be read."


def _mistyped(field: Any, value: Any) -> str:
    """What was expected, where the value is of another kind."""
    kinds, wanted = next(((kinds, wanted) for of, kinds, wanted in KINDS if isinstance(field, of)), ((object,), ""))
    if value is None and field.allow_null:
        return ""
    if isinstance(field, serializers.IntegerField) and isinstance(value, float) and value.is_integer():
        return ""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds and object not in kinds):
        return f"Expected {wanted}."
    child = getattr(field, "child", None)
    if child is None or not isinstance(value, list | dict):
        return ""
    where, within = ("list", value) if isinstance(value, list) else ("object", value.values())
    return next((f"In the {where}: {message}" for one in within if (message := _mistyped(child, one))), "")
