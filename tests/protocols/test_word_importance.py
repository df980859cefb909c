import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import Content, Map, Source
from protocols.word_importance import WORD_IMPORTANCE, ImportanceSettings
from tests.protocols.rendering import rendered
from tests.protocols.sources import source, sources

TEXT = "Fine. A VERY good Film? No."
SCORES = (0.1, 9, 0.2, 0.4, -0.8, 0.3, 9, 0.0, 9)  # with punctuation, which is left aside


def asking(chosen: str = "random", seed: str = "7/a", scores: Any = SCORES, **changes: Any) -> Content:
    return WORD_IMPORTANCE.stimulus(source(TEXT, scores, settings={"chosen": chosen}, seed=seed, **changes))


def at(word: str) -> Content:
    """A record that asks about this word."""
    found = (asking(seed=str(n)) for n in range(200))
    return next(one for one in found if word == TEXT[slice(*one["map"]["words"][one["word"]][:2])])


def test_it_works() -> None:
    content = at("good")
    assert content["facts"] == {
        "word_length": 4,
        "position": 4,
        "text_length": 6,
        "sentence_position": 3,
        "sentence_length": 4,
        "capitals": "other",
        "saliency": -1.0,
        "rank": 1,
        "ranked": 6,
        "saliency_before": 0.5,
        "saliency_after": 0.375,
    }
    page = rendered(WORD_IMPORTANCE, content)
    assert (
        '<span class="mark against-5"><b class="boxed">good</b></span>' in page and "<bdi>good</bdi></strong>" in page
    )


def test_the_ends_of_a_text_have_one_neighbour() -> None:
    first, last = at("Fine")["facts"], at("No")["facts"]
    assert first["saliency_before"] is None and first["saliency_after"] == 0.25
    assert last["saliency_after"] is None and last["sentence_length"] == 1 and last["rank"] == 6


@pytest.mark.parametrize(
    ("word", "capitals"), [("Fine", "first_upper"), ("VERY", "all_upper"), ("A", "first_upper"), ("good", "other")]
)
def test_capitals_are_told_as_in_the_published_data(word: str, capitals: str) -> None:
    assert at(word)["facts"]["capitals"] == capitals


def test_at_random_the_word_is_the_same_in_all_conditions_of_a_text() -> None:
    chosen = {asking(scores=scores)["word"] for scores in (SCORES, SCORES[::-1], (1.0,) * 9)}
    chosen |= {asking(display=display)["word"] for display in ("bars", "corrected")}
    assert len(chosen) == 1
    assert len({asking(seed=str(n))["word"] for n in range(100)}) == 6


def test_a_word_that_one_map_lacks_moves_only_that_condition() -> None:
    place = asking()["word"]
    lacking = list(SCORES)
    lacking[[0, 2, 3, 4, 5, 7][place]] = None  # type: ignore[call-overload]
    assert asking(scores=lacking)["word"] != place
    other = list(SCORES)
    other[[0, 2, 3, 4, 5, 7][place - 1]] = None  # type: ignore[call-overload]
    assert asking(scores=other)["word"] == place


def test_by_rank_the_rank_is_the_same_in_all_conditions_and_ranks_come_evenly() -> None:
    ranks = [asking("ranks", seed=str(n))["facts"]["rank"] for n in range(600)]
    assert ranks == [asking("ranks", seed=str(n), scores=SCORES[::-1])["facts"]["rank"] for n in range(600)]
    assert all(70 < count < 130 for count in Counter(ranks).values()) and len(set(ranks)) == 6


def test_a_text_without_any_score_frames_no_word() -> None:
    content = asking(scores=(None,) * 9)
    assert content["word"] is None and content["facts"] == {}
    assert "no word is framed" in rendered(WORD_IMPORTANCE, content)


def test_it_refuses_a_source_without_a_map() -> None:
    with pytest.raises(ValueError, match="needs the map"):
        WORD_IMPORTANCE.stimulus(source(maps=[]))


@given(sources(), st.sampled_from(["random", "ranks"]), st.text(max_size=5))
def test_the_framed_word_is_one_that_the_model_saw(made: Source, chosen: str, seed: str) -> None:
    settings = {"chosen": chosen}
    content = WORD_IMPORTANCE.stimulus(source(made.content, made.scores, made.signed, settings=settings, seed=seed))
    assert json.loads(json.dumps(content)) == content
    words = content["map"]["words"]
    if content["word"] is None:
        assert all(weight is None for _, _, weight, _ in words)
        return
    known = content["facts"]
    assert words[content["word"]][2] == known["saliency"] is not None
    assert 1 <= known["rank"] <= known["ranked"] <= known["text_length"] == len(words)
    assert 1 <= known["sentence_position"] <= known["sentence_length"] <= known["text_length"]
    assert rendered(WORD_IMPORTANCE, content).count('<b class="boxed">') == 1


@pytest.mark.parametrize("value", range(1, 8))
def test_every_answer_round_trips(value: int) -> None:
    content = asking()
    form = WORD_IMPORTANCE.form(content, {"answer": str(value)})
    assert form.is_valid() and form.cleaned_data == {"answer": value}
    assert WORD_IMPORTANCE.score(form.cleaned_data, content, "") == value
    assert WORD_IMPORTANCE.label_of(form.cleaned_data) == str(value)


@pytest.mark.parametrize("answer", ["", "0", "8", "very"])
def test_the_form_refuses_anything_else(answer: str) -> None:
    assert not WORD_IMPORTANCE.form(asking(), {"answer": answer}).is_valid()


def test_the_ends_of_the_scale_are_the_researchers() -> None:
    page = rendered(WORD_IMPORTANCE, WORD_IMPORTANCE.stimulus(source(settings={"low": "Nil", "high": "All"})))
    assert "1: <bdi>Nil</bdi>" in page and "7: <bdi>All</bdi>" in page


def test_unsigned_maps_are_drawn_without_a_side() -> None:
    content = WORD_IMPORTANCE.stimulus(source("good film", maps=[Map([1.0, 0.5], False)]))
    assert "speaks" not in rendered(WORD_IMPORTANCE, content)


def test_the_record_names_neither_method_nor_truth() -> None:
    assert set(asking()) == {
        "question", "language", "text", "predicted", "map", "word", "facts", "points", "low", "high",
    }  # fmt: skip


def test_settings_refuse_what_is_not_offered() -> None:
    assert list(ImportanceSettings({"chosen": "best", "low": ""}).errors) == ["chosen", "low"]


def test_feedback_says_that_there_is_no_right_answer() -> None:
    assert "no right or wrong" in WORD_IMPORTANCE.feedback({"answer": 3}, asking(), "")
