"""From a table of judgments to the arrays of a mixed model: response, coded terms, workers and texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, IntArray

# A column of which earlier ones leave less than this share is a sum of them.
ALIASED = 1e-7
# What rows may share, and so answers in common: a map is what a text shows under one method.
GROUPINGS = ("worker", "text", "map")


@dataclass(frozen=True)
class Term:
    """What may move answers. A number enters centred and divided by its standard deviation (of n - 1).

    Categories are compared with `reference`, or with the commonest where that is empty or not there.
    """

    name: str
    is_number: bool = False
    reference: str = ""

    @property
    def in_r(self) -> str:
        return f"scale({self.name})" if self.is_number else self.name


@dataclass(frozen=True)
class Coded:
    """A column of the model: a number, or one level of a term against its reference. `spread`: what one unit is."""

    term: str
    level: str = ""
    reference: str = ""
    spread: float | None = None


@dataclass(frozen=True)
class Design:
    """Complete rows only.

    answers: (n,) response. x: (n, p) without intercept. columns: p of them. left_out: terms that cannot be estimated,
    and why: constant, follows_from_others, not_known. frame: the rows as R is to read them. n_incomplete: rows that
    lack something.
    """

    response: str
    answers: FloatArray
    x: FloatArray
    columns: tuple[Coded, ...]
    groups: dict[str, IntArray]
    terms: tuple[Term, ...]
    left_out: dict[str, str]
    frame: pd.DataFrame
    n_incomplete: int

    @property
    def n(self) -> int:
        return len(self.answers)

    @property
    def n_workers(self) -> int:
        return n_groups(self.groups["worker"])

    @property
    def n_texts(self) -> int:
        return n_groups(self.groups["text"])

    @property
    def n_maps(self) -> int | None:
        """None where maps are no grouping."""
        return n_groups(self.groups["map"]) if "map" in self.groups else None

    @property
    def n_rest(self) -> int:
        """Groups of all groupings but the largest."""
        sizes = sorted(n_groups(own) for own in self.groups.values())
        return sum(sizes[:-1])

    def formula(self, response: str) -> str:
        """In the notation of R, of the response or what is made of it."""
        groups = [f"(1 | {name})" for name, own in self.groups.items() if grouped(own)]
        return f"{response} ~ {' + '.join([*(term.in_r for term in self.terms), *groups]) or '1'}"


def n_groups(groups: IntArray) -> int:
    return int(groups.max(initial=-1)) + 1


def grouped(groups: IntArray) -> bool:
    """Whether rows fall into groups that can differ: more than one, and one with more than one row."""
    return 1 < n_groups(groups) < len(groups)


def build_design(frame: pd.DataFrame, response: str, terms: Sequence[Term]) -> Design:
    """A design of the rows that have the response, a worker, a text and every usable term.

    frame: one row a judgment, with columns `worker`, `text`, the response and the terms; with a column `map`, what
    judgments of one map share is a grouping too.
    """
    unknown = {term.name: "not_known" for term in terms if not _is_known(frame, term)}
    usable = [term for term in terms if term.name not in unknown]
    groupings = [name for name in GROUPINGS if name in frame.columns]
    kept = frame[[response, *groupings, *(term.name for term in usable)]].dropna()
    kept = kept.sort_values(["worker", "text", response], kind="stable").reset_index(drop=True)
    blocks, columns, used, left_out = [np.ones((len(kept), 1))], [], [], dict(unknown)
    for term in usable:
        values, coded = _code(kept[term.name], term)
        free = [place for place in range(len(coded)) if not _follows(np.hstack(blocks), values[:, place])]
        if not free:
            left_out[term.name] = "follows_from_others" if coded else "constant"
            continue
        blocks.append(values[:, free])
        columns += [coded[place] for place in free]
        used.append(term)
    groups = {name: pd.factorize(kept[name], sort=True)[0].astype(np.int64) for name in groupings}
    return Design(
        response,
        kept[response].to_numpy(dtype=float),
        np.hstack(blocks)[:, 1:],
        tuple(columns),
        groups,
        tuple(used),
        left_out,
        kept,
        len(frame) - len(kept),
    )


def _is_known(frame: pd.DataFrame, term: Term) -> bool:
    return term.name in frame.columns and bool(frame[term.name].notna().any())


def _code(column: pd.Series, term: Term) -> tuple[FloatArray, list[Coded]]:
    """Columns of a term: (n, its columns); none where it is constant."""
    if term.is_number:
        values = column.to_numpy(dtype=float)
        spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        if not spread > 0:
            return np.empty((len(values), 0)), []
        return ((values - values.mean()) / spread)[:, None], [Coded(term.name, spread=spread)]
    words = column.astype(str)
    counts = words.value_counts()
    commonest = "" if counts.empty else min(counts[counts == counts.max()].index)
    reference = term.reference if term.reference in counts.index else commonest
    levels = [level for level in sorted(counts.index) if level != reference]
    marked = np.stack([(words == level).to_numpy(dtype=float) for level in levels], axis=1) if levels else None
    coded = [Coded(term.name, level, reference) for level in levels]
    return np.empty((len(words), 0)) if marked is None else marked, coded


def _follows(before: FloatArray, column: FloatArray) -> bool:
    """Whether a column is a sum of earlier ones."""
    fitted = before @ np.linalg.lstsq(before, column, rcond=None)[0]
    return bool(np.linalg.norm(column - fitted) <= ALIASED * np.linalg.norm(column))
