"""One search over all that somebody's teams have: one query a kind, each bounded and on an index."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.urls import reverse

from accounts.access import readable
from accounts.models import User
from campaigns.models import Campaign
from materials.finding import texts_like
from materials.models import Classifier, Dataset, Text

SHOWN = 10
LONGEST = 200


@dataclass(frozen=True)
class Hit:
    title: str
    text: str
    href: str
    state: str = ""
    words: str = ""
    plain: bool = False


@dataclass(frozen=True)
class Found:
    """Of one kind. `more` than are shown there are."""

    kind: str
    hits: Sequence[Hit]
    more: bool


def search(user: User, asked: str) -> list[Found]:
    """Nothing for nothing; kinds without a hit are left out."""
    asked = asked.replace("\0", "").strip()[:LONGEST]
    if not asked:
        return []
    found = [_campaigns(user, asked), _datasets(user, asked), _classifiers(user, asked), _texts(user, asked)]
    return [one for one in found if one.hits]


def _campaigns(user: User, asked: str) -> Found:
    rows = _named(readable(Campaign.objects.select_related("dataset"), user), asked)
    return _found("Campaigns", rows, _campaign)


def _campaign(row: Campaign) -> Hit:
    return Hit(row.name, str(row.dataset), row.get_absolute_url(), row.state, str(row.get_state_display()))


def _datasets(user: User, asked: str) -> Found:
    rows = _named(readable(Dataset.objects.select_related("team"), user), asked)
    return _found("Datasets", rows, lambda row: Hit(row.name, str(row.team), row.get_absolute_url()))


def _classifiers(user: User, asked: str) -> Found:
    rows = readable(Classifier.objects.all(), user)
    named = rows.filter(Q(name__icontains=asked) | Q(source__icontains=asked)).order_by("name", "pk")
    return _found("Classifiers", named, _classifier)


def _classifier(row: Classifier) -> Hit:
    return Hit(row.name, row.source, row.get_absolute_url(), row.state, str(row.get_state_display()))


def _texts(user: User, asked: str) -> Found:
    mine = Text.objects.filter(dataset__in=readable(Dataset.objects.all(), user))
    # In no order: by id, the planner would read text after text where few match.
    return _found("Texts", texts_like(mine, asked).order_by().select_related("dataset"), _text)


def _text(row: Text) -> Hit:
    href = reverse("dataset_text", args=[row.dataset.slug, row.pk])
    return Hit(row.content[:LONGEST], f"{row.key} · {row.dataset}", href, plain=True)


def _named(rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    return rows.filter(name__icontains=asked).order_by("name", "pk")


def _found(kind: str, rows: QuerySet[Any], told: Any) -> Found:
    shown: list[Model] = list(rows[: SHOWN + 1])
    return Found(kind, [told(row) for row in shown[:SHOWN]], len(shown) > SHOWN)
