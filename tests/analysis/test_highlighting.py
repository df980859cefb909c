from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.plausibility.highlighting import highlight, runs_of

# "a great film , really"
STARTS, ENDS = [0, 2, 8, 13, 15], [1, 7, 12, 14, 21]
SCORES: list[float | None] = [0.1, 0.9, 0.5, 0.0, 0.4]


def marked(*rationale: Sequence[float]) -> list[bool]:
    found: list[bool] = highlight(STARTS, ENDS, SCORES, rationale).marks.tolist()
    return found


def test_it_works() -> None:
    words = highlight(STARTS, ENDS, SCORES, [[2, 12]])
    assert words.scores.tolist() == SCORES
    assert words.marks.tolist() == [False, True, True, False, False]
    assert words.weights is None and words.runs == ((1, 3),)


def test_half_of_a_word_is_enough_and_less_is_not() -> None:
    assert marked([10, 12]) == [False, False, True, False, False]
    assert marked([11, 12]) == [False] * 5
    # A mark that slips into the next word does not take it along.
    assert marked([2, 9]) == [False, True, False, False, False]


def test_a_mark_on_spaces_marks_nothing() -> None:
    words = highlight(STARTS, ENDS, SCORES, [[1, 2], [14, 15]])
    assert not words.marks.any() and words.runs == ()


def test_several_spans_stay_apart_and_equal_ones_are_one() -> None:
    words = highlight(STARTS, ENDS, SCORES, [[15, 21], [2, 7], [2, 7], [0, 7]])
    assert words.runs == ((0, 2), (1, 2), (4, 5))


def test_weights_are_those_of_the_heaviest_span() -> None:
    words = highlight(STARTS, ENDS, SCORES, [[2, 12, 0.5], [2, 7, 2], [15, 21, 0]])
    assert words.weights is not None and words.weights.tolist() == [0, 2, 0.5, 0, 0]
    assert words.marks.tolist() == [False, True, True, False, False]
    assert words.runs == ((1, 2), (1, 3))


def test_words_that_the_model_never_saw_are_left_out() -> None:
    words = highlight(STARTS, ENDS, [0.1, 0.9, None, 0.0, 0.4], [[2, 21]])
    assert words.scores.tolist() == [0.1, 0.9, 0.0, 0.4]
    assert words.marks.tolist() == [False, True, True, True] and words.runs == ((1, 4),)


def test_no_words_have_no_marks() -> None:
    assert highlight([], [], [], [[0, 4]]).marks.tolist() == []


def test_a_score_too_few_is_refused() -> None:
    with pytest.raises(ValueError):
        highlight(STARTS, ENDS, SCORES[:-1], [[0, 1]])


@given(st.lists(st.booleans(), max_size=20))
def test_runs_hold_what_is_chosen_and_touch_nowhere(chosen: list[bool]) -> None:
    runs = runs_of(np.array(chosen, dtype=np.bool_))
    again = [any(start <= word < end for start, end in runs) for word in range(len(chosen))]
    assert again == chosen
    assert all(before[1] < after[0] for before, after in zip(runs, runs[1:], strict=False))
