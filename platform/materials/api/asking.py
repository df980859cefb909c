"""What the addresses of materials have in common."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import readable
from accounts.api.problems import Unfit, Unprocessable
from accounts.models import User
from materials.characters import UNSTORABLE
from materials.models import Classifier, Dataset
from materials.renaming import rename

SLUG = "^[-a-zA-Z0-9_]{1,80}$"


def filter_by(rows: QuerySet[Any], request: Request, **lookups: str) -> QuerySet[Any]:
    """By the parameters of the address that are given, each on the field that it stands for."""
    given = {lookup: request.query_params[name] for name, lookup in lookups.items() if name in request.query_params}
    if any(UNSTORABLE.search(value) for value in given.values()):
        raise ValidationError({"": "The address asks for characters that no text holds."})
    return rows.filter(**given)


def asked_bool(request: Request, name: str) -> bool | None:
    value = request.query_params.get(name)
    if value not in (None, "true", "false"):
        raise ValidationError({name: "Expected true or false."})
    return None if value is None else value == "true"


def filtering(**described: str) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, str, description=description) for name, description in described.items()]


def named_dataset(user: User, slug: str) -> Dataset:
    """A dataset that a body names."""
    found = readable(Dataset.objects.select_related("team"), user).filter(slug=slug).first()
    if found is None:
        raise Unprocessable(f"There is no dataset {slug!r} that you may see.", "/dataset")
    return found


def ready_classifier(user: User, slug: str) -> Classifier:
    found = readable(Classifier.objects.all(), user).filter(slug=slug).first()
    if found is None:
        raise Unprocessable(f"There is no classifier {slug!r} that you may see.", "/classifier")
    if found.state != Classifier.State.READY:
        raise Unprocessable(f"{slug} is not ready: it is {found.state}.", "/classifier")
    return found


def rename_by(user: User, form: "forms.ModelForm[Any]", before: str) -> None:
    """As the page does; nothing is written down where nothing is another."""
    if not form.is_valid() or (form.has_changed() and not rename(form, before, user)):
        raise Unfit({name: list(map(str, errors)) for name, errors in form.errors.items()})
