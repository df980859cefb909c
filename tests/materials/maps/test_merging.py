from language.words import segment
from materials.maps.merging import Scored, merge


def test_it_works() -> None:
    content = "un-do it!"
    pieces = [
        Scored("[CLS]", None, 0.5),
        Scored("un", (0, 2), 1.0),
        Scored("-", (2, 3), 0.25),
        Scored("do", (3, 5), 2.0),
        Scored("it!", (6, 9), 3.0),
    ]
    merged = merge(pieces, segment(content), content)
    assert merged.scores == [3.25, 1.5, 1.5]
    assert merged.special == [("[CLS]", 0.5)]


def test_uncovered_words_are_not_seen() -> None:
    assert merge([Scored("b", (2, 3), 1.0)], segment("a b c"), "a b c").scores == [None, 1.0, None]


def test_uncovered_words_may_be_zero_but_not_those_that_a_piece_names_without_a_score() -> None:
    merged = merge([Scored("b", (2, 3), 1.0), Scored("c", (4, 5), None)], segment("a b c!"), "a b c!")
    assert merged.scores == [None, 1.0, None, None] and merged.rest_zero() == [0.0, 1.0, None, 0.0]


def test_pieces_without_a_score_leave_the_others() -> None:
    pieces = [Scored("a", (0, 1), None), Scored("b", (1, 2), 2.0), Scored("c", (3, 4), None)]
    assert merge(pieces, segment("ab c"), "ab c").scores == [2.0, None]


def test_pieces_of_white_space_are_kept_apart() -> None:
    assert merge([Scored("Ġ", (1, 2), 1.0)], segment("a b"), "a b").special == [("Ġ", 1.0)]


def test_a_lone_piece_keeps_every_bit() -> None:
    merged = merge([Scored("a", (0, 1), -0.0)], segment("a"), "a")
    assert str(merged.scores[0]) == "-0.0"
