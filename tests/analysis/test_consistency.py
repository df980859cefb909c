import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from analysis.arrays import FloatArray
from analysis.consistency.saliency import likeness, mean_likeness, without_noise


def array(*values: float) -> FloatArray:
    return np.array(values, dtype=float)


def test_it_works() -> None:
    pairs = [(array(1, 2, 3), array(2, 4, 6)), (array(1, 2, 3), array(3, 2, 1)), (array(1, 2, 3), array(1, 2))]
    found = mean_likeness(pairs, [0, 1, 2], replicates=200)
    assert (found.value, found.n, found.skipped, found.undefined, found.status) == (0.0, 2, 1, 0, "ok")
    assert found.ci == (-1.0, 1.0)


def test_noise_is_what_is_below_a_hundredth_of_the_greatest() -> None:
    assert without_noise(array(-100, 0.99, 1, -0.5, 50)).tolist() == [-100, 0, 1, 0, 50]


def test_noise_does_not_lower_the_likeness() -> None:
    assert likeness(array(100, 0.5, -0.5, 0), array(100, -0.9, 0.9, 0.2)) == (1.0, "ok")


@pytest.mark.parametrize("seed", range(5))
def test_it_is_pearsons_r(seed: int) -> None:
    x, y = np.random.default_rng(seed).normal(size=(2, 9)) + 3
    assert likeness(x, y).value == pytest.approx(pearsonr(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (array(1, 2), array(1, 2, 3), "unequal_lengths"),
        (array(1), array(2), "fewer_than_two_words"),
        (array(), array(), "fewer_than_two_words"),
        (array(1, 1, 1), array(1, 2, 3), "constant_map"),
        (array(1, 2, 3), array(0, 0, 0), "constant_map"),
    ],
)
def test_what_is_undefined_says_why(first: FloatArray, second: FloatArray, status: str) -> None:
    assert likeness(first, second) == (None, status)


def test_undefined_pairs_are_counted_apart_from_skipped_ones() -> None:
    found = mean_likeness([(array(0, 0), array(1, 2)), (array(1, 2), array(1, 2, 3))], [0, 1])
    assert (found.value, found.ci, found.n, found.skipped, found.undefined) == (None, None, 0, 1, 1)
    assert found.status == "no_comparable_pair"


def test_no_pairs_have_no_mean() -> None:
    assert mean_likeness([], []).status == "no_comparable_pair"


def test_pairs_of_one_unit_are_drawn_together() -> None:
    good, bad = (array(1, 2, 3), array(1, 2, 3)), (array(1, 2, 3), array(3, 2, 1))
    assert mean_likeness([good, bad], [7, 7]).ci is None
    # Each unit's own mean is 0, so that no draw of units varies.
    assert mean_likeness([good, bad, good, bad], [0, 0, 1, 1]).ci == (0.0, 0.0)


@given(
    st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=2, max_size=12),
    st.sampled_from([1e-200, 0.5, 3.0, 1e150]),
)
def test_the_scale_of_a_map_does_not_matter(scores: list[tuple[int, int]], scale: float) -> None:
    x, y = np.array(scores, dtype=float).T
    ours, scaled = likeness(x, y), likeness(x * scale, y)
    assert ours.status == scaled.status
    assert ours.value == pytest.approx(scaled.value, abs=1e-6)
