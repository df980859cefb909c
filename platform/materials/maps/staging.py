"""Checked rows wait in a temporary table: no file is held in memory, and doubles are found by SQL."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple

from django.db import connection

from materials.checking import Rejection
from materials.maps.checking import Checked
from materials.models import Explanation
from materials.staging import ESCAPES

PAGE = 500
NULL = r"\N"

CREATE = """
CREATE TEMPORARY TABLE staged_map (
    line bigint PRIMARY KEY, excerpt text, field text, problem text, text_id bigint, classifier_id bigint, title text,
    params jsonb, source text, signed boolean, target int, starts int[], ends int[], scores float8[], special jsonb,
    details jsonb, method text NOT NULL DEFAULT '', known boolean NOT NULL DEFAULT false
) ON COMMIT DROP
"""
COLUMNS = (
    "line, excerpt, field, problem, text_id, classifier_id, title, params, source, signed, target, starts, ends, "
    "scores, special, details"
)
METHODS = """
SELECT title, params, source, min(line), bool_and(signed), bool_or(signed) FROM staged_map WHERE problem = ''
GROUP BY title, params, source ORDER BY min(line) LIMIT %s
"""
NAME = """
UPDATE staged_map SET method = %s WHERE problem = '' AND title = %s AND params = %s::jsonb AND source = %s
"""
SAME = "s.starts = d.starts AND s.ends = d.ends AND s.scores = d.scores AND s.special = d.special"
# The same map again is known; another one in its place is rejected.
IN_FILE = f"""
UPDATE staged_map s SET known = {SAME}, field = 'scores', problem = CASE WHEN {SAME} THEN '' ELSE
    'differ from those in line ' || d.line || ' of the same text, method and target: leave one of them out, or give '
    'them different params' END
FROM (
    SELECT line, first_value(line) OVER (PARTITION BY classifier_id, text_id, method, target ORDER BY line) AS first
    FROM staged_map WHERE problem = ''
) o JOIN staged_map d ON d.line = o.first
WHERE o.line = s.line AND o.first < s.line
"""
IN_DATABASE = f"""
UPDATE staged_map s SET known = {SAME}, field = 'scores', problem = CASE WHEN {SAME} THEN '' ELSE
    'differ from those imported before for this text, method and target, which never change: import these under '
    'another method name' END
FROM materials_explanation d
WHERE s.problem = '' AND d.classifier_id = s.classifier_id AND d.text_id = s.text_id AND d.method = s.method
    AND d.params = s.params AND d.target = s.target
"""
STORED = ("text_id", "classifier_id", "method", "params", "target", "starts", "ends", "scores", "special")


class Found(NamedTuple):
    """A method of the file: its first line, and whether all of its rows, or any, are signed."""

    title: str
    params: dict[str, Any]
    source: str
    line: int
    all_signed: bool
    any_signed: bool


def create() -> None:
    _run(CREATE)


def copy(rows: Iterable[Checked]) -> None:
    buffer = StringIO("".join("\t".join(_cells(row)) + "\n" for row in rows), newline="")
    with connection.cursor() as cursor:
        cursor.copy_expert(f"COPY staged_map ({COLUMNS}) FROM STDIN", buffer)


def _cells(row: Checked) -> Iterator[str]:
    for column, value in row._asdict().items():
        if value is None:
            yield NULL
        else:
            written = _WRITERS.get(column, str)(value)
            yield written.translate(ESCAPES)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _array(numbers: Sequence[float | None]) -> str:
    """As Postgres writes one; `repr` keeps every bit of a float."""
    return "{" + ",".join("NULL" if number is None else repr(number) for number in numbers) + "}"


_WRITERS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("params", "special", "details"), _json),
    **dict.fromkeys(("starts", "ends", "scores"), _array),
}


def methods(most: int) -> list[Found]:
    """In the order of the file."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE staged_map")
        cursor.execute(METHODS, [most])
        return [Found(row[0], json.loads(row[1]), *row[2:]) for row in cursor.fetchall()]


def name(found: Found, method: str) -> None:
    _run(NAME, [method, found.title, json.dumps(found.params), found.source])


def find_doubles() -> None:
    """Mark what is in the database, or in an earlier line: the same map as known, another one as a problem."""
    _run(IN_DATABASE)
    _run(IN_FILE)


def rejections() -> Iterator[Rejection]:
    for page in _pages("line, field, problem, excerpt", "problem <> ''"):
        yield from (Rejection(*row) for row in page)


def count() -> tuple[int, int]:
    """How many rows are new, and how many are known."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE NOT known), count(*) FILTER (WHERE known) FROM staged_map WHERE problem = ''"
        )
        new, known = cursor.fetchone()
    return int(new), int(known)


def write() -> None:
    for page in _pages(f"line, details, {', '.join(STORED)}", "problem = '' AND NOT known"):
        Explanation.objects.bulk_create(_explanation(row) for row in page)


def _explanation(row: Sequence[Any]) -> Explanation:
    values = dict(zip(STORED, row[2:], strict=True))
    for column in ("params", "special"):
        values[column] = json.loads(values[column])
    return Explanation(**values, **json.loads(row[1]))


def drop() -> None:
    _run("DROP TABLE staged_map")


def _pages(columns: str, which: str) -> Iterator[list[Any]]:
    """Rows in the order of the file, a page at a time; the line comes first."""
    after = -1
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {columns} FROM staged_map WHERE {which} AND line > %s ORDER BY line LIMIT %s", [after, PAGE]
            )
            page = cursor.fetchall()
        yield page
        if len(page) < PAGE:
            return
        after = page[-1][0]


def _run(statement: str, values: Sequence[Any] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
