"""The rules by which integrated gradients are summed, on integrals that are known."""

import math

import pytest
import torch

from workers.saliency.quadrature import Panel, Path, clenshaw_curtis


def test_the_rule_of_two_intervals_is_simpsons() -> None:
    points, weights = clenshaw_curtis(2)
    assert points == pytest.approx((0, 0.5, 1)) and weights == pytest.approx((1 / 6, 4 / 6, 1 / 6))


@pytest.mark.parametrize("m", [2, 4, 8, 16])
def test_it_is_exact_for_polynomials(m: int) -> None:
    points, weights = clenshaw_curtis(m)
    for degree in range(m + 2):
        total = sum(weight * point**degree for point, weight in zip(points, weights, strict=True))
        assert total == pytest.approx(1 / (degree + 1), abs=1e-12)


def test_doubling_keeps_every_point_to_the_last_bit() -> None:
    for start, end in ((0.0, 0.25), (0.25, 0.5), (0.5, 1.0)):
        before = {point for point, _ in Panel(start, end, 8).rule}
        assert before <= {point for point, _ in Panel(start, end, 16).rule}
        assert {start, end} <= before


def walk(value: float, tolerance: float = 0.03, most_points: int = 200) -> Path:
    """A path of two pieces: f(a) = tanh((a - value) / 0.05), of which the first piece adds 3/4."""
    path = Path()
    while wanted := path.missing():
        for point in wanted:
            at = (point - value) / 0.05
            slope = (1 - math.tanh(at) ** 2) / 0.05
            path.learn(point, math.tanh(at), torch.tensor([0.75 * slope, 0.25 * slope]))
        path.refine(tolerance, most_points)
    return path


@pytest.mark.parametrize("value", [0.05, 0.2, 0.3, 0.7])
def test_points_go_where_the_function_is_steep(value: float) -> None:
    path = walk(value)
    assert path.moved == pytest.approx(math.tanh((1 - value) / 0.05) + math.tanh(value / 0.05))
    assert path.integral().tolist() == pytest.approx([0.75 * path.moved, 0.25 * path.moved], rel=0.03)
    (steep,) = [panel for panel in path.panels if panel.start < value <= panel.end]
    assert steep.intervals == max(panel.intervals for panel in path.panels) > 4
    assert len(path.values) < 50


def test_it_stops_at_the_most_points() -> None:
    assert len(walk(0.7, tolerance=1e-12, most_points=30).values) <= 30


def test_errors_that_cancel_are_no_reason_to_stop() -> None:
    path = Path()
    for point in path.missing():
        path.learn(point, 0.0, torch.tensor([1.0 if point < 0.25 else -1.0 if point > 0.75 else 0.0]))
    path.values[1.0] = 0.25 * 7 / 15
    total = abs(float(path.integral().sum()) - path.moved)
    before = sum(panel.intervals for panel in path.panels)
    path.refine(tolerance=total / path.moved + 1e-6, most_points=64)
    assert sum(panel.intervals for panel in path.panels) > before
