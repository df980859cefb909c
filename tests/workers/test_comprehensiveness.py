"""Comprehensiveness and sufficiency by hand; sufficiency keeps what comprehensiveness removes."""

from dataclasses import replace

import pytest

from catalogue.metrics import METRICS as CATALOGUE
from tests.workers.worded import TEXT, Worded, p, value, values
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.faithfulness.erasing import Value


def test_comprehensiveness_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    # 1, 5, 10 and 20 % of 4 words are one word (great), 50 % are two (great, really).
    expected = (4 * (p(1.5) - p(-0.5)) + (p(1.5) - p(-1.0))) / 5
    assert value(classifier, "comprehensiveness") == pytest.approx(expected, abs=1e-6)


def test_sufficiency_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    expected = (4 * (p(1.5) - p(2.0)) + (p(1.5) - p(2.5))) / 5
    assert value(classifier, "sufficiency") == pytest.approx(expected, abs=1e-6)


def test_other_shares_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    expected = (p(1.5) - p(-1.0) + p(1.5) - p(0.0)) / 2
    assert value(classifier, "comprehensiveness", shares=(0.5, 1.0)) == pytest.approx(expected, abs=1e-6)


def test_the_class_is_the_one_explained(classifier: TextClassifier, worded: Worded) -> None:
    against = value(classifier, "comprehensiveness", label=1)
    assert against == pytest.approx(-value(classifier, "comprehensiveness"), abs=1e-6)


def test_ferret_takes_each_set_of_positive_words_once(classifier: TextClassifier, worded: Worded) -> None:
    # 10 and 20 % of 4 words are none, 30 and 40 % one, from 50 % two; more are not positive.
    scores = [-0.1, 0.9, 0.0, 0.5]
    one, two = p(1.5) - p(-0.5), p(1.5) - p(-1.0)
    found = value(classifier, "comprehensiveness", scores, profile="ferret")
    assert found == pytest.approx((one + two) / 2, abs=1e-6)
    one, two = p(1.5) - p(2.0), p(1.5) - p(2.5)
    assert value(classifier, "sufficiency", scores, profile="ferret") == pytest.approx((one + two) / 2, abs=1e-6)


def test_ferret_needs_a_positive_word(classifier: TextClassifier) -> None:
    found = values(classifier, "comprehensiveness", [[-0.1, -0.9, 0.0, -0.5]], profile="ferret")
    assert found == [Value(None, "no word scores above zero")]


def test_words_are_removed_masked_padded_or_zeroed(classifier: TextClassifier, worded: Worded) -> None:
    text = classifier.encode("1", TEXT)
    great = text.pieces_of[1][0]
    for absent, filler in (("mask", classifier.mask_id), ("pad", classifier.pad_id), ("zero", -1)):
        value(classifier, "comprehensiveness", absent=absent)
        assert text.input_ids[:great] + (filler,) + text.input_ids[great + 1 :] in worded.asked
    value(classifier, "comprehensiveness", absent="remove")
    assert text.input_ids[:great] + text.input_ids[great + 1 :] in worded.asked


def test_without_a_mask_token_another_way_is_named(classifier: TextClassifier) -> None:
    with pytest.raises(ClassifierError, match="leave words out by remove, pad or zero"):
        values(replace(classifier, mask_id=None), "comprehensiveness", [[0.1, 0.9, 0.0, 0.5]], absent="mask")


def test_regression_uses_the_output_itself(classifier: TextClassifier, worded: Worded) -> None:
    regression = replace(classifier, problem_type="regression")
    assert value(regression, "comprehensiveness") == pytest.approx((4 * 2.0 + 2.5) / 5)


def test_several_labels_at_once_are_read_by_sigmoid(classifier: TextClassifier, worded: Worded) -> None:
    several = replace(classifier, problem_type="multi_label_classification")
    # The sigmoid of one logit is the softmax of it and zero.
    assert value(several, "comprehensiveness") == pytest.approx(value(classifier, "comprehensiveness"))


def test_directions() -> None:
    assert CATALOGUE["comprehensiveness"].higher_is_better and not CATALOGUE["sufficiency"].higher_is_better
