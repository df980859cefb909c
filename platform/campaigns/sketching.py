"""What is filled in of the wizard is saved while it is filled in, so that a closed tab loses nothing."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone

from accounts.models import User
from campaigns.forms import CampaignForm
from campaigns.models import Campaign, Sketch

# The key of no sketch.
NONE = UUID(int=0)
# What a page sends besides what was filled in.
NOT_FILLED_IN = ("csrfmiddlewaretoken", "sketch", "sketch_version", "page")


Fields = Mapping[str, Sequence[str]]


class TooMuch(Exception):
    """More than the wizard could send."""


class Page(NamedTuple):
    """What a page says of itself: its own name, the sketch it goes on with, and the version of that it has seen."""

    name: UUID | None
    sketch: UUID
    version: int


def page_of(posted: QueryDict) -> Page:
    version = posted.get("sketch_version", "")
    return Page(
        uuid(posted.get("page", "")), uuid(posted.get("sketch", "")) or NONE, int(version) if version.isdecimal() else 0
    )


def uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def keep(user: User, campaign: Campaign | None, posted: QueryDict) -> Sketch:
    """Onto the sketch that the page goes on with, or onto a new one.

    A new one `beside` the other where another page has saved since this one was loaded: neither loses its text.
    """
    page, filled_in = page_of(posted), _filled_in(posted)
    with transaction.atomic():
        own = _own(user, campaign, page)
        if own and (own.version == page.version or own.page == page.name or own.filled_in == filled_in):
            own.filled_in, own.version, own.page = filled_in, own.version + 1, page.name
        else:
            other = own or (newest(user, campaign) if campaign else None)
            own = Sketch(user=user, campaign=campaign, filled_in=filled_in, page=page.name, beside=other)
        own.saved_at = timezone.now()
        own.save()
    return own


def _own(user: User, campaign: Campaign | None, page: Page) -> Sketch | None:
    """By its key; the first time that a page saves, and is closed before it hears of that, by the page's name."""
    rows = Sketch.objects.select_for_update().filter(user=user, campaign=campaign)
    return rows.filter(key=page.sketch).first() or (rows.filter(page=page.name).first() if page.name else None)


def _filled_in(posted: QueryDict) -> str:
    given = posted.copy()
    for name in NOT_FILLED_IN:
        given.pop(name, None)
    return given.urlencode()


def begin(user: User, campaign: Campaign | None, fields: Fields) -> Sketch:
    """By a program, which fills in fields as the page names them."""
    saved_at = timezone.now()
    return Sketch.objects.create(user=user, campaign=campaign, filled_in=_encoded(fields), saved_at=saved_at)


def fill_in(sketch: Sketch, fields: Fields) -> None:
    """What is not said stays, and what has no value goes. A page that has it open goes on beside it."""
    sketch.filled_in = _encoded({**fields_of(sketch), **fields})
    sketch.version, sketch.page, sketch.saved_at = sketch.version + 1, None, timezone.now()
    sketch.save()


def fields_of(sketch: Sketch) -> dict[str, list[str]]:
    return {name: [str(one) for one in values] for name, values in QueryDict(sketch.filled_in).lists()}


def form_of(sketch: Sketch) -> CampaignForm:
    return CampaignForm(sketch.user, QueryDict(sketch.filled_in), instance=sketch.campaign)


def _encoded(fields: Fields) -> str:
    kept = {name: list(values) for name, values in fields.items() if name not in NOT_FILLED_IN}
    # As many as Django reads from a form.
    if sum(map(len, kept.values())) > settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        raise TooMuch
    return urlencode(kept, doseq=True)


def newest(user: User, campaign: Campaign | None) -> Sketch | None:
    return Sketch.objects.filter(user=user, campaign=campaign).first()


def find(user: User, campaign: Campaign | None, key: str) -> Sketch | None:
    return Sketch.objects.select_related("beside").filter(user=user, campaign=campaign, key=uuid(key) or NONE).first()


def begun(user: User) -> list[Sketch]:
    """Campaigns that were not made yet, the latest first."""
    return list(Sketch.objects.filter(user=user, campaign=None))


def drop(user: User, page: Page) -> None:
    """Once it is saved as a design."""
    mine = Q(key=page.sketch) | Q(page=page.name, page__isnull=False)
    Sketch.objects.filter(mine, user=user).delete()


def forget_old() -> None:
    """What nobody has touched for long. A draft that somebody saved is a campaign, and stays as it was saved."""
    if settings.SKETCH_DAYS:
        Sketch.objects.filter(saved_at__lt=timezone.now() - timedelta(days=settings.SKETCH_DAYS)).delete()
