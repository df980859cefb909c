from itertools import combinations

import numpy as np

from reports.labelling import Box, Label, Mark, place_labels

WIDTH, HEIGHT = 450.0, 330.0


def mark(x: float, y: float, text: str = "Gradient", reach: float = 12.0) -> Mark:
    return Mark(text, x, y, x - reach, x + reach, y - reach, y + reach)


def crowd(n: int, seed: int) -> list[Mark]:
    """Points as close as methods that people score alike: within a tenth of the axis."""
    rng = np.random.default_rng(seed)
    return [mark(float(x), float(y)) for x, y in zip(rng.uniform(20, 430, n), rng.uniform(90, 125, n), strict=True)]


def overlaps(labels: list[Label]) -> int:
    return sum(one.box.meets(other.box) for one, other in combinations(labels, 2))


def test_it_works() -> None:
    (label,) = place_labels([mark(200, 100)], WIDTH, HEIGHT)
    assert label.box.bottom < 88 and label.box.distance(mark(200, 100)) < 20
    assert (label.line_x, label.line_from, label.line_to) == (200, 88, label.box.bottom)


def test_labels_of_crowded_points_do_not_overlap() -> None:
    for seed in range(20):
        assert overlaps(place_labels(crowd(8, seed), WIDTH, HEIGHT)) == 0


def test_labels_stay_inside() -> None:
    corners = [mark(x, y, "Integrated gradients") for x in (0, WIDTH) for y in (0, HEIGHT)]
    for label in place_labels(corners, WIDTH, HEIGHT):
        assert label.box.left >= 0 and label.box.right <= WIDTH
        assert label.box.top >= 0 and label.box.bottom <= HEIGHT


def test_points_at_one_place_are_labelled_above_and_below() -> None:
    above, below = place_labels([mark(200, 100, "LIME"), mark(200, 108, "DeepLIFT")], WIDTH, HEIGHT)
    assert above.box.bottom < 100 and below.box.top > 108


def test_a_label_covers_no_point() -> None:
    for seed in range(20):
        marks = crowd(6, seed)
        labels = place_labels(marks, WIDTH, HEIGHT)
        assert not any(label.box.meets(one.point) for label in labels for one in marks)


def test_no_marks_have_no_labels() -> None:
    assert place_labels([], WIDTH, HEIGHT) == []


def test_boxes_that_only_touch_do_not_meet() -> None:
    assert not Box(0, 0, 10, 10).meets(Box(10, 0, 20, 10))
    assert Box(0, 0, 10, 10).meets(Box(9, 9, 20, 20))
