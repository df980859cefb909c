"""From the name of a method, computed or imported, to what is known of it: the one place that does."""

from collections.abc import Iterable
from typing import Any

from accounts.models import Team
from catalogue.imported import imported_method, is_imported
from catalogue.methods import METHODS, Method
from catalogue.parameters import complete_params
from materials.models import ImportedMethod


def resolve(name: str, team: Team) -> Method:
    """KeyError for a name that is neither in the catalogue nor of an import."""
    return resolve_all([name], team)[name]


def resolve_all(names: Iterable[str], team: Team) -> dict[str, Method]:
    """By name, in the order given: one query at most, and none where nothing is imported."""
    names = list(names)
    imported = [name for name in names if is_imported(name)]
    known = {row.name: described(row) for row in ImportedMethod.objects.filter(team=team, name__in=imported)}
    return {
        name: known.get(name) or imported_method(name) if is_imported(name) else METHODS[name]
        for name in dict.fromkeys(names)
    }


def resolve_made(names: Iterable[str], team: Team) -> dict[str, Method]:
    """As `resolve_all`, for maps that are there: a method from outside may not be installed any more."""
    names = list(names)
    known = resolve_all([name for name in names if name in METHODS or is_imported(name)], team)
    return {name: known.get(name) or imported_method(name) for name in names}


def described(row: ImportedMethod) -> Method:
    return imported_method(row.name, row.signed, row.source, row.params)


def params_of(method: Method) -> dict[str, Any]:
    """What `Explanation.params` holds for the method as campaigns use it: the defaults, or the imported maps' own."""
    params = complete_params(method.name, method.parameters, {})
    return {name: list(value) if isinstance(value, tuple) else value for name, value in params.items()}
