"""Where the labels of a scatter's points stand: near their points, clear of each other. Pixels, y grows downwards."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import hypot

CHARACTER = 6.3  # mean width of a character at 12 px
SWATCH = 12.0
MARGIN = 8.0  # for letters wider than the mean
LINE = 15.0
GAP = 11.0  # from the end of the interval to the middle of the nearest label
ROWS = 16
ROUNDS = 4
POINT = 5.0


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def distance(self, mark: "Mark") -> float:
        """From the mark's point to the nearest edge; 0 within."""
        across = max(self.left - mark.x, mark.x - self.right, 0.0)
        return hypot(across, max(self.top - mark.y, mark.y - self.bottom, 0.0))


@dataclass(frozen=True)
class Mark:
    """A labelled point; its intervals reach from left to right and from top to bottom."""

    text: str
    x: float
    y: float
    left: float
    right: float
    top: float
    bottom: float

    @property
    def point(self) -> Box:
        return Box(self.x - POINT, self.y - POINT, self.x + POINT, self.y + POINT)

    @property
    def intervals(self) -> list[Box]:
        return [Box(self.left, self.y, self.right, self.y + 1), Box(self.x, self.top, self.x + 1, self.bottom)]


@dataclass(frozen=True)
class Label:
    """Its box, swatch included; the upright line (line_x, line_from) to (line_x, line_to) ties it to its point."""

    box: Box
    point_y: float
    line_x: float
    line_from: float
    line_to: float

    @property
    def y(self) -> float:
        return (self.box.top + self.box.bottom) / 2

    @property
    def path(self) -> Box:
        """From the point itself: a line that passes another point on its way would be read as the other's."""
        top, bottom = sorted([self.point_y, self.line_to])
        return Box(self.line_x - 1, top, self.line_x + 1, bottom)


def place_labels(marks: list[Mark], width: float, height: float) -> list[Label]:
    """One label a mark, in the marks' order: each takes the place with the least in its way, the nearer the better.

    Labels are placed from left to right, and then again a few times, knowing where all the others stand.
    """
    placed: dict[int, Label] = {}
    for _ in range(ROUNDS):
        for number in sorted(range(len(marks)), key=lambda n: (marks[n].x, marks[n].y)):
            placed.pop(number, None)
            others = [mark for other, mark in enumerate(marks) if other != number]
            places = list(_places(marks[number], width, height))
            costs = [
                n / 6 + _in_the_way(place, others, placed.values()) + _misleading(place, marks[number], others)
                for n, place in enumerate(places)
            ]
            placed[number] = places[costs.index(min(costs))]
    return [placed[number] for number in range(len(marks))]


def _places(mark: Mark, width: float, height: float) -> Iterator[Label]:
    half = (SWATCH + len(mark.text) * CHARACTER + MARGIN) / 2
    for row in range(ROWS):
        for start, middle in ((mark.top, mark.top - GAP - row * LINE), (mark.bottom, mark.bottom + GAP + row * LINE)):
            y = min(max(middle, LINE / 2), height - LINE / 2)
            for shift in (0.0, half - POINT, POINT - half):
                x = min(max(mark.x + shift, half), max(half, width - half))
                box = Box(x - half, y - LINE / 2, x + half, y + LINE / 2)
                yield Label(box, mark.y, mark.x, start, box.bottom if middle < start else box.top)


def _in_the_way(label: Label, others: list[Mark], placed: Iterable[Label]) -> int:
    """How bad a place is: labels on labels are worst, crossed intervals least."""
    cost = 0
    for other in placed:
        cost += 100 * label.box.meets(other.box) + 40 * (label.box.meets(other.path) + label.path.meets(other.box))
    for mark in others:
        cost += 30 * (label.box.meets(mark.point) + label.path.meets(mark.point))
        cost += 8 * sum(label.box.meets(interval) for interval in mark.intervals)
    return cost


def _misleading(label: Label, own: Mark, others: list[Mark]) -> int:
    """A label nearer to another point than to its own would be read as the other's."""
    return 12 * sum(label.box.distance(mark) < label.box.distance(own) for mark in others)
