"""Cues and attractors of our own grammar: a language model learns it, and methods point at the cue or do not."""

from functools import cache

import pytest
import torch

from catalogue.tasks import FAILED, PASSED
from workers.sanity import agreement, grammar, speaking
from workers.sanity.agreement import run
from workers.sanity.grammar import ATTRACTED, ENDINGS, FEATURES, NOUNS, cases, draw_groups, say, vocabulary
from workers.sanity.outcome import Outcome, Row, arms_for

torch.set_num_threads(1)
METHODS = ("attention_all", "gradient", "occlusion", "random")


@cache
def outcome() -> Outcome:
    """Verbs alone are soon learnt: some ten seconds, for all tests together."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(speaking, "STEPS", 300)
        patched.setattr(grammar, "FEATURES", ("number",))
        patched.setattr(agreement, "FEATURES", ("number",))
        return run(arms_for("causal-lm", METHODS, {}), lambda what, done, total: None, texts=3)


def row(method: str) -> Row:
    return next(one for one in outcome().rows if one.arm.method == method)


@pytest.mark.long
def test_it_works() -> None:
    assert [(one["setting"], one["model"], one["prefixes"]) for one in outcome().about] == [
        ("number", model, 42) for model in agreement.MODELS
    ]
    values = row("occlusion").values
    assert values["pass_rate"].n == 42 == values["expected"].n + values["alternative"].n
    assert values["chance"].value == 0.5
    assert values["random"] == row("random").values["pass_rate"]
    assert values["model_consistency"].n <= 84 and values["input_consistency"].n <= 56
    assert values["input_consistency"].value is not None and values["input_consistency"].value > 0.5


def test_the_model_is_right_in_some_frames_and_follows_the_attractor_in_others() -> None:
    """Both answers are known, and each is found: the cue where it is right, the attractor where it is wrong."""
    about = outcome().about[0]
    assert about["as_said"] >= 40 and 28 <= about["prefers_expected"] <= 32
    values = row("occlusion").values
    assert values["alternative"].n >= 10 and (values["alternative"].value or 0) > 0.7
    assert values["expected"].n >= 28 and (values["expected"].value or 0) > 0.7


def test_exact_methods_find_the_cue_and_random_does_not() -> None:
    rates = {name: row(name).values["pass_rate"].value or 0 for name in METHODS}
    assert rates["occlusion"] > rates["random"] + 0.2
    assert row("random").verdict == FAILED and row("occlusion").verdict == PASSED


def test_random_maps_are_not_consistent() -> None:
    value = row("random").values["model_consistency"].value
    assert value is not None and abs(value) < 0.4


@pytest.mark.parametrize("feature", FEATURES)
def test_prefixes_have_one_cue_and_an_attractor_of_the_other_class(feature: str) -> None:
    classes = {word: label for pair in NOUNS[feature] for label, word in enumerate(pair)}
    found = cases(feature)
    assert len(found) == len({case.content for case in found}) == 7 * 2 * 90
    for case in found:
        ((cue, last_of_cue),), ((attractor, last_of_attractor),) = case.prefix.cues, case.prefix.attractors
        assert cue == last_of_cue < attractor == last_of_attractor < len(case.prefix.words) - 1
        assert classes[case.prefix.words[cue]] == case.label != classes[case.prefix.words[attractor]]


def test_groups_differ_in_their_nouns_alone() -> None:
    nouns = {word for pair in NOUNS["gender"] for word in pair}
    for group in draw_groups("gender", 4, seed=1):
        frames = {tuple("N" if word in nouns else word for word in case.prefix.words) for case in group}
        assert len(frames) == 1 and len({case.label for case in group}) == 1 and len(set(group)) == 4


def test_sentences_go_on_as_the_subject_calls_for() -> None:
    known = set(vocabulary())
    for sentence in say(300, seed=2):
        words = sentence.split()
        assert set(words) <= known
        feature = "number" if {"is", "are"} & set(words) else "gender"
        subject = next(word for word in words if any(word in pair for pair in NOUNS[feature]))
        between = next(word for word in reversed(words) if any(word in pair for pair in NOUNS[feature]))
        frame = " ".join({subject: "S", between: "A"}.get(word, word) for word in words)
        decides = between if any(frame.startswith(template) for template in ATTRACTED) else subject
        label = next(pair.index(decides) for pair in NOUNS[feature] if decides in pair)
        assert set(ENDINGS[feature][label]) <= set(words) and not set(ENDINGS[feature][1 - label][:1]) & set(words)
