"""Migrations that come while people judge must make nobody wait: what would hold a large table is named here.

Checked is the SQL that Postgres is given, of every migration after `BASELINE`; those before it ran on empty databases.
`benchmarks/migrations.py` measures the same on 1,000,000 judgments.
"""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration

BASELINE = {"accounts": 1, "campaigns": 16, "judging": 9, "materials": 10, "reports": 1}
OURS = {*BASELINE, "operations", "webhooks"}
# Tables with a row a judgment, a stimulus, a worker, a text or a map.
LARGE = {
    "campaigns_place", "campaigns_stimulus", "judging_assignment", "judging_checkanswer", "judging_judgment",
    "judging_participation", "materials_explanation", "materials_metricscore", "materials_prediction", "materials_text",
}  # fmt: skip
ON = r'(?:ONLY )?"?(?P<table>\w+)"?'
HOLDS = {
    "an index is built under a lock: AddIndexConcurrently in a migration that is not atomic": (
        rf'CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?"?\w+"? ON {ON}'
    ),
    "a constraint is checked under a lock: AddConstraintNotValid, then ValidateConstraint": (
        rf"ALTER TABLE {ON} ADD CONSTRAINT \S+ (?:CHECK|FOREIGN KEY)(?!.* NOT VALID)"
    ),
    "an index is built under a lock: CREATE UNIQUE INDEX CONCURRENTLY, then ADD CONSTRAINT ... USING INDEX": (
        rf"ALTER TABLE {ON} ADD CONSTRAINT \S+ (?:UNIQUE|PRIMARY KEY|EXCLUDE)(?! USING INDEX)"
    ),
    "the whole table is written anew": (rf"ALTER TABLE {ON} .*(?:ALTER COLUMN \S+ TYPE|SET LOGGED|SET TABLESPACE)"),
    "the whole table is read under a lock: validate a CHECK (... IS NOT NULL) before": (
        rf"ALTER TABLE {ON} .*ALTER COLUMN \S+ SET NOT NULL"
    ),
    "old rows have no value: say null=True, or db_default": (rf"ALTER TABLE {ON} ADD COLUMN (?!.*DEFAULT).* NOT NULL"),
    "every row gets a value of its own, so the table is written anew": (
        rf"ALTER TABLE {ON} ADD COLUMN .*DEFAULT .*(?:random|uuid|clock_timestamp|nextval)"
    ),
    "rows stay locked until the migration ends: update in batches, by a command": rf"UPDATE {ON} SET",
    "nobody can work on the table meanwhile": rf"(?:LOCK TABLE|VACUUM FULL|CLUSTER|TRUNCATE) {ON}",
}
ALLOWED = {
    ("campaigns", "0020_void_places_have_no_number", "UPDATE"): "places that are void: few, and nobody moves them",
}


def statements(migration: Migration) -> Iterator[str]:
    loader = MigrationExecutor(connection).loader
    for line in loader.collect_sql([(migration, False)]):
        if not line.startswith("--"):
            yield from (" ".join(one.split()) for one in line.split(";") if one.strip())


def faults(migration: Migration) -> Iterator[str]:
    sql = list(statements(migration))
    own = {match[1] for one in sql if (match := re.match(r'CREATE TABLE "?(\w+)"?', one))}
    for statement in sql:
        for why, pattern in HOLDS.items():
            found = re.search(pattern, statement, re.IGNORECASE)
            if found and found["table"] in LARGE - own and not _allowed(migration, statement):
                yield f"{migration.app_label} {migration.name}: {statement[:120]}: {why}."


def _allowed(migration: Migration, statement: str) -> bool:
    kind = statement.split()[0].upper()
    return (migration.app_label, migration.name, kind) in ALLOWED


@pytest.mark.django_db(transaction=True)
def test_no_migration_makes_workers_wait() -> None:
    migrations = MigrationExecutor(connection).loader.disk_migrations.values()
    later = [one for one in migrations if one.app_label in OURS and int(one.name[:4]) > BASELINE.get(one.app_label, 0)]
    assert len(later) > 10
    assert [fault for migration in later for fault in faults(migration)] == []


def test_large_tables_are_those_there_are() -> None:
    assert set(connection.introspection.django_table_names()) >= LARGE


@pytest.mark.parametrize(
    "statement",
    [
        'CREATE INDEX "i" ON "judging_judgment" ("answer")',
        "CREATE UNIQUE INDEX i ON judging_judgment (id)",
        'ALTER TABLE "campaigns_place" ADD CONSTRAINT "c" CHECK ("number" > 0)',
        'ALTER TABLE "campaigns_place" ADD CONSTRAINT "c" FOREIGN KEY ("x_id") REFERENCES "y" ("id")',
        'ALTER TABLE "campaigns_place" ADD CONSTRAINT "c" UNIQUE ("number")',
        'ALTER TABLE "judging_judgment" ALTER COLUMN "response_ms" TYPE bigint USING "response_ms"::bigint',
        'ALTER TABLE "judging_judgment" ALTER COLUMN "response_ms" SET NOT NULL',
        'ALTER TABLE "judging_judgment" ADD COLUMN "x" integer NOT NULL',
        'ALTER TABLE "judging_judgment" ADD COLUMN "x" uuid DEFAULT gen_random_uuid() NOT NULL',
        'UPDATE "judging_assignment" SET "warned" = \'\'',
        "LOCK TABLE judging_judgment IN ACCESS EXCLUSIVE MODE",
    ],
)
def test_what_would_hold_a_large_table_is_known(statement: str) -> None:
    found = [match for pattern in HOLDS.values() if (match := re.search(pattern, statement, re.IGNORECASE))]
    assert found and found[0]["table"] in LARGE


@pytest.mark.parametrize(
    "statement",
    [
        'CREATE INDEX CONCURRENTLY "i" ON "judging_judgment" ("answer")',
        'ALTER TABLE "campaigns_place" ADD CONSTRAINT "c" CHECK ("number" > 0) NOT VALID',
        'ALTER TABLE "campaigns_place" VALIDATE CONSTRAINT "c"',
        "ALTER TABLE campaigns_place ADD CONSTRAINT c UNIQUE USING INDEX c",
        'ALTER TABLE "judging_judgment" ADD COLUMN "x" integer NULL',
        'ALTER TABLE "judging_judgment" ADD COLUMN "x" integer DEFAULT 0 NOT NULL',
        'ALTER TABLE "campaigns_place" ALTER COLUMN "number" DROP NOT NULL',
        'DROP INDEX IF EXISTS "place_leased"',
    ],
)
def test_what_is_done_in_a_moment_is_let_through(statement: str) -> None:
    assert not [why for why, pattern in HOLDS.items() if re.search(pattern, statement, re.IGNORECASE)]
