"""Tables with a row an item and a column a worker, or the other way round, melted to a row a judgment."""

import re
from dataclasses import dataclass, replace

import pandas as pd

from analysis.presets.naming import TASK, WORKER, plain_name
from analysis.presets.tables import Table

ITEMS_BY_WORKERS, WORKERS_BY_ITEMS = "items_by_workers", "workers_by_items"
SHAPES = (ITEMS_BY_WORKERS, WORKERS_BY_ITEMS)
# Marks of a gap in a matrix, besides those of any table; "-" is a label where "+" is one.
GAPS = ("-", "\N{EN DASH}", "\N{EM DASH}", ".", "*", "?")


@dataclass(frozen=True)
class Melted:
    """`table` has the columns task, worker and label; `gaps` is how many cells held nothing; `named` whether rows
    have names of their own."""

    table: Table
    shape: str
    gaps: int
    named: bool


def melt(table: Table, shape: str = "", first: str | None = None) -> Melted:
    """A row a judgment, in the order of the file; gaps are left out.

    first: the column that names the rows; found out where it is None.
    """
    frame = table.frame
    name = _naming_column(frame) if first is None else first
    shape = shape or _guess_shape(frame, name)
    rows = frame[name] if name is not None else pd.Series(range(1, len(frame) + 1), frame.index).astype(str)
    if rows.isna().any():
        line = int(rows.index.to_numpy()[rows.isna().to_numpy().argmax()])
        raise table.error("expected a name, found nothing.", line, name)
    cells = frame.drop(columns=[] if name is None else [name])
    missing = set(GAPS) - ({"-"} if (cells == "+").any().any() else set())
    long = cells.assign(**{_ROW: rows, _LINE: frame.index}).melt([_ROW, _LINE], var_name=_COLUMN, value_name=_CELL)
    given = long[long[_CELL].notna() & ~long[_CELL].isin(missing)].sort_values(_LINE, kind="stable")
    if given.empty:
        raise table.error("holds no label: every cell is a gap.")
    sides = (_ROW, _COLUMN) if shape == ITEMS_BY_WORKERS else (_COLUMN, _ROW)
    melted = pd.DataFrame({"task": given[sides[0]], "worker": given[sides[1]], "label": given[_CELL]})
    melted.index = pd.Index(given[_LINE])
    return Melted(replace(table, frame=melted), shape, len(long) - len(given), name is not None)


# Columns of a file may be called row, line, column or label.
_ROW, _LINE, _COLUMN, _CELL = (f"\0{name}" for name in ("row", "line", "column", "cell"))


def _guess_shape(frame: pd.DataFrame, name: str | None) -> str:
    """By what rows and columns are called: rater, coder_2, Annotator B, ... against item, unit_3, ..."""
    rows = [] if name is None else [plain_name(name), *frame[name].dropna()]
    columns = [str(column) for column in frame.columns if column != name]
    if _are(WORKER, columns):
        return ITEMS_BY_WORKERS
    return (
        WORKERS_BY_ITEMS
        if _are(WORKER, rows[:1]) or _are(WORKER, rows[1:]) or _are(TASK, columns)
        else ITEMS_BY_WORKERS
    )


def _are(words: tuple[str, ...], names: list[str]) -> bool:
    """Whether all are one of the words, with a number or a letter behind it or none."""
    pattern = re.compile(rf"({'|'.join(words)})s?[\W_]*(\d+|[a-z])?", re.IGNORECASE)
    return bool(names) and all(pattern.fullmatch(name.strip()) for name in names)


def _naming_column(frame: pd.DataFrame) -> str | None:
    """The column that names the rows: by its own name, or the first, where its cells differ and none is a label."""
    first = str(frame.columns[0])
    if not first or first.startswith("Unnamed") or plain_name(first) in (*TASK, *WORKER, "id"):
        return first
    cells = frame[first]
    others = set(pd.unique(frame.drop(columns=[first]).to_numpy().ravel()))
    return first if cells.notna().all() and cells.is_unique and not set(cells) & others else None
