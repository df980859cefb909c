"""What must change nothing, whatever the ratings."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from analysis.agreement.coefficients import fleiss_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha, percent_agreement
from analysis.agreement.cohen import cohen_kappa
from analysis.agreement.intraclass import FORMS, intraclass_correlation
from analysis.agreement.levels import LEVELS
from analysis.agreement.measuring import Agreement
from tests.analysis.rated import ratings

Coefficient = Callable[..., Agreement]
FEW: dict[str, Any] = {"replicates": 5}
ALPHAS = {f"alpha {level}": partial(krippendorff_alpha, level=level, **FEW) for level in LEVELS}
NOMINAL: dict[str, Coefficient] = {
    "alpha": ALPHAS["alpha nominal"],
    "per cent": partial(percent_agreement, **FEW),
    "fleiss": partial(fleiss_kappa, **FEW),
    "ac1": partial(gwet_ac1, **FEW),
    "cohen": partial(cohen_kappa, **FEW),
}
ICCS = {form: partial(intraclass_correlation, form=form, **FEW) for form in FORMS}
ALL: dict[str, Coefficient] = {
    **NOMINAL,
    **ALPHAS,
    **ICCS,
    "ac2": partial(gwet_ac2, **FEW),
    "ac2 ordinal": partial(gwet_ac2, weights="ordinal", **FEW),
    "weighted": partial(cohen_kappa, weights="quadratic", **FEW),
}
few = settings(max_examples=12, deadline=None)
matrices = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([1.0, 2.0, 3.0, np.nan]), min_size=6, max_size=6), min_size=raters, max_size=raters
    ).map(np.array)
)


def unchanged(matrix: np.ndarray, other: np.ndarray, *names: str, intervals: bool = True) -> None:
    """Value, status and, drawn from the same seed, interval of these coefficients, or of all."""
    first, second = ratings(matrix), ratings(other)
    for name in names or ALL:
        found, again = ALL[name](first), ALL[name](second)
        assert again.status == found.status, name
        assert again.value == pytest.approx(found.value, abs=1e-9), name
        assert not intervals or again.ci == pytest.approx(found.ci, abs=1e-9), name


@few
@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_units_changes_nothing_not_even_the_interval(matrix: np.ndarray, random: Any) -> None:
    order = list(range(matrix.shape[1]))
    random.shuffle(order)
    two_way = {"icc_2_1", "icc_3_1", "icc_2_k", "icc_3_k"}  # Units are drawn one by one there.
    unchanged(matrix[:, order], matrix, *(set(ALL) - two_way))
    unchanged(matrix[:, order], matrix, *two_way, intervals=False)


@few
@given(matrices)
def test_the_order_of_raters_changes_nothing(matrix: np.ndarray) -> None:
    unchanged(matrix[::-1], matrix, intervals=False)


@few
@given(matrices)
def test_renamed_labels_change_nothing_at_the_nominal_level(matrix: np.ndarray) -> None:
    unchanged((5 * matrix) % 7, matrix, *NOMINAL, intervals=False)


@few
@given(matrices)
def test_a_monotone_scale_changes_nothing_at_the_ordinal_level(matrix: np.ndarray) -> None:
    unchanged(matrix**3, matrix, "alpha ordinal", "ac2 ordinal")


@few
@example(np.array([[1.0] * 6, [1.0] * 4 + [2.0, 1.0]]), 0.5, 0.001)
@given(matrices, st.floats(0.1, 9), st.floats(-9, 9))
def test_a_linear_scale_changes_nothing_at_the_interval_level(matrix: np.ndarray, a: float, b: float) -> None:
    unchanged(a * matrix + b, matrix, "alpha interval", "ac2", "weighted", *ICCS)


@few
@given(matrices, st.floats(0.1, 9))
def test_a_unit_of_measurement_changes_nothing_at_the_ratio_level(matrix: np.ndarray, a: float) -> None:
    unchanged(a * matrix, matrix, "alpha ratio")


@few
@given(matrices)
def test_units_with_one_rating_change_nothing(matrix: np.ndarray) -> None:
    """But for Gwet's coefficients, whose chance agreement they are part of."""
    assume(np.isfinite(matrix).any(axis=1).all())
    lonely = np.full((len(matrix), 2), np.nan)
    lonely[0] = [1.0, 3.0]
    unchanged(np.hstack([lonely, matrix]), matrix, *(set(ALL) - {"ac1", "ac2", "ac2 ordinal"}))


@few
@given(matrices)
def test_every_unit_twice_changes_no_mean_over_units(matrix: np.ndarray) -> None:
    unchanged(np.hstack([matrix, matrix]), matrix, "per cent", "ac1", "fleiss", "cohen", intervals=False)


@few
@given(matrices)
def test_a_value_stands_exactly_where_the_status_is_ok_and_never_exceeds_one(matrix: np.ndarray) -> None:
    counted = ratings(matrix)
    for name, coefficient in ALL.items():
        found = coefficient(counted)
        assert (found.value is not None) == (found.status == "ok"), name
        for number in [found.value or 0.0, *(found.ci or ())]:
            assert np.isfinite(number) and number <= 1 + 1e-9, name
