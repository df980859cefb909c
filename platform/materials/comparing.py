"""How far the heat maps of one text rank its words alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.correlation.pairwise import FEWEST, tau_matrix
from materials.picturing import HeatMap
from protocols.marking import STEPS, css_class


@dataclass(frozen=True)
class Cell:
    """Kendall's tau-b of two maps; None with the reason where there is none."""

    value: float | None
    reason: str = ""

    @property
    def shown(self) -> str:
        return f"{self.value:.2f}".replace("-", "\N{MINUS SIGN}") if self.value is not None else "\N{EN DASH}"

    @property
    def css_class(self) -> str:
        strength = round(STEPS * (self.value or 0))
        return css_class(strength, signed=True) if strength else ""


@dataclass(frozen=True)
class Row:
    map: HeatMap
    cells: list[Cell]


@dataclass(frozen=True)
class Comparison:
    rows: list[Row]
    reasons: list[str]


def compare(maps: Sequence[HeatMap]) -> Comparison:
    """Every map with every other, over the words that have a score in both."""
    scores = _aligned(maps)
    tau = tau_matrix(scores)
    rows = [
        Row(one, [_cell(maps, scores, float(tau[at, other]), at, other) for other in range(len(maps))])
        for at, one in enumerate(maps)
    ]
    return Comparison(rows, list(dict.fromkeys(cell.reason for row in rows for cell in row.cells if cell.reason)))


def _aligned(maps: Sequence[HeatMap]) -> FloatArray:
    """(maps, words), NaN where a map has no score for a word."""
    places: dict[tuple[int, int], int] = {}
    for one in maps:
        for start, end, _ in one.spans:
            places.setdefault((start, end), len(places))
    scores = np.full((len(maps), len(places)), np.nan)
    for at, one in enumerate(maps):
        for start, end, score in one.spans:
            scores[at, places[start, end]] = np.nan if score is None else score
    return scores


def _cell(maps: Sequence[HeatMap], scores: FloatArray, tau: float, first: int, second: int) -> Cell:
    if np.isfinite(tau):
        return Cell(tau)
    both = np.isfinite(scores[first]) & np.isfinite(scores[second])
    if both.sum() < FEWEST:
        return Cell(None, f"{maps[first].title} and {maps[second].title} share fewer than {FEWEST} words.")
    constant = first if np.ptp(scores[first, both]) == 0 else second
    return Cell(None, f"All scores of {maps[constant].title} are equal.")
