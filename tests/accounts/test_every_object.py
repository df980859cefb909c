"""Every row belongs to a team, or is told here why not: what no team owns, no access helper guards."""

from collections.abc import Iterator

from django.apps import apps
from django.db.models import ForeignKey, Model

from accounts.models import Team

OURS = ("accounts", "webhooks", "materials", "campaigns", "judging", "reports", "operations", "config", "console")
# Of the person, who may be in several teams; a sketch is what they fill in before they choose one.
PERSONAL = {"accounts.User", "accounts.ApiToken", "accounts.KeptAnswer", "campaigns.Sketch"}
# Of the server: what Prolific said of all its studies, and what went wrong.
SHARED = {"judging.ProlificEvent", "operations.FailedTask"}


def owned(model: type[Model], seen: frozenset[type[Model]] = frozenset()) -> bool:
    """Whether a chain of foreign keys that are always set leads to a team."""
    if model is Team:
        return True
    parents = [one.related_model for one in model._meta.get_fields() if isinstance(one, ForeignKey) and not one.null]
    return any(isinstance(one, type) and one not in seen and owned(one, seen | {model}) for one in parents)


def ours() -> Iterator[type[Model]]:
    for model in apps.get_models():
        if model._meta.app_label in OURS:
            yield model


def test_it_works() -> None:
    apart = {model._meta.label for model in ours() if not owned(model)}
    assert apart == PERSONAL | SHARED
