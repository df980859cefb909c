"""Deletion, negation and sentence representations on a small LSTM that has read some of the demo's reviews."""

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
import torch

from catalogue.tasks import FAILED, PASSED, UNDEFINED
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.demo_data import Review, read_reviews
from workers.classifiers.training import Example
from workers.sanity import deletion, negation, representations
from workers.sanity.negating import pair_up, part_words, place_of, teach
from workers.sanity.outcome import NO_SIGN, Outcome, Progress, Row, Value, arms_for
from workers.sanity.reviews import Reviews, read, split, train

torch.set_num_threads(1)
TRAINING = 1500
METHODS = ("gradient", "input_x_gradient", "occlusion", "random")
Trained = tuple[TextClassifier, list[Review]]


def silent(what: str, done: int, total: int) -> None:
    pass


@cache
def trained() -> Trained:
    return train(TRAINING, 0, silent)


@cache
def negating(beside: tuple[Example, ...]) -> Trained:
    return train(TRAINING, 0, silent, beside)


@cache
def outcome(name: str, texts: int) -> Outcome:
    """The tasks share one classifier here."""

    def known(training: int, seed: int, progress: Progress, beside: Sequence[Example] = ()) -> Trained:
        return negating(tuple(beside)) if beside else trained()

    task: Any = {"deletion": deletion, "negation": negation, "representations": representations}[name]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(task, "train", known)
        found: Outcome = task.run(arms_for("lstm", METHODS, {}, "zero"), silent, texts=texts, training=TRAINING)
    return found


def row(found: Outcome, method: str, setting: str = "") -> Row:
    return next(one for one in found.rows if (one.arm.method, one.setting) == (method, setting))


def some_reviews() -> Reviews:
    classifier, unseen = trained()
    return read(classifier, unseen[:60], 10)


def test_the_classifier_is_tried_on_reviews_that_it_never_saw() -> None:
    classifier, unseen = trained()
    known = {review.content for review in read_reviews(seed=0)[0][:TRAINING]}
    assert len(unseen) > 5000 and not known & {review.content for review in unseen}
    reviews = some_reviews()
    assert all(10 <= len(text.words) <= 40 for text in reviews.texts)
    assert np.mean(np.array(reviews.labels) == np.array(reviews.predicted)) > 0.55


def test_deleting_relevant_words_misleads_more_than_deleting_any() -> None:
    found = outcome("deletion", 30)
    assert row(found, "occlusion", "correct").verdict == row(found, "occlusion", "wrong").verdict == PASSED
    assert row(found, "random", "correct").verdict == FAILED
    undefined = row(found, "gradient", "wrong")
    assert (undefined.verdict, undefined.reason) == (UNDEFINED, NO_SIGN)
    for part, start in (("correct", 1.0), ("wrong", 0.0)):
        values = row(found, "occlusion", part).values
        assert values["accuracy_0"].value == start and values["accuracy_0"].n == 30
        curve = [values[f"accuracy_{count}"].value or 0.0 for count in range(6)]
        assert values["effect"].value == pytest.approx(abs(np.mean(curve[1:]) - start))


def test_deletion_takes_words_in_the_order_that_is_given() -> None:
    reviews = some_reviews().at([0])
    text = reviews.texts[0]
    accuracy = deletion.delete(reviews, [text.seen])
    ids = [reviews.classifier.erase(text, set(text.seen[:count]), "zero") for count in range(6)]
    right = reviews.classifier.logits_of(ids).argmax(-1) == reviews.labels[0]
    assert accuracy.tolist() == [right.double().tolist()]


@pytest.mark.long
def test_the_model_negates_by_default_and_methods_that_say_so_pass() -> None:
    found = outcome("negation", 40)
    sentences, reviews = found.about
    assert sentences["negated"] == sentences["plain"] >= 20 and sentences["model_fall_ci"][0] > 1
    assert reviews["negated"] >= 10 and reviews["plain"] >= 10
    values = row(found, "occlusion", "sentences").values
    fall, plain, negated = (values[name].value for name in ("fall", "plain", "negated"))
    assert fall is not None and plain is not None and negated is not None
    assert fall == pytest.approx(plain - negated) and plain > 0.5 > negated
    assert row(found, "occlusion", "sentences").verdict == PASSED
    assert row(found, "gradient", "sentences").reason == NO_SIGN
    assert row(found, "random", "sentences").verdict == FAILED
    assert row(found, "random", "reviews").verdict != PASSED


def test_a_model_that_does_not_negate_has_no_answer() -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(negation, "train", lambda *_: trained())
        found = negation.run(arms_for("lstm", ["occlusion"], {}, "zero"), silent, 40, TRAINING, sentences=0)
    assert found.about[0]["negated"] < 10
    assert (row(found, "occlusion", "sentences").verdict, row(found, "occlusion", "sentences").reason) == (
        UNDEFINED, negation.FEW
    )  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "setting", "judged"),
    [
        (0.1, 0.3, "sentences", ([], "")),
        (-0.1, 0.3, "sentences", (["no fall beyond chance"], "")),
        (-0.1, 0.3, "reviews", ([], negation.TOO_FEW)),
        (-0.3, -0.1, "reviews", (["no fall beyond chance"], "")),
    ],
)
def test_what_holds_zero_fails_where_the_answer_is_certain(
    low: float, high: float, setting: str, judged: tuple[list[str], str]
) -> None:
    assert negation._judged(Value(0.1, low, high, 9), setting) == judged


def test_sentences_differ_in_their_negation_and_have_words_that_the_model_was_not_taught() -> None:
    sentiment = {f"word{at}": at % 2 for at in range(20)}
    learnt, kept = part_words(sentiment)
    assert len(kept) == 4 and not set(kept) & set(learnt) and {*kept, *learnt} == set(sentiment)
    for pair in islice(pair_up(kept, sentiment, 3), 50):
        negated = [word for word in pair.negated.split() if negation._is_negation(word)]
        assert len(negated) == 1 and not any(map(negation._is_negation, pair.plain.split()))
        for sentence in (pair.plain, pair.negated):
            assert sentence.split()[place_of(sentence, pair.word)] == pair.word and pair.label == sentiment[pair.word]
        assert place_of(pair.negated, pair.word) - pair.negated.split().index(negated[0]) <= negation.REACH
    taught = teach(10, learnt, sentiment, 0)
    for at, example in enumerate(taught):
        word = next(word for word in example.content.split() if word in sentiment)
        assert word in learnt and example.label == (sentiment[word] + at) % 2


def test_more_reviews_than_there_are_are_refused() -> None:
    with pytest.raises(ValueError, match="training is 20000, and there are 7677 reviews to learn from"):
        split(20000, 0)


def test_a_negation_reaches_the_next_words_alone() -> None:
    classifier, _ = trained()
    text = classifier.encode("1", "It isn't good . In a word or two or three it is good , never bad .")
    found = negation.occurrences(7, text, {"good": 1, "bad": 0})
    assert [(one.text, one.label, one.negated) for one in found] == [(7, 1, True), (7, 1, False), (7, 0, True)]


def test_sentiment_words_are_those_of_one_class() -> None:
    words = negation.sentiment_words(read_reviews(seed=0)[0][:TRAINING])
    assert words["bad"] == words["boring"] == 0 and words["moving"] == 1
    assert len(words) == 2 * negation.WORDS_A_CLASS and not {"not", "no", "never"} & set(words)


def test_sums_by_relevance_tell_what_is_predicted() -> None:
    found = outcome("representations", 120)
    assert (row(found, "occlusion").values["accuracy"].value or 0) > 0.9
    assert row(found, "occlusion").verdict == PASSED
    random = row(found, "random")
    assert random.verdict == FAILED and random.values["above_random"].value == 0
    assert row(found, "gradient").verdict == FAILED
