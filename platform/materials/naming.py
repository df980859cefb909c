from collections.abc import Iterator

from django.db.models import Model
from django.utils.text import slugify

LONGEST = 70
# Words that stand where a slug would in the addresses of pages.
RESERVED = {"new", "import", "estimate"}


def free_slug(model: type[Model], name: str) -> str:
    """A slug that no row of the model has."""
    base = slugify(name)[:LONGEST].strip("-_") or model._meta.model_name or "row"
    taken = RESERVED | set(model._default_manager.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in _numbered(base) if slug not in taken)


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1
