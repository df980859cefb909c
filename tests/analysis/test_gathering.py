import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.plausibility.gathering import agreed_spans, marked_shares
from analysis.plausibility.highlighting import highlight

CONTENT = "A great film, with a dull ending."
WORDS = [[0, 1], [2, 7], [8, 12], [14, 18], [19, 20], [21, 25], [26, 32]]


def test_it_works() -> None:
    shares = marked_shares([{1, 2}, {1}, {1, 2, 5}, set()], 7)
    assert shares.tolist() == [0, 0.75, 0.5, 0, 0, 0.25, 0]
    assert agreed_spans(shares, WORDS, CONTENT) == [[2, 7, 0.75], [8, 12, 0.5]]


def test_half_is_enough_and_another_share_can_be_asked_for() -> None:
    shares = marked_shares([{1}, {5}], 7)
    assert agreed_spans(shares, WORDS, CONTENT) == [[2, 7, 0.5], [21, 25, 0.5]]
    assert agreed_spans(shares, WORDS, CONTENT, least=0.6) == []


def test_neighbours_of_one_share_are_one_span_unless_punctuation_stands_between() -> None:
    shares = marked_shares([{1, 2, 3, 4}], 7)
    assert agreed_spans(shares, WORDS, CONTENT) == [[2, 12, 1.0], [14, 20, 1.0]]


def test_where_nobody_marked_a_word_there_is_no_span_at_any_share() -> None:
    assert agreed_spans(marked_shares([set(), set()], 7), WORDS, CONTENT, least=0.0) == []


def test_marks_of_nobody_and_of_no_word_are_refused() -> None:
    with pytest.raises(ValueError, match="no marks"):
        marked_shares([], 7)
    with pytest.raises(ValueError, match="7 words"):
        marked_shares([{7}], 7)


@given(st.lists(st.sets(st.integers(0, 6)), min_size=1, max_size=9), st.floats(0.01, 1))
def test_the_spans_give_every_word_its_share_back(marks: list[set[int]], least: float) -> None:
    shares = marked_shares(marks, 7)
    spans = agreed_spans(shares, WORDS, CONTENT, least)
    read = highlight([start for start, _ in WORDS], [end for _, end in WORDS], [0.0] * 7, spans)
    wanted = np.where(shares >= least, shares, 0)
    assert read.marks.tolist() == (wanted > 0).tolist()
    assert not spans or (read.weights is not None and read.weights.tolist() == wanted.tolist())
