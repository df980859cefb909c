"""Counts are kept as rows of changes, a row a statement: once a day those of one thing become one row."""

from contextlib import suppress

from django.db import IntegrityError, connection, transaction
from psycopg2.sql import SQL, Identifier

from materials.models import Counted, MapCount, PredictionCount, TextCount

# It sees what was committed when it began: what comes meanwhile stays as it is.
FOLD = """
WITH gone AS (DELETE FROM {table} RETURNING {columns}, n)
INSERT INTO {table} ({columns}, n) SELECT {columns}, sum(n) FROM gone GROUP BY {columns} HAVING sum(n) <> 0
"""


def fold_counts() -> None:
    for model in (TextCount, PredictionCount, MapCount):
        # Where what they are of is deleted at this moment, all stays as it was until the next day.
        with suppress(IntegrityError), transaction.atomic():
            _fold(model)


def _fold(model: type[Counted]) -> None:
    told = [str(field.column) for field in model._meta.concrete_fields if field.name not in ("id", "n")]
    columns = SQL(", ").join(Identifier(one) for one in told)
    with connection.cursor() as cursor:
        cursor.execute(SQL(FOLD).format(table=Identifier(model._meta.db_table), columns=columns))
