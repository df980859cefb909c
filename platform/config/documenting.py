"""docs/data_dictionary.md, from the models: `make docs` writes it, and a test fails when it has fallen behind."""

import inspect
from collections.abc import Iterator
from typing import Any

import django
from django.apps import apps
from django.db.models import Field, ForeignKey, Model

APPS = {
    "accounts": "People and teams",
    "materials": "What campaigns are made of",
    "campaigns": "Designs, and what is shown",
    "judging": "Workers and their judgments",
    "reports": "Reports",
    "webhooks": "Messages to other programs",
    "operations": "The server itself",
}

HEAD = """# Data dictionary

Written by `make docs` from the models in `platform/`; change it there.

One section a table of the database. What a column of an exported file means is told under [export](export.md), what is
in `report.json` under [files](report_files.md).
"""


def document() -> str:
    return "\n".join([HEAD, *(line for label, title in APPS.items() for line in _app(label, title))])


def _app(label: str, title: str) -> Iterator[str]:
    yield f"## {title}\n"
    for model in apps.get_app_config(label).get_models():
        yield from _table(model)


def _table(model: type[Model]) -> Iterator[str]:
    yield f"### {model.__name__}\n"
    yield f"Table `{model._meta.db_table}`. {_said(model)}\n"
    yield "| column | type | may be empty | what it holds |"
    yield "|---|---|---|---|"
    for field in model._meta.concrete_fields:
        yield f"| `{field.column}` | {_type(field)} | {'yes' if field.null else ''} | {_meaning(field)} |"
    yield ""


def _said(model: type[Model]) -> str:
    """The docstring of ours; Django makes one up where there is none."""
    said = inspect.cleandoc(model.__doc__ or "")
    return "" if said.startswith(f"{model.__name__}(") else " ".join(said.split())


def _type(field: "Field[Any, Any]") -> str:
    if isinstance(field, ForeignKey):
        return f"one {field.related_model.__name__}"
    return field.get_internal_type().removesuffix("Field")


def _meaning(field: "Field[Any, Any]") -> str:
    """In our words: what Django says of the columns of users is left out."""
    if field.model._meta.label == "accounts.User":
        return ""
    values = ", ".join(f"`{value}`" for value, _ in field.flatchoices if value != "")
    said = [str(field.help_text), f"One of {values}" if values and len(field.flatchoices) <= 12 else ""]
    return ". ".join(one.rstrip(".") for one in said if one).replace("|", "&#124;")


if __name__ == "__main__":
    django.setup()
    print(document(), end="")
