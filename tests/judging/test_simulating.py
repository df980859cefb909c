import random
from collections import Counter

import lxml.html
import pytest

from judging.simulating import CARELESS_MS, Kind, Lexicon, Mind, words_of
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


def guess_page(*shown: str) -> lxml.html.HtmlElement:
    words = " ".join(f'<span class="shown">{word}</span> <span class="pill"></span>' for word in shown)
    buttons = "".join(f'<button name="answer" value="{v}"></button>' for v in ("negative", "positive", "cannot_tell"))
    return lxml.html.document_fromstring(f'<p class="text-words">{words}</p><form>{buttons}</form>')


def rating_page(marks: str, predicted: str) -> lxml.html.HtmlElement:
    buttons = "".join(f'<button name="answer" value="{value}"></button>' for value in range(1, 6))
    head = f'<p class="prediction"><strong>{predicted}</strong></p>'
    return lxml.html.document_fromstring(f'{head}<p class="text-body">{marks}</p><form>{buttons}</form>')


def test_words_are_read_without_case_and_punctuation() -> None:
    assert words_of("Don't stop, EVER!") == ["don't", "stop", "ever"]


def test_evidence_favours_the_label_that_a_word_came_with(lexicon: Lexicon) -> None:
    evidence = lexicon.evidence(["bad"], ["negative", "positive"])
    assert evidence["negative"] > 0 > evidence["positive"]
    assert sum(evidence.values()) == pytest.approx(0)


def test_words_that_nobody_knows_are_no_evidence(lexicon: Lexicon) -> None:
    assert lexicon.evidence(["zebra"], ["negative", "positive"]) == {"negative": 0, "positive": 0}


def test_an_honest_worker_mostly_guesses_what_the_words_say(lexicon: Lexicon) -> None:
    answers = Counter(mind(lexicon, seed=s).answer(guess_page("bad", "dull"), "topk_guess")[0] for s in range(50))
    assert answers.most_common(1)[0][0] == "negative" and answers["negative"] > 35


def test_an_honest_worker_who_sees_no_known_word_often_cannot_tell(lexicon: Lexicon) -> None:
    answers = Counter(mind(lexicon, seed=s).answer(guess_page("zebra"), "topk_guess")[0] for s in range(50))
    assert answers["cannot_tell"] > 5


def test_a_malicious_worker_never_says_what_an_honest_one_would(lexicon: Lexicon) -> None:
    page = guess_page("bad", "dull", "bad")
    answers = Counter(mind(lexicon, "malicious", s).answer(page, "topk_guess")[0] for s in range(50))
    assert answers["negative"] < 15


def test_a_careless_worker_is_fast_and_spreads_over_all_answers(lexicon: Lexicon) -> None:
    given = [mind(lexicon, "careless", seed).answer(guess_page("bad"), "topk_guess") for seed in range(60)]
    assert {answer for answer, _ in given} == {"negative", "positive", "cannot_tell"}
    assert sorted(milliseconds for _, milliseconds in given)[30] < 2 * CARELESS_MS


def test_marks_that_speak_for_the_prediction_are_rated_higher_than_marks_that_do_not(lexicon: Lexicon) -> None:
    right = rating_page('<span class="mark for-5">good</span> film', "positive")
    wrong = rating_page('<span class="mark against-5">good</span> film', "positive")
    ratings = [
        [int(mind(lexicon, seed=seed).answer(page, "rating")[0]) for seed in range(20)] for page in (right, wrong)
    ]
    assert sum(ratings[0]) > sum(ratings[1]) + 20
    assert {rating for row in ratings for rating in row} <= {1, 2, 3, 4, 5}


def test_a_crowd_has_the_shares_asked_for() -> None:
    kinds = Counter(crowd(20, {"honest": 0.8, "careless": 0.15, "malicious": 0.05}, seed=1))
    assert kinds == {"honest": 16, "careless": 3, "malicious": 1}
    assert Counter(crowd(3, {"honest": 0.0, "careless": 1.0, "malicious": 1.0}, seed=1)).total() == 3
