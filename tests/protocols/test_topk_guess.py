import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import CANNOT_TELL, Presentation, Source
from protocols.masking import WIDEST, masked_text
from protocols.topk_guess import TOPK_GUESS
from protocols.words import word_spans
from tests.protocols.rendering import rendered
from tests.protocols.sources import source, sources


def shown(made: Source) -> set[int]:
    return {index for index, word in enumerate(TOPK_GUESS.stimulus(made)["words"]) if word is not None}


def test_it_works() -> None:
    content = TOPK_GUESS.stimulus(source())
    assert content["words"] == [None, "great", "film", None, None, None, "ending"]
    assert content["choices"] == ["negative", "positive"]
    assert content["question"] == "What is it?"


def test_equal_scores_are_ranked_by_position() -> None:
    assert shown(source("one two three four", [1.0, 2.0, 2.0, 1.0], k=1)) == {1}
    assert shown(source("one two three four", [1.0, 2.0, 2.0, 1.0], k=3)) == {0, 1, 2}


def test_punctuation_is_neither_ranked_nor_shown() -> None:
    content = TOPK_GUESS.stimulus(source("Good, bad!", [0.1, 9.0, 0.0, 9.0], k=1))
    assert content["words"] == ["Good", None]


def test_words_the_model_never_saw_stay_hidden() -> None:
    assert TOPK_GUESS.stimulus(source("one two three", [None, 0.1, None], k=3))["words"] == [None, "two", None]


def test_a_text_of_fewer_than_k_words_is_shown_whole() -> None:
    assert shown(source("one two three", [0.0, -1.0, 5.0], k=40)) == {0, 1, 2}


def test_scores_that_are_not_numbers_count_as_never_seen() -> None:
    assert shown(source("one two", [float("nan"), -3.0], k=2)) == {1}


@pytest.mark.parametrize("k", [None, 0])
def test_it_refuses_a_source_without_k(k: int | None) -> None:
    with pytest.raises(ValueError, match="needs k"):
        TOPK_GUESS.stimulus(source(k=k))


@given(sources(), st.integers(1, 30), st.integers(0, 10))
def test_shown_words_are_nested_in_k(made: Source, k: int, more: int) -> None:
    assert shown(replace(made, k=k)) <= shown(replace(made, k=k + more))


@given(sources(), st.integers(1, 30))
def test_it_shows_k_words_or_all_that_were_seen(made: Source, k: int) -> None:
    seen = [span for span in word_spans(made) if span[2] is not None]
    assert len(shown(replace(made, k=k))) == min(k, len(seen))


@given(sources(), st.integers(1, 5))
def test_hidden_words_are_nowhere_in_record_or_page(made: Source, k: int) -> None:
    content = TOPK_GUESS.stimulus(replace(made, k=k))
    if "secretword" not in content["words"]:
        assert "secretword" not in json.dumps(content)
        assert "secretword" not in rendered(TOPK_GUESS, content)


@given(sources())
def test_the_mask_tells_nothing_of_the_hidden_words(made: Source) -> None:
    """Another text with other hidden words of other lengths gives the same record."""
    content = TOPK_GUESS.stimulus(replace(made, k=2))
    masked = [word if word is not None else "x" * (index + 1) for index, word in enumerate(content["words"])]
    scores = [1.0 if word is not None else None for word in content["words"]]
    assert TOPK_GUESS.stimulus(source(" ".join(masked), scores, k=2))["words"] == content["words"]


def test_every_hidden_word_is_one_equal_pill() -> None:
    page = rendered(TOPK_GUESS, TOPK_GUESS.stimulus(source()))
    assert page.count('<span class="pill"></span>') == 4
    assert "3 hidden words" in page and "1 hidden word<" in page


def test_the_record_names_neither_truth_nor_method_nor_k() -> None:
    content = TOPK_GUESS.stimulus(source())
    assert set(content) == {"question", "language", "words", "choices", "cannot_tell", "shuffled", "mask"}


def test_shown_words_are_escaped() -> None:
    content = TOPK_GUESS.stimulus(source()) | {"words": ["<script>"]}
    assert "<script>" not in rendered(TOPK_GUESS, content)


def test_the_text_tells_its_language_and_direction() -> None:
    page = rendered(TOPK_GUESS, TOPK_GUESS.stimulus(source(language="ar")))
    assert 'lang="ar"' in page and 'dir="auto"' in page


def test_the_count_of_hidden_words_does_not_set_the_texts_direction() -> None:
    page = rendered(TOPK_GUESS, TOPK_GUESS.stimulus(source("فيلم رائع", [0.1, 0.9], k=1)))
    assert 'dir="ltr" lang="en">1 hidden word<' in page


def test_the_form_takes_a_label_or_cannot_tell() -> None:
    content = TOPK_GUESS.stimulus(source())
    for answer in ("negative", "positive", CANNOT_TELL):
        form = TOPK_GUESS.form(content, {"answer": answer})
        assert form.is_valid() and form.cleaned_data == {"answer": answer}


@pytest.mark.parametrize("answer", ["", "neutral", "POSITIVE"])
def test_the_form_refuses_anything_else(answer: str) -> None:
    assert not TOPK_GUESS.form(TOPK_GUESS.stimulus(source()), {"answer": answer}).is_valid()


def test_cannot_tell_is_only_there_where_it_is_on() -> None:
    content = TOPK_GUESS.stimulus(source(cannot_tell=False))
    assert "Cannot tell" not in rendered(TOPK_GUESS, content)
    assert not TOPK_GUESS.form(content, {"answer": CANNOT_TELL}).is_valid()


@pytest.mark.parametrize(("answer", "value"), [("positive", 1.0), ("negative", 0.0), (CANNOT_TELL, 0.0)])
def test_only_a_right_label_is_recognised(answer: str, value: float) -> None:
    assert TOPK_GUESS.score({"answer": answer}, TOPK_GUESS.stimulus(source()), "positive") == value


@pytest.mark.parametrize(
    ("answer", "start"), [("positive", "That is right"), ("negative", "Not this time"), (CANNOT_TELL, "A fair answer")]
)
def test_feedback_names_the_right_answer(answer: str, start: str) -> None:
    text = TOPK_GUESS.feedback({"answer": answer}, TOPK_GUESS.stimulus(source()), "positive")
    assert text.startswith(start) and "“positive”" in text


def chosen(**settings: str) -> Source:
    return source(settings=settings)


def test_runs_of_hidden_words_can_be_one_pill_that_tells_no_number() -> None:
    content = TOPK_GUESS.stimulus(chosen(mask="runs"))
    assert content["words"] == [None, "great", "film", None, "ending"]
    page = rendered(TOPK_GUESS, content)
    assert page.count('<span class="pill"></span>') == 2 and page.count(">hidden words<") == 2


def test_pills_can_be_as_wide_as_their_words_and_never_wider_than_the_widest() -> None:
    content = TOPK_GUESS.stimulus(
        source("no antidisestablishmentarianism here", [0, 0, 1], k=1, settings={"mask": "widths"})
    )
    assert content["widths"] == [2, WIDEST, None]
    assert '<span class="pill wide b2"></span> <span class="pill wide b12"></span>' in masked_text(content)


def test_only_pills_as_wide_as_words_leave_a_trace_of_lengths() -> None:
    assert "widths" not in TOPK_GUESS.stimulus(source()) | TOPK_GUESS.stimulus(chosen(mask="runs"))


@given(sources(), st.integers(1, 5), st.sampled_from(["equal", "runs", "widths"]))
def test_no_mask_shows_a_hidden_word(made: Source, k: int, mask: str) -> None:
    content = TOPK_GUESS.stimulus(replace(made, k=k, settings={"mask": mask}))
    if "secretword" not in content["words"]:
        assert "secretword" not in json.dumps(content)
        assert "secretword" not in rendered(TOPK_GUESS, content)


def arranged(made: Source, worker: int) -> Presentation:
    return TOPK_GUESS.arrange(TOPK_GUESS.stimulus(made), random.Random(worker), random.Random("any item"))


def test_labels_keep_their_order_unless_they_are_to_be_shuffled() -> None:
    assert all(arranged(source(), worker) == {"choices": ["negative", "positive"]} for worker in range(20))


def test_shuffled_labels_come_first_equally_often_and_stay_for_one_worker() -> None:
    made = chosen(choice_order="shuffled")
    first = [arranged(made, worker)["choices"][0] for worker in range(400)]
    assert 160 < first.count("positive") < 240
    assert arranged(made, 7) == arranged(made, 7)


def test_number_keys_follow_the_order_shown_and_cannot_tell_stays_last() -> None:
    content = TOPK_GUESS.stimulus(source())
    options = TOPK_GUESS.context(content, {"choices": ["positive", "negative"]}, 0)["options"]
    assert [option.value for option in options] == ["positive", "negative", CANNOT_TELL]
    page = rendered(TOPK_GUESS, content, presentation={"choices": ["positive", "negative"]})
    assert 'value="positive" data-key="1"' in page and 'value="negative" data-key="2"' in page


def test_the_full_text_is_shown_as_it_is() -> None:
    content = TOPK_GUESS.stimulus(source(maps=[], k=None, baseline="full_text"))
    assert content["text"] == "A great film, with a dull ending." and None not in content["words"]
    page = rendered(TOPK_GUESS, content)
    assert "A great film, with a dull ending.</p>" in page and "pill" not in page


def test_a_record_of_the_first_version_is_shown_as_ever() -> None:
    first = {"question": "?", "language": "", "words": [None, "good"], "choices": ["a", "b"], "cannot_tell": False}
    page = rendered(TOPK_GUESS, first)
    assert "1 hidden word<" in page and 'value="b" data-key="2"' in page
