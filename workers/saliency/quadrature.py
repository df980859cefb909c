"""Integrals over 0..1 of functions that are dear to evaluate, whose sum has a known antiderivative.

The path of integrated gradients is cut into panels, narrower near the baseline, where layer norms make the
slope steep. On each panel the Clenshaw-Curtis rule (1960, doi:10.1007/BF01386223) sums over the points

    a_k = start + (end - start) (1 - cos(pi k / m)) / 2,   k = 0..m

and doubling m keeps every point that was tried. How far a panel's sum is from f(end) - f(start) is known
exactly, so that points go where they are missed.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, pi

import torch
from torch import Tensor

FIRST_PANELS = ((0.0, 0.25), (0.25, 0.5), (0.5, 1.0))
FIRST_INTERVALS = 4


@lru_cache
def clenshaw_curtis(m: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Points and weights on 0..1 of the rule with m + 1 points, m even; exact for polynomials up to degree m + 1."""
    points = tuple((1 - cos(pi * (k / m))) / 2 for k in range(m + 1))
    weights = tuple(_weight(k, m) for k in range(m + 1))
    return points, weights


def _weight(k: int, m: int) -> float:
    terms = [(1 if 2 * j in (0, m) else 2) * cos(2 * pi * j * k / m) / (1 - 4 * j * j) for j in range(m // 2 + 1)]
    return (1 if k in (0, m) else 2) * sum(terms) / (2 * m)


@dataclass(frozen=True)
class Panel:
    start: float
    end: float
    intervals: int = FIRST_INTERVALS

    @property
    def rule(self) -> list[tuple[float, float]]:
        """Points and weights."""
        points, weights = clenshaw_curtis(self.intervals)
        width = self.end - self.start
        return [(self.start + width * point, width * weight) for point, weight in zip(points, weights, strict=True)]


@dataclass
class Path:
    """One text's path: `values` of f and `slopes`, what each piece adds to f' (pieces,), at the points tried."""

    values: dict[float, float] = field(default_factory=dict)
    slopes: dict[float, Tensor] = field(default_factory=dict)
    panels: list[Panel] = field(default_factory=lambda: [Panel(start, end) for start, end in FIRST_PANELS])

    def learn(self, point: float, value: float, slopes: Tensor) -> None:
        self.values[point], self.slopes[point] = value, slopes.double()

    def missing(self) -> list[float]:
        """Points that the rules need and nobody has tried."""
        wanted = {point for panel in self.panels for point, _ in panel.rule}
        return sorted(wanted - self.values.keys())

    def integral(self) -> Tensor:
        """Integral (pieces,) of the slopes over 0..1."""
        return torch.stack([self._over(panel) for panel in self.panels]).sum(0)

    @property
    def moved(self) -> float:
        return self.values[1.0] - self.values[0.0]

    def refine(self, tolerance: float, most_points: int) -> None:
        """Double the points of the worst panel, unless the panels' errors add up to no more than tolerance * |moved|.

        Errors are added without their signs: that two of them cancel is no reason to trust the pieces' shares.
        """
        errors = [abs(self._error(panel)) for panel in self.panels]
        worst = errors.index(max(errors))
        panel = self.panels[worst]
        if sum(errors) > tolerance * abs(self.moved) and len(self.values) + panel.intervals <= most_points:
            self.panels[worst] = Panel(panel.start, panel.end, 2 * panel.intervals)

    def _over(self, panel: Panel) -> Tensor:
        return torch.stack([weight * self.slopes[point] for point, weight in panel.rule]).sum(0)

    def _error(self, panel: Panel) -> float:
        return float(self._over(panel).sum()) - (self.values[panel.end] - self.values[panel.start])
