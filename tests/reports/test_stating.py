"""What the record of a stimulus says that may have moved an answer."""

import pytest

from analysis.study import COVARIATES, PAIRWISE, RATING, WORD_IMPORTANCE
from judging.entering import UNKNOWN
from reports.stating import facts_of

#       012345678901234567
TEXT = "Good plot, Bad end"
MAP = {"words": [[0, 4, 0.5, 3], [5, 9, 0.01, 0], [11, 14, -1.0, 5], [15, 18, None, 0]]}


def test_it_works() -> None:
    facts = facts_of(RATING, {"text": TEXT, "map": MAP}, {}, 7)
    assert facts == {
        "text_length": 4,
        "marked_share": 0.5,
        "marked_saliency": pytest.approx(0.75),
        "marked_length": pytest.approx(3.5),
        "marked_position": pytest.approx(1 / 3),
        "marked_capitals": 1.0,
        "order": 7,
    }
    assert set(facts) <= set(COVARIATES)


def test_of_a_map_without_marks_only_that_is_told() -> None:
    blank = {"words": [[0, 4, 0.0, 0], [5, 9, 0.0, 0]]}
    assert facts_of(RATING, {"text": TEXT, "map": blank}, {}, 1) == {"text_length": 2, "marked_share": 0.0, "order": 1}


def test_an_arm_without_an_explanation_has_none() -> None:
    assert facts_of(RATING, {"text": TEXT, "map": None}, {}, 1) == {}


def test_of_a_word_the_place_in_its_sentence_is_told() -> None:
    facts = facts_of(WORD_IMPORTANCE, {"facts": {"saliency": 0.4, "sentence_position": 2, "position": 9}}, {}, 3)
    assert facts == {"saliency": 0.4, "word_position": 2, "order": 3}


def test_judgments_from_elsewhere_keep_what_came_with_them() -> None:
    assert facts_of(RATING, {"text": TEXT, "map": MAP}, {UNKNOWN: {"order": 2}}, 7) == {"order": 2}


def test_other_protocols_keep_none() -> None:
    assert facts_of(PAIRWISE, {"text": TEXT, "map": MAP}, {}, 7) == {}
