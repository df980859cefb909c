from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.plausibility.cues import (
    CueStudy,
    ModelSaliency,
    Prefix,
    Spans,
    chance_of_passing,
    judge_cues,
    phrase_saliency,
    points_at_cue,
)

WORDS = ("the", "keys", "to", "the", "old", "cabinet")
PREFIX = Prefix(WORDS, cues=((1, 1),), attractors=((4, 5),))


def model(verum: Sequence[float], malum: Sequence[float], *, expected: bool) -> ModelSaliency:
    return ModelSaliency("m", [np.array(verum, dtype=float)], [np.array(malum, dtype=float)], [expected])


def passes(verum: Sequence[float], malum: Sequence[float], *, expected: bool, prefix: Prefix = PREFIX) -> bool | None:
    return points_at_cue(model(verum, malum, expected=expected), 0, prefix).passed


def test_it_works() -> None:
    verdict = points_at_cue(model([0, 3, 9, 9, 1, 2], [0] * 6, expected=True), 0, PREFIX)
    assert verdict == (0, True, True, 3.0, 2.0, "ok")


def test_a_phrase_is_as_salient_as_its_most_salient_word_ends_included() -> None:
    scores = np.array([0.0, 1.0, 2.0, -5.0, 3.0])
    assert phrase_saliency(scores, ((1, 2),)) == 2
    assert phrase_saliency(scores, ((0, 0), (3, 4))) == 3
    assert phrase_saliency(scores, ((3, 3),)) == -5


def test_the_expected_case_reads_the_map_of_the_expected_class() -> None:
    pointing, missing = [0, 3, 0, 0, 1, 2], [0, 1, 0, 0, 1, 2]
    assert passes(pointing, missing, expected=True) is True
    assert passes(missing, pointing, expected=True) is False


def test_the_alternative_case_wants_the_attractor_in_the_map_of_the_other_class() -> None:
    at_attractor, at_cue = [0, 1, 0, 0, 1, 2], [0, 3, 0, 0, 1, 2]
    assert passes(at_cue, at_attractor, expected=False) is True
    assert passes(at_attractor, at_cue, expected=False) is False


@pytest.mark.parametrize("expected", [True, False])
def test_a_tie_does_not_pass(expected: bool) -> None:
    tied = [0, 2, 0, 0, 1, 2]
    assert passes(tied, tied, expected=expected) is False


@pytest.mark.parametrize(("cues", "attractors"), [((), ((1, 1),)), (((1, 1),), ()), ((), ())])
def test_without_cue_or_attractor_there_is_no_verdict(cues: Spans, attractors: Spans) -> None:
    verdict = points_at_cue(model([1] * 6, [1] * 6, expected=True), 0, Prefix(WORDS, cues, attractors))
    assert verdict == (0, True, None, None, None, "no_cue_or_attractor")


def test_every_prefix_is_judged_in_order() -> None:
    maps = [np.array([1.0, 0.0]), np.array([0.0, 1.0])]
    study = CueStudy([Prefix(("a", "b"), ((0, 0),), ((1, 1),))] * 2, [ModelSaliency("m", maps, maps, [True, True])])
    assert [(v.line, v.passed) for v in judge_cues(study, study.models[0])] == [(0, True), (1, False)]


def test_chance_counts_the_words_of_each_side() -> None:
    assert chance_of_passing([PREFIX], [True]) == pytest.approx(1 / 3)
    assert chance_of_passing([PREFIX], [False]) == pytest.approx(2 / 3)
    assert chance_of_passing([PREFIX, PREFIX], [True, False]) == pytest.approx(1 / 2)
    assert chance_of_passing([Prefix(WORDS, (), ())], [True]) is None


def test_chance_is_what_random_scores_reach() -> None:
    prefix = Prefix(WORDS, cues=((0, 2),), attractors=((2, 3), (5, 5)))
    rng = np.random.default_rng(0)
    for expected in (True, False):
        drawn = [passes(scores, scores, expected=expected, prefix=prefix) for scores in rng.normal(size=(4000, 6))]
        assert drawn.count(True) / len(drawn) == pytest.approx(chance_of_passing([prefix], [expected]), abs=0.03)


@given(st.lists(st.integers(-50, 50), min_size=6, max_size=6), st.booleans())
def test_only_the_order_of_the_scores_matters(scores: list[int], expected: bool) -> None:
    stretched = [score**3 * 0.5 + 7 for score in scores]
    assert passes(scores, scores, expected=expected) == passes(stretched, stretched, expected=expected)


@given(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=6))
def test_swapping_cues_and_attractors_swaps_the_cases(scores: list[float]) -> None:
    swapped = Prefix(WORDS, PREFIX.attractors, PREFIX.cues)
    assert passes(scores, scores, expected=True) == passes(scores, scores, expected=False, prefix=swapped)
