"""A planted word that decides a small encoder's prediction: who ranks it first."""

from functools import cache

import numpy as np
import pytest
import torch

from catalogue.tasks import FAILED, PASSED, UNDEFINED
from workers.classifiers.classifier import TextClassifier
from workers.sanity import planted
from workers.sanity.outcome import Outcome, Row, arms_for
from workers.sanity.planted import PLANTED, TELLING, place_of, run, write

torch.set_num_threads(1)
METHODS = ("attention_all", "integrated_gradients", "occlusion", "attn_lrp", "random")


@cache
def outcome() -> Outcome:
    return run(arms_for("transformer", METHODS, {}), lambda what, done, total: None, models=1, texts=25)


def row(method: str) -> Row:
    return next(one for one in outcome().rows if one.arm.method == method)


def precision(method: str) -> float:
    value = row(method).values["precision"].value
    assert value is not None
    return value


@pytest.mark.long
def test_it_works() -> None:
    (about,) = outcome().about
    assert about["tried"] == 25 and about["followed"] >= 20
    found = row("occlusion")
    assert (found.verdict, found.values["precision"].n) == (PASSED, about["followed"])
    assert found.values["percentile"].value == 1 and 1 / 24 <= (found.values["chance"].value or 0) <= 1 / 8


def test_exact_methods_find_the_word_and_random_does_not() -> None:
    assert min(map(precision, ("occlusion", "attn_lrp"))) > 0.9
    assert precision("integrated_gradients") > precision("random") + 0.2
    assert precision("random") < 0.3 and row("random").verdict == FAILED
    assert row("random").reason.startswith("on top in ")


def test_planted_words_decide_and_others_speak_where_there_is_none() -> None:
    texts = list(write(2000, 5))
    with_one = [text for text in texts if text.place >= 0]
    assert 0.07 < len(with_one) / len(texts) < 0.13
    assert all(text.words[text.place] == PLANTED[text.label] for text in with_one)
    for text in texts:
        assert 8 <= len(text.words) <= 24
        if text.place < 0:
            assert any(word in TELLING[text.label] for word in text.words)
            assert not set(PLANTED) & set(text.words)


def test_in_texts_that_count_all_other_words_speak_for_the_other_label() -> None:
    for text in write(50, 6, planted=1.0):
        assert text.words[text.place] == PLANTED[text.label]
        assert [word for word in text.words if word in TELLING[1 - text.label]]
        assert not [word for word in text.words if word in TELLING[text.label]]


def test_places_are_ranks_and_equal_scores_find_nothing() -> None:
    assert place_of(np.array([0.1, 0.9, 0.5]), 1) == (True, 1.0)
    assert place_of(np.array([0.1, 0.9, 0.5]), 2) == (False, 0.5)
    assert place_of(np.array([0.9, 0.9, 0.5]), 1) == (False, 0.5)
    assert place_of(np.zeros(3), 0) == (False, 0.0)


def test_a_model_that_follows_no_planted_word_leaves_all_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    def ignorant(classifier: TextClassifier, text: planted.Planted) -> bool:
        return False

    monkeypatch.setattr(planted, "follows", ignorant)
    monkeypatch.setattr(planted, "TRAINING", 64)
    found = run(arms_for("transformer", ["random"], {}), lambda what, done, total: None, models=1, texts=10)
    assert (found.rows[0].verdict, found.rows[0].values) == (UNDEFINED, {})
    assert found.about == [{"model": 0, "tried": 10, "followed": 0}]
