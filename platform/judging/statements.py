"""Statements that every judgment runs: written out, and planned once a connection instead of once a judgment.

At hundreds of judgments a second, planning costs the database more than doing. A connection pooler in front of Postgres
has to pool by session, as it has for every prepared statement.

Each is a look-up by index. A planner that last counted the rows of an empty table would read the whole of it instead,
ever slower until it counts again; hence PLANNED.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from django.db import connection

_PREPARED: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()

# For the transaction that the statement runs in, alone.
PLANNED = "SET LOCAL enable_seqscan = off"
# For the session: one plan for all values of the parameters. Nothing else is prepared.
ONE_PLAN = "SET plan_cache_mode = force_generic_plan"


class Statement:
    """`sql` names its parameters as %(name)s; `types` are theirs, as Postgres calls them."""

    def __init__(self, name: str, sql: str, **types: str) -> None:
        self.name, self.types = f"peekaword_{name}", types
        numbered = sql % {parameter: f"${number}" for number, parameter in enumerate(types, start=1)}
        self.prepare = f"PREPARE {self.name} ({', '.join(types.values())}) AS {numbered}"
        self.execute = f"EXECUTE {self.name} ({', '.join(f'%({parameter})s' for parameter in types)})"

    def one(self, values: Mapping[str, Any], before: "Sequence[Statement]" = ()) -> tuple[Any, ...] | None:
        """Its first row. `before` go first, on the same trip: locks, after which this one looks."""
        with connection.cursor() as cursor:
            known = _PREPARED.setdefault(connection.connection, set())
            wanted = [*before, self]
            for statement in wanted:
                if statement.name not in known:
                    cursor.execute(f"{ONE_PLAN}; {statement.prepare}")
                    known.add(statement.name)
            cursor.execute("; ".join([PLANNED, *(statement.execute for statement in wanted)]), values)
            row: tuple[Any, ...] | None = cursor.fetchone()
            return row
