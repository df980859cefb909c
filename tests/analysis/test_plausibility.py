"""Every metric by hand on one explanation, and held to scikit-learn and scipy."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.metrics import auc, average_precision_score, f1_score, jaccard_score, precision_recall_curve

from analysis.plausibility.highlighting import Highlighted, highlight, runs_of
from analysis.plausibility.metrics import (
    METRICS,
    Matched,
    auprc,
    iou_f1,
    macro_iou_f1,
    match_spans,
    pointing_game,
    rank_correlation,
    score_plausibility,
    token_f1,
    token_iou,
)
from catalogue.reasons import ALL_EQUAL, FEW_WORDS, OTHER_WORDS, UNSCORED

#          0    1     2    3    4     5
SCORES = [0.1, 0.9, 0.8, 0.2, 0.7, -0.5]
MARKED = [1, 2, 3]


def words(
    scores: Sequence[float] = SCORES, marked: Sequence[int] = MARKED, weights: Sequence[float] | None = None
) -> Highlighted:
    """Word i stands at characters 10 i to 10 i + 5; each marked word is part of an unbroken span."""
    marks = np.isin(np.arange(len(scores)), marked)
    graded = None if weights is None else np.array(weights, dtype=float)
    return Highlighted(np.array(scores, dtype=float), marks, graded, tuple(runs_of(marks)))


def test_it_works() -> None:
    # The three highest are 1, 2 and 4; marked are 1, 2 and 3.
    assert token_f1(words()).value == pytest.approx(2 / 3)
    assert token_iou(words()).value == pytest.approx(2 / 4)
    # Runs [1, 2] and [4]; the span [1, 2, 3] is found by the first (2 / 3): P = 1 / 2, R = 1.
    assert match_spans(words()) == Matched(0.5, 1.0)
    assert iou_f1(words()).value == pytest.approx(2 / 3)
    # Marked words come at ranks 1, 2 and 4: (1/1 + 2/2 + 3/4) / 3.
    assert auprc(words()).value == pytest.approx(11 / 12)
    assert pointing_game(words()) == (1.0, "ok")


def test_a_fixed_k_may_differ_from_the_rationales_length() -> None:
    # 1 of 1 chosen and 1 of 3 marked; 3 of 4 and 3 of 3; k beyond the text takes all.
    assert token_f1(words(), k=1).value == pytest.approx(2 * 1 * (1 / 3) / (4 / 3))
    assert token_f1(words(), k=4).value == pytest.approx(6 / 7)
    assert token_iou(words(), k=99).value == pytest.approx(3 / 6)


def test_ties_go_to_the_earlier_word() -> None:
    tied = [0.5, 0.5, 0.5, 0.1]
    assert token_f1(words(tied, [0, 1])).value == 1.0
    assert token_f1(words(tied, [1, 2])).value == 0.5
    assert pointing_game(words(tied, [0])).value == 1.0
    assert pointing_game(words(tied, [1])).value == 0.0


def test_a_span_needs_half_of_its_union() -> None:
    # The run [0, 1] shares one word of three with the span [1, 2], and so does not find it.
    assert iou_f1(words([0.9, 0.8, 0.1, 0.0], [1, 2])).value == 0.0
    # The run [0] is half of the span [0, 1]: found, from 0.5 on.
    assert match_spans(words([0.9, 0.1, 0.0, 0.0], [0, 1]), k=1) == Matched(1.0, 1.0)


def test_adjacent_spans_stay_two() -> None:
    two = highlight([0, 2, 4, 6], [1, 3, 5, 7], [0.9, 0.8, 0.1, 0.0], [[0, 1], [2, 3]])
    assert two.runs == ((0, 1), (1, 2))
    # The run of both words is half of each span's union.
    assert match_spans(two) == Matched(1.0, 0.5)


def test_erasers_figure_is_the_f1_of_means() -> None:
    matches = [Matched(1.0, 0.5), Matched(0.0, 0.0), Matched(0.5, 1.0)]
    assert macro_iou_f1(matches) == pytest.approx(0.5)
    assert macro_iou_f1([Matched(1.0, 0.5), Matched(0.2, 0.5)]) == pytest.approx(2 * 0.6 * 0.5 / 1.1)
    assert macro_iou_f1([Matched(0, 0)]) == 0.0
    assert macro_iou_f1([]) is None


def test_graded_importance_is_correlated() -> None:
    # Pairs of 4 words: 5 concordant, 1 discordant.
    graded = words([0.9, 0.5, 0.1, 0.3], [0, 1, 2], [3, 2, 1, 0])
    assert rank_correlation(graded).value == pytest.approx(4 / 6)
    assert rank_correlation(graded, coefficient="spearman").value == pytest.approx(1 - 6 * 2 / (4 * 15))


def test_ties_in_importance_are_tau_b() -> None:
    # 3 concordant and 1 discordant pairs, 2 of 6 tied in importance.
    graded = words([0.9, 0.3, 0.5, 0.2], [0, 1], [1, 1, 0, 0])
    assert rank_correlation(graded).value == pytest.approx(2 / np.sqrt(24))


@pytest.mark.parametrize("name", [name for name in METRICS if name != "rank_correlation"])
@pytest.mark.parametrize(
    ("scores", "marked", "status"),
    [
        (SCORES, [], "no_marked_word"),
        (SCORES, range(6), "every_word_marked"),
        ([0.5], [0], "fewer_than_two_words"),
        ([0.5] * 4, [1], "all_words_score_the_same"),
        ([0.5, np.nan, 0.1], [1], "a_word_without_a_score"),
        ([0.5, np.inf, 0.1], [1], "a_word_without_a_score"),
        ([], [], "no_marked_word"),
    ],
)
def test_what_is_undefined_says_why(name: str, scores: list[float], marked: Sequence[int], status: str) -> None:
    assert METRICS[name](words(scores, marked)) == (None, status)


@pytest.mark.parametrize(
    ("scores", "weights", "status"),
    [
        (SCORES, None, "no_graded_importance"),
        (SCORES, [0.0] * 6, "all_words_equally_important"),
        (SCORES, [2.0] * 6, "all_words_equally_important"),
        ([0.5], [1.0], "fewer_than_two_words"),
        ([0.5, 0.5], [1.0, 2.0], "all_words_score_the_same"),
    ],
)
def test_an_undefined_correlation_says_why(scores: list[float], weights: list[float] | None, status: str) -> None:
    assert rank_correlation(words(scores, [0], weights)) == (None, status)


def test_every_word_may_have_its_own_importance() -> None:
    assert rank_correlation(words([1, 2, 3], [0, 1, 2], [1, 2, 3])).value == pytest.approx(1.0)


def test_reasons_are_worded_as_those_of_other_metrics() -> None:
    found = {"fewer_than_two_words", "a_word_without_a_score", "all_words_score_the_same", "not_one_score_a_word"}
    assert {status.replace("_", " ") for status in found} == {FEW_WORDS, UNSCORED, ALL_EQUAL, OTHER_WORDS}


Marked = tuple[list[float], list[bool]]


@st.composite
def explained(draw: st.DrawFn) -> Marked:
    n = draw(st.integers(2, 25))
    scores = draw(st.lists(st.integers(-6, 6), min_size=n, max_size=n).filter(lambda drawn: len(set(drawn)) > 1))
    marks = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda drawn: 0 < sum(drawn) < n))
    return [float(score) for score in scores], marks


def laid(drawn: Marked) -> Highlighted:
    return words(drawn[0], np.flatnonzero(drawn[1]).tolist())


@settings(max_examples=50)
@given(explained())
def test_auprc_is_scikit_learns(drawn: Marked) -> None:
    scores, marks = drawn
    assert auprc(laid(drawn)).value == pytest.approx(average_precision_score(marks, scores), abs=1e-12)
    precision, recall, _ = precision_recall_curve(marks, scores)
    assert auprc(laid(drawn), interpolation="linear").value == pytest.approx(auc(recall, precision), abs=1e-12)


@settings(max_examples=50)
@given(explained(), st.integers(0, 8))
def test_token_f1_and_iou_are_scikit_learns(drawn: Marked, k: int) -> None:
    scores, marks = drawn
    order = sorted(range(len(scores)), key=lambda word: (-scores[word], word))
    chosen = np.isin(np.arange(len(scores)), order[: k or sum(marks)])
    assert token_f1(laid(drawn), k=k).value == pytest.approx(f1_score(marks, chosen))
    assert token_iou(laid(drawn), k=k).value == pytest.approx(jaccard_score(marks, chosen))


@given(explained(), st.sampled_from([lambda s: 3 * s + 7, lambda s: s**3, lambda s: 1 / (9 - s)]))
def test_only_the_order_of_the_scores_matters(drawn: Marked, stretch: Callable[[float], float]) -> None:
    scores, marks = drawn
    stretched = [stretch(score) for score in scores], marks
    for metric in (token_f1, token_iou, iou_f1, auprc, pointing_game):
        assert metric(laid(drawn)) == metric(laid(stretched))


@given(explained())
def test_values_are_shares(drawn: Marked) -> None:
    found = {name: METRICS[name](laid(drawn)).value for name in METRICS if name != "rank_correlation"}
    assert all(value is not None and 0 <= value <= 1 for value in found.values())
    f1, iou = found["token_f1"], found["token_iou"]
    assert f1 is not None and iou == pytest.approx(f1 / (2 - f1))


@given(explained())
def test_marking_the_highest_words_is_perfect(drawn: Marked) -> None:
    scores, marks = drawn
    order = sorted(range(len(scores)), key=lambda word: (-scores[word], word))
    perfect = words(scores, order[: sum(marks)])
    assert [metric(perfect).value for metric in (token_f1, token_iou, iou_f1, pointing_game)] == [1.0] * 4


@given(explained(), st.data())
def test_spearman_is_scipys(drawn: Marked, data: st.DataObject) -> None:
    scores, _ = drawn
    n = len(scores)
    weights = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n).filter(lambda found: len(set(found)) > 1))
    found = rank_correlation(words(scores, [0], weights), coefficient="spearman").value
    assert found == pytest.approx(spearmanr(scores, weights).statistic)


def test_stored_explanations_are_scored_by_name() -> None:
    offsets, scores = [[0, 1], [2, 7], [8, 12], [13, 17]], [0.1, 0.9, 0.2, None]
    assert score_plausibility("pointing_game", offsets, scores, [[2, 7]], {}) == (1.0, "ok")
    assert score_plausibility("token_f1", offsets, scores, [[2, 12]], {"k": 1}).value == pytest.approx(2 / 3)
    assert score_plausibility("rank_correlation", offsets, scores, [[2, 7, 3], [8, 12, 1.5]], {}).value == 1.0
    assert score_plausibility("auprc", offsets, scores, None, {}) == (None, "no_rationale")
    assert score_plausibility("auprc", offsets, scores, [], {}) == (None, "no_rationale")
    # Nobody can point at a word that the model never saw.
    assert score_plausibility("auprc", offsets, scores, [[13, 17]], {}) == (None, "no_marked_word")
    assert score_plausibility("auprc", offsets, scores[:3], [[13, 17]], {}) == (None, "not_one_score_a_word")
