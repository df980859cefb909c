"""A campaign into one archive, as it stood at one moment: through the database's own streams, in constant memory.

The same campaign gives the same bytes; so does the campaign that an import made of them.
"""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from django.core.exceptions import EmptyResultSet
from django.db import connection, transaction

from accounts.auditing import Act, record
from accounts.models import User
from campaigns.models import Campaign
from campaigns.preregistering import canonical
from reports.archiving.manifest import CSV, MANIFEST, ArchiveError, Facts, manifest_of
from reports.archiving.parts import KEPT, PARTS, Part, keys, links, plain_fields
from reports.filing import EPOCH, READABLE

Progress = Callable[[Part], None]


def export_campaign(
    campaign: Campaign, path: Path, progress: Progress = lambda _part: None, actor: User | None = None
) -> None:
    """Write `path`, which is there only once it is whole. ArchiveError while the campaign is being prepared."""
    part = path.with_name(path.name + ".part")
    record(actor, campaign.team, Act.ARCHIVED, campaign)
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        with part.open("wb") as out:
            write_archive(campaign, out, progress)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_archive(campaign: Campaign, out: IO[bytes], progress: Progress = lambda _part: None) -> None:
    with _one_moment(), zipfile.ZipFile(out, "w") as archive:
        row = Campaign.objects.get(pk=campaign.pk)
        if row.state == Campaign.State.PREPARING:
            raise ArchiveError("The campaign is being prepared: export it once that is done.")
        files = {}
        for part in PARTS:
            progress(part)
            _number(part, row)
            files[part.file] = _write(part, archive)
        with archive.open(_entry(MANIFEST), "w") as file:
            file.write(canonical(manifest_of(row.slug, files)) + b"\n")


@contextmanager
def _one_moment() -> Iterator[None]:
    """Every table as it was when the first was read, whoever judges meanwhile."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE {', '.join(part.numbers for part in PARTS)}")


def _number(part: Part, campaign: Campaign) -> None:
    try:
        wanted, params = part.rows(campaign).order_by().distinct().values("pk").query.sql_with_params()
    except EmptyResultSet:
        wanted, params = "SELECT 0::bigint WHERE false", ()
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMP TABLE {part.numbers} ON COMMIT DROP AS "
            f"SELECT id, row_number() OVER (ORDER BY id) AS number FROM ({wanted}) AS wanted (id)",
            params,
        )
        cursor.execute(f"ALTER TABLE {part.numbers} ADD PRIMARY KEY (id)")
        cursor.execute(f"ANALYZE {part.numbers}")


def _write(part: Part, archive: zipfile.ZipFile) -> Facts:
    with archive.open(_entry(part.file), "w", force_zip64=True) as file, connection.cursor() as cursor:
        lines = _Lines(file)
        cursor.copy_expert(f"COPY ({_select(part)}) TO STDOUT WITH ({CSV})", lines)
    if part.single and lines.rows != 1:
        raise ArchiveError("The campaign was deleted meanwhile.")
    return {"rows": lines.rows, "bytes": lines.bytes, "sha256": lines.digest.hexdigest(), "keys": keys(part)}


def _select(part: Part) -> str:
    """One JSON object a row, with numbers in the place of ids."""
    columns = [f"{_value(part, field.name)} AS {_quoted(field.name)}" for field in plain_fields(part)]
    joins = []
    for name, to in links(part).items():
        columns.append(f"to_{name}.number AS {_quoted(name)}")
        joins.append(f"LEFT JOIN {to.numbers} to_{name} ON to_{name}.id = row.{name}_id")
    return (
        f"SELECT to_jsonb(line) - 'line_number' FROM (SELECT own.number AS line_number, {', '.join(columns)} "
        f"FROM {part.table} row JOIN {part.numbers} own ON own.id = row.id {' '.join(joins)}) line ORDER BY line_number"
    )


def _value(part: Part, name: str) -> str:
    return KEPT.get((part.model, name), f"row.{_quoted(name)}")


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr, entry.compress_type, entry.create_system = READABLE, zipfile.ZIP_DEFLATED, 3
    return entry


class _Lines:
    """Counts and hashes what passes."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.digest, self.rows, self.bytes = file, sha256(), 0, 0

    def write(self, chunk: Any) -> None:
        data = chunk.encode() if isinstance(chunk, str) else bytes(chunk)
        self.digest.update(data)
        self.rows += data.count(b"\n")
        self.bytes += len(data)
        self.file.write(data)
