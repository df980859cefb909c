"""Slugs from names, without a lock: the database refuses a slug that somebody takes at the same moment."""

from collections.abc import Iterator

from django.db import IntegrityError, models, transaction
from django.utils.text import slugify

LONGEST = 70
# Words that stand where a slug would in the addresses of pages.
RESERVED = {"new", "import", "estimate", "methods", "plan", "compare", "autosave", "sketches"}


def free_slug(model: type[models.Model], name: str) -> str:
    """A slug that no row of the model has."""
    base = slugify(name)[:LONGEST].strip("-_") or model._meta.model_name or "row"
    taken = RESERVED | set(model._base_manager.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in _numbered(base) if slug not in taken)


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1


def insert_named(row: models.Model) -> None:
    """Insert a row that has a name, under a slug of its own. IntegrityError for any other constraint."""
    while True:
        row.slug = free_slug(type(row), row.name)  # type: ignore[attr-defined]
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError as error:
            if "slug" not in (error.__cause__.diag.constraint_name or ""):  # type: ignore[union-attr]
                raise
        else:
            return
