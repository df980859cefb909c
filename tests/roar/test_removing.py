"""Which words go, on a text of six words of which the classifier saw five."""

import pytest

from language.words import segment
from workers.classifiers.encoding import Encoded
from workers.roar.removing import count_gone, remove

CONTENT = "one two three four five six"
TEXT = Encoded("0", CONTENT, tuple(segment(CONTENT)), (2, 3, 4, 5, 6), tuple((at, at) for at in range(5)))
SCORES = [0.1, 0.5, -0.9, 0.5, 0.0, None]


@pytest.mark.parametrize(("words", "share", "gone"), [(10, 0.1, 1), (5, 0.5, 3), (3, 0.1, 0), (20, 0.35, 7), (7, 1, 7)])
def test_a_share_is_the_nearest_number_of_words(words: int, share: float, gone: int) -> None:
    assert count_gone(words, share) == gone


def test_the_highest_scores_go_first_and_ties_by_position() -> None:
    assert [remove(TEXT, SCORES, (), share) for share in (0.2, 0.4, 0.6)] == [{1}, {1, 3}, {0, 1, 3}]


def test_words_that_were_never_seen_never_go() -> None:
    assert remove(TEXT, SCORES, (), 1) == {0, 1, 2, 3, 4}


def test_what_is_gone_stays_gone_and_counts() -> None:
    assert remove(TEXT, SCORES, {2}, 0.4) == {1, 2}
    assert remove(TEXT, SCORES, {0, 2}, 0.4) == {0, 2}
