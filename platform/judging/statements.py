"""Statements that every judgment runs: written out, and planned once a connection instead of once a judgment.

At hundreds of judgments a second, planning costs the database more than doing. A connection pooler in front of Postgres
has to pool by session, as it has for every prepared statement.
"""

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from django.db import connection

_PREPARED: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


class Statement:
    """`sql` names its parameters as %(name)s; `types` are theirs, as Postgres calls them."""

    def __init__(self, name: str, sql: str, **types: str) -> None:
        self.name = f"peekaword_{name}"
        numbered = sql % {parameter: f"${number}" for number, parameter in enumerate(types, start=1)}
        self.prepare = f"PREPARE {self.name} ({', '.join(types.values())}) AS {numbered}"
        self.execute = f"EXECUTE {self.name} ({', '.join(f'%({parameter})s' for parameter in types)})"

    def all(self, values: Mapping[str, Any], before: str = "") -> list[tuple[Any, ...]]:
        """Its rows. `before` is a statement that goes first, on the same trip: a lock, after which this one looks."""
        with connection.cursor() as cursor:
            known = _PREPARED.setdefault(connection.connection, set())
            if self.name not in known:
                cursor.execute(self.prepare)
                known.add(self.name)
            cursor.execute(f"{before}; {self.execute}" if before else self.execute, values)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows

    def one(self, values: Mapping[str, Any], before: str = "") -> tuple[Any, ...] | None:
        return next(iter(self.all(values, before)), None)
