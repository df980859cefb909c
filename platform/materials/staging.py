"""Rows of a file wait in a temporary table: no file is held in memory, and doubles are found by SQL."""

from collections.abc import Iterable, Iterator
from io import StringIO

from django.db import connection

from materials.checking import Checked, Rejection
from materials.models import Dataset

PAGE = 1000
ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})

CREATE = """
CREATE TEMPORARY TABLE staged_text (
    line bigint PRIMARY KEY, key text, content text, content_hash text, label text, language text, rationale text,
    warning text, template text, edit_of text, field text, problem text
) ON COMMIT DROP
"""
# The planner knows nothing of rows that this transaction wrote, and may know a table only as it was when it held a few:
# with loops it would then try each row with each. Hashes and merges cost the same whatever it knows.
WITHOUT_LOOPS, AS_BEFORE = "SET LOCAL enable_nestloop = off", "SET LOCAL enable_nestloop TO DEFAULT"
IN_DATASET = """
UPDATE staged_text s SET field = %s, problem = 'is in the dataset already, as ' || t.key
FROM materials_text t WHERE t.dataset_id = %s AND s.problem = '' AND t.content_hash = s.content_hash
"""
KEY_IN_DATASET = """
UPDATE staged_text s SET field = %s, problem = 'is the id of another text of the dataset'
FROM materials_text t WHERE t.dataset_id = %s AND s.problem = '' AND s.key <> '' AND t.key = s.key
"""
IN_FILE = """
UPDATE staged_text s SET field = %s, problem = 'is the same as in line ' || d.first
FROM (
    SELECT line, first_value(line) OVER (PARTITION BY {same} ORDER BY line) AS first
    FROM staged_text WHERE problem = '' AND {same} <> ''
) d WHERE d.line = s.line AND d.first < s.line
"""
# What is an edit of what: told after doubles, so that the rows that are left all have their originals.
OF_ITSELF = """
UPDATE staged_text s SET field = %s, problem = 'is the text''s own id: name the text that it was made from'
WHERE s.problem = '' AND s.edit_of <> '' AND s.edit_of = s.key
"""
OF_AN_EDIT = """
UPDATE staged_text s
SET field = %s, problem = 'names ' || s.edit_of || ', which is an edit itself: name the text that both were made from'
WHERE s.problem = '' AND s.edit_of <> '' AND (
    EXISTS (SELECT FROM staged_text o WHERE o.key = s.edit_of AND o.problem = '' AND o.edit_of <> '')
    OR EXISTS (SELECT FROM materials_text t WHERE t.dataset_id = %s AND t.key = s.edit_of AND t.edit_of_id IS NOT NULL)
)
"""
OF_NOTHING = """
UPDATE staged_text s
SET field = %s, problem = 'names ' || s.edit_of || ', which is the id of no text of the dataset and of no good row'
WHERE s.problem = '' AND s.edit_of <> ''
    AND NOT EXISTS (SELECT FROM staged_text o WHERE o.key = s.edit_of AND o.problem = '')
    AND NOT EXISTS (SELECT FROM materials_text t WHERE t.dataset_id = %s AND t.key = s.edit_of)
"""
# A text without an id is known by its line; where that is taken by another file's line, also by its hash.
WRITE = """
INSERT INTO materials_text (dataset_id, key, content, content_hash, label, language, rationale, warning, template)
SELECT %s,
    CASE WHEN s.key <> '' THEN s.key WHEN t.id IS NULL THEN s.line::text
         ELSE s.line || '-' || left(s.content_hash, 12) END,
    s.content, s.content_hash, s.label, s.language, NULLIF(s.rationale, '')::jsonb, s.warning, s.template
FROM staged_text s LEFT JOIN materials_text t ON t.dataset_id = %s AND s.key = '' AND t.key = s.line::text
WHERE s.problem = '' ORDER BY s.line
"""
# Both texts of a pair may be new, so pairs are made once all texts are there.
PAIR = """
UPDATE materials_text t SET edit_of_id = o.id
FROM staged_text s JOIN materials_text o ON o.key = s.edit_of AND o.dataset_id = %s
WHERE s.problem = '' AND s.edit_of <> '' AND t.dataset_id = o.dataset_id AND t.content_hash = s.content_hash
"""


def create() -> None:
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
        cursor.execute(WITHOUT_LOOPS)


def copy(rows: Iterable[Checked]) -> None:
    lines = ("\t".join(str(cell).translate(ESCAPES) for cell in row) for row in rows)
    buffer = StringIO("".join(f"{line}\n" for line in lines), newline="")
    with connection.cursor() as cursor:
        cursor.copy_expert("COPY staged_text FROM STDIN", buffer)


def find_doubles(dataset: Dataset, text_column: str, id_column: str) -> None:
    """Mark every row that repeats a text or an id of the dataset, or of an earlier line."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE staged_text")
        cursor.execute(IN_DATASET, [text_column, dataset.pk])
        cursor.execute(IN_FILE.format(same="content_hash"), [text_column])
        cursor.execute(KEY_IN_DATASET, [id_column, dataset.pk])
        cursor.execute(IN_FILE.format(same="key"), [id_column])


def find_lost_edits(dataset: Dataset, column: str) -> None:
    """Mark every row whose original is not there, or is an edit itself."""
    with connection.cursor() as cursor:
        cursor.execute(OF_ITSELF, [column])
        cursor.execute(OF_AN_EDIT, [column, dataset.pk])
        cursor.execute(OF_NOTHING, [column, dataset.pk])


def rejections() -> Iterator[Rejection]:
    """In the order of the file, a page at a time."""
    after = -1
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                "SELECT line, field, problem, left(content, 200) FROM staged_text"
                " WHERE problem <> '' AND line > %s ORDER BY line LIMIT %s",
                [after, PAGE],
            )
            page = [Rejection(*row) for row in cursor.fetchall()]
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].line


def count_good() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM staged_text WHERE problem = ''")
        return int(cursor.fetchone()[0])


def write(dataset: Dataset) -> int:
    with connection.cursor() as cursor:
        cursor.execute(WRITE, [dataset.pk, dataset.pk])
        written = int(cursor.rowcount)
        cursor.execute(PAIR, [dataset.pk])
        return written


def drop() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE staged_text")
        cursor.execute(AS_BEFORE)
