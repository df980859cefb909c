import random
from collections import Counter

import pytest

from judging.simulating import CARELESS_MS, KINDS, Kind, Lexicon, Mind, words_of
from judging.walking import crowd

LEARNT = [
    ("A good, warm film", "positive"),
    ("good fun", "positive"),
    ("a bad film", "negative"),
    ("bad, dull", "negative"),
]


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon().learn(LEARNT)


def mind(lexicon: Lexicon, kind: Kind = "honest", seed: int = 0) -> Mind:
    return Mind(kind, lexicon, random.Random(seed))


def test_words_are_read_without_case_and_punctuation() -> None:
    assert words_of("Don't stop, EVER!") == ["don't", "stop", "ever"]


def test_evidence_favours_the_label_that_a_word_came_with(lexicon: Lexicon) -> None:
    evidence = lexicon.evidence(["bad"], ["negative", "positive"])
    assert evidence["negative"] > 0 > evidence["positive"]
    assert sum(evidence.values()) == pytest.approx(0)


def test_words_that_nobody_knows_are_no_evidence(lexicon: Lexicon) -> None:
    assert lexicon.evidence(["zebra"], ["negative", "positive"]) == {"negative": 0, "positive": 0}


def test_a_mind_weighs_what_it_was_taught_beside_what_it_knew(lexicon: Lexicon) -> None:
    taught = mind(lexicon)
    assert taught.evidence(["zebra"], ["negative", "positive"])["negative"] == 0
    taught.learnt.take_in([(["zebra", "zebra"], "negative"), (["film"], "positive")])
    assert taught.evidence(["zebra"], ["negative", "positive"])["negative"] > 0.3
    assert taught.support(["zebra"], "negative") > 0 > taught.support(["zebra"], "positive")
    assert lexicon.evidence(["zebra"], ["negative", "positive"])["negative"] == 0


def test_words_speak_for_no_label_that_nobody_knows(lexicon: Lexicon) -> None:
    unknown = Mind("honest", Lexicon(), random.Random(0))
    assert unknown.support(["good"], "purple") == 0 == mind(lexicon).support([], "positive")


def test_a_careless_worker_is_fast(lexicon: Lexicon) -> None:
    times = {kind: sorted(mind(lexicon, kind, seed).milliseconds() for seed in range(60))[30] for kind in KINDS}
    assert times["careless"] < 2 * CARELESS_MS < times["honest"] / 2


def test_a_screen_stays_the_same(lexicon: Lexicon) -> None:
    one = mind(lexicon)
    assert one.screen == one.screen and set(one.screen) == {"width", "height", "ratio", "scheme"}
    assert len({mind(lexicon, seed=seed).screen["width"] for seed in range(40)}) == 4


def test_a_crowd_has_the_shares_asked_for() -> None:
    kinds = Counter(crowd(20, {"honest": 0.8, "careless": 0.15, "malicious": 0.05}, seed=1))
    assert kinds == {"honest": 16, "careless": 3, "malicious": 1}
    assert Counter(crowd(3, {"honest": 0.0, "careless": 1.0, "malicious": 1.0}, seed=1)).total() == 3
