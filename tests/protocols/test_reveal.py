import json
import math
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import CANNOT_TELL, Source
from protocols.reveal import REVEAL, RevealSettings, shown_at, words_in_all, words_needed
from tests.protocols.rendering import rendered
from tests.protocols.sources import source, sources


def revealed(made: Source, step: int = 0) -> list[str]:
    content = REVEAL.stimulus(made)
    return [content["words"][place] for place in shown_at(content, step)]


def starting(first: int, each: int = 1) -> Source:
    return source(settings={"first": first, "each": each})


def test_it_works() -> None:
    assert [revealed(source(), step) for step in (0, 1, 2)] == [
        ["great"],
        ["great", "film"],
        ["great", "film", "ending"],
    ]
    assert REVEAL.steps(REVEAL.stimulus(source())) == 6


def test_it_starts_with_as_many_words_as_asked_for_and_adds_as_many() -> None:
    assert [len(revealed(starting(3, each=2), step)) for step in (0, 1, 2)] == [3, 5, 7]
    assert REVEAL.steps(REVEAL.stimulus(starting(3, each=2))) == 2
    assert REVEAL.steps(REVEAL.stimulus(starting(3, each=3))) == 2


def test_a_text_of_fewer_words_than_the_start_has_no_steps() -> None:
    assert REVEAL.steps(REVEAL.stimulus(starting(50))) == 0
    assert "no more" in rendered(REVEAL, REVEAL.stimulus(starting(50)))


def test_words_the_model_never_saw_never_appear() -> None:
    made = source("one two three", [None, 0.1, 0.2])
    assert revealed(made, 99) == ["three", "two"]


def test_a_text_without_scores_is_all_hidden() -> None:
    content = REVEAL.stimulus(source("one two", [None, None]))
    assert REVEAL.steps(content) == 0 and "2 hidden words" in rendered(REVEAL, content)


@given(sources(), st.integers(1, 4), st.integers(1, 3))
def test_each_step_keeps_what_was_shown_and_the_last_shows_all(made: Source, first: int, each: int) -> None:
    content = REVEAL.stimulus(replace(made, settings={"first": first, "each": each}))
    shown = [set(shown_at(content, step)) for step in range(REVEAL.steps(content) + 1)]
    assert all(before < after for before, after in pairwise(shown))
    assert shown[-1] == set(content["order"])


@given(sources(), st.integers(0, 12), st.sampled_from(["equal", "runs", "widths"]))
def test_no_unseen_word_is_in_the_page(made: Source, step: int, mask: str) -> None:
    content = REVEAL.stimulus(replace(made, settings={"mask": mask}))
    step = min(step, REVEAL.steps(content))
    seen = [content["words"][place] for place in shown_at(content, step)]
    page = rendered(REVEAL, content, step=step)
    for hidden in ("secretword", "don&#x27;t", "été", "سلام"):
        assert hidden in page or hidden.replace("&#x27;", "'") not in seen
        assert hidden not in page or hidden.replace("&#x27;", "'") in seen


def test_the_page_tells_how_many_words_are_seen_and_which_is_new() -> None:
    content = REVEAL.stimulus(source(language="en"))
    assert "You see 1 word." in rendered(REVEAL, content) and "New:" not in rendered(REVEAL, content)
    page = rendered(REVEAL, content, step=1)
    assert "You see 2 words." in page and 'New: <bdi lang="en">film</bdi>' in page


def test_one_more_word_is_a_button_of_the_form_until_there_are_none() -> None:
    content = REVEAL.stimulus(source())
    assert 'type="submit" name="more" value="1"' in rendered(REVEAL, content)
    last = rendered(REVEAL, content, step=REVEAL.steps(content))
    assert 'name="more"' not in last and "There are no more." in last


def test_the_record_names_neither_truth_nor_method() -> None:
    content = REVEAL.stimulus(source())
    assert set(content) == {
        "question", "language", "choices", "cannot_tell", "shuffled", "words", "order", "mask", "first", "each",
    }  # fmt: skip
    assert json.loads(json.dumps(content)) == content


def test_labels_can_be_shuffled_for_each_worker() -> None:
    content = REVEAL.stimulus(source(settings={"choice_order": "shuffled"}))
    orders = {tuple(REVEAL.arrange(content, random.Random(n), random.Random(0))["choices"]) for n in range(20)}
    assert len(orders) == 2


@pytest.mark.parametrize("answer", ["negative", "positive", CANNOT_TELL])
def test_every_answer_round_trips(answer: str) -> None:
    form = REVEAL.form(REVEAL.stimulus(source()), {"answer": answer, "step": "99", "more": ""})
    assert form.is_valid() and form.cleaned_data == {"answer": answer}


def test_words_needed_and_words_in_all_are_told_by_answer_and_record() -> None:
    content = REVEAL.stimulus(starting(2, each=2))
    assert [words_needed({"answer": "positive", "step": step}, content) for step in (0, 1, 2, 3)] == [2, 4, 6, 7]
    assert words_in_all(content) == 7


def test_the_score_falls_alike_with_every_doubling_of_the_words_needed() -> None:
    content = REVEAL.stimulus(source())
    one, two, four = (REVEAL.score({"answer": "positive", "step": step}, content, "positive") for step in (0, 1, 3))
    assert one == 1 and two is not None and four is not None
    assert one - two == pytest.approx(two - four) == pytest.approx(math.log(2) / math.log(8))


def test_a_right_answer_with_all_words_is_worth_more_than_an_early_wrong_one() -> None:
    content = REVEAL.stimulus(source())
    last = REVEAL.score({"answer": "positive", "step": 6}, content, "positive")
    assert last is not None and 0 < last < 0.1
    assert REVEAL.score({"answer": "negative", "step": 0}, content, "positive") == 0
    assert REVEAL.score({"answer": CANNOT_TELL, "step": 0}, content, "positive") == 0


@given(sources(), st.integers(0, 30))
def test_scores_are_from_0_to_1(made: Source, step: int) -> None:
    value = REVEAL.score({"answer": "positive", "step": step}, REVEAL.stimulus(made), "positive")
    assert value is not None and 0 <= value <= 1


def test_feedback_says_what_was_right_and_how_many_words_were_seen() -> None:
    text = REVEAL.feedback({"answer": "positive", "step": 1}, REVEAL.stimulus(source()), "positive")
    assert text.startswith("That is right") and text.endswith("You had seen 2 words.")


@pytest.mark.parametrize("first", ["0", "101", "", "two"])
def test_the_settings_refuse_a_start_that_cannot_be(first: str) -> None:
    assert list(RevealSettings({"first": first}).errors) == ["first"]
