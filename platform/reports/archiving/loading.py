"""An archive into the database: all of it in one transaction, or nothing. Its rows get ids of their own here."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import psycopg2
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import Error, connection, transaction
from django.db.models import Model

from accounts.auditing import Act, record
from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Dataset
from materials.naming import RESERVED, free_slug
from protocols import KNOWN
from recruitment import PROVIDERS
from reports.archiving.manifest import CSV, ArchiveError
from reports.archiving.parts import BY_MODEL, PARTS, Part, links, plain_fields
from reports.archiving.reading import Archive, open_archive

Progress = Callable[[Part], None]
LONGEST_SLUG = 80


def import_campaign(
    source: Path | IO[bytes],
    team: Team,
    slug: str = "",
    progress: Progress = lambda _part: None,
    actor: User | None = None,
) -> Campaign:
    """The campaign with all that it stands on, as the team's. ArchiveError where it cannot be, and nothing is."""
    with open_archive(source, progress) as archive:
        try:
            with transaction.atomic():
                for part in PARTS:
                    progress(part)
                    _stage(archive, part)
                    _check_values(part)
                _name(slug, team)
                for part in PARTS:
                    _insert(part, team, archive.files[part.file]["keys"])
                campaign = _finish()
                record(actor, team, Act.IMPORTED, campaign)
                return campaign
        except Error as error:
            raise ArchiveError(f"It does not fit together: {_first_line(error)}.") from None


def _stage(archive: Archive, part: Part) -> None:
    """The rows as they are, each with the id that it will have: ids are in the order of the file."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMP TABLE staged_{part.name} (number bigserial, row jsonb NOT NULL) ON COMMIT DROP")
        with archive.open(part) as file:
            try:
                cursor.copy_expert(f"COPY staged_{part.name} (row) FROM STDIN WITH ({CSV})", file)
            except psycopg2.Error as error:
                raise ArchiveError(f"{part.file} is no JSON in each line: {_first_line(error)}.") from None
        cursor.execute(
            f"CREATE TEMP TABLE {part.numbers} ON COMMIT DROP AS "
            f"SELECT number, nextval(pg_get_serial_sequence('{part.table}', 'id')) AS id "
            f"FROM (SELECT number FROM staged_{part.name} ORDER BY number) AS ordered"
        )
        cursor.execute(f"ALTER TABLE {part.numbers} ADD PRIMARY KEY (number)")
        cursor.execute(f"ANALYZE {part.numbers}; ANALYZE staged_{part.name}")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".")


def _check_values(part: Part) -> None:
    """What the code takes for granted and the database does not hold: choices, and names of what is installed."""
    allowed: dict[str, set[Any]] = {
        field.name: {value for value, _ in field.flatchoices} | ({""} if field.blank else set())
        for field in plain_fields(part)
        if field.choices
    }
    if part.model is Campaign:
        allowed |= {"protocol": set(KNOWN), "recruitment": set(PROVIDERS)}
    for name, values in allowed.items():
        for found in _values(part, name) - values:
            raise ArchiveError(f"{part.file}: this Peekaword knows no {name} {str(found)[:60]!r}.")


def _values(part: Part, name: str) -> set[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT DISTINCT row ->> %s FROM staged_{part.name} WHERE row ? %s", [name, name])
        return {value for (value,) in cursor.fetchall()}


def _name(slug: str, team: Team) -> None:
    """Under its own names where they are free, and otherwise under ones with a number."""
    if slug:
        _check_slug(slug)
    for part in PARTS:
        if part.single:
            _rename(part, "slug", slug if slug and part.model is Campaign else _own_slug(part))
    name, number = _staged(BY_MODEL[Dataset], "name"), 2
    taken = set(Dataset.objects.filter(team=team, name__startswith=name[:100]).values_list("name", flat=True))
    free = name
    while free in taken:
        free, number = f"{name[:110]} ({number})", number + 1
    _rename(BY_MODEL[Dataset], "name", free)


def _check_slug(slug: str) -> None:
    try:
        validate_slug(slug)
    except ValidationError:
        raise ArchiveError(f"{slug!r} is no slug: letters, numbers, hyphens and underscores, please.") from None
    if len(slug) > LONGEST_SLUG or slug in RESERVED:
        raise ArchiveError(f"{slug[:60]!r} cannot be a slug: it is longer than {LONGEST_SLUG} or a page's own name.")
    if Campaign.objects.filter(slug=slug).exists():
        raise ArchiveError(f"There is a campaign {slug} already: say another slug.")


def _own_slug(part: Part) -> str:
    slug, model = _staged(part, "slug"), part.model
    taken = slug in RESERVED or model._default_manager.filter(slug=slug).exists()
    return free_slug(model, slug) if taken else slug


def _staged(part: Part, key: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(row ->> %s, '') FROM staged_{part.name}", [key])
        return str(cursor.fetchone()[0])


def _rename(part: Part, key: str, value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE staged_{part.name} SET row = row || %s::jsonb", [json.dumps({key: value})])


def _insert(part: Part, team: Team, given: list[str]) -> None:
    """What an older archive does not have starts as in a new row."""
    plain = [field.name for field in plain_fields(part)]
    columns = {"id": "own.id"} | {name: f"plain.{_quoted(name)}" for name in plain}
    joins = []
    for name, to in links(part).items():
        _refuse_dangling(part, name, to)
        columns[f"{name}_id"] = f"to_{name}.id"
        joins.append(f"LEFT JOIN {to.numbers} to_{name} ON to_{name}.number = (staged.row ->> '{name}')::bigint")
    if any(field.name == "team" for field in part.model._meta.concrete_fields):
        columns["team_id"] = str(int(team.pk))
    missing = json.dumps(_defaults(part.model, set(plain) - set(given)), default=str)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {part.table} ({', '.join(map(_quoted, columns))}) SELECT {', '.join(columns.values())} "
            f"FROM staged_{part.name} staged JOIN {part.numbers} own USING (number) {' '.join(joins)} "
            f"CROSS JOIN LATERAL jsonb_populate_record(null::{part.table}, %s::jsonb || staged.row) plain "
            "ORDER BY own.number",
            [missing],
        )


def _refuse_dangling(part: Part, name: str, to: Part) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM staged_{part.name} staged WHERE row ->> %s IS NOT NULL AND NOT EXISTS "
            f"(SELECT FROM {to.numbers} own WHERE own.number = (staged.row ->> %s)::bigint)",
            [name, name],
        )
        (dangling,) = cursor.fetchone()
    if dangling:
        raise ArchiveError(f"{part.file}: {dangling:,} rows name a {name} that is not in {to.file}.")


def _defaults(model: type[Model], names: set[str]) -> dict[str, Any]:
    fields = [model._meta.get_field(name) for name in sorted(names)]
    return {field.name: field.get_default() for field in fields}  # type: ignore[union-attr]


def _finish() -> Campaign:
    connection.check_constraints()
    _check_registration()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id FROM {BY_MODEL[Campaign].numbers}")
        campaign = Campaign.objects.get(pk=cursor.fetchone()[0])
        tables = [name for part in PARTS for name in (part.numbers, f"staged_{part.name}")]
        cursor.execute(f"DROP TABLE {', '.join(tables)}")
    return campaign


def _check_registration() -> None:
    """Whoever packs an archive anew could write any hashes into its manifest, but not this one into the document."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM staged_registration "
            "WHERE encode(sha256(convert_to(row ->> 'document', 'UTF8')), 'hex') IS DISTINCT FROM row ->> 'digest'"
        )
        (wrong,) = cursor.fetchone()
    if wrong:
        raise ArchiveError("The registration is not what its hash was made of: it was changed.")


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
