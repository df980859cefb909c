"""How maps are drawn: what the record holds, and what the page shows of it."""

import csv
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import Content, Map, Source
from protocols.displays import ALL, DISPLAYS, FINE_STEPS, LENGTH_EFFECT, Painted, corrected, draw, painted
from tests.conftest import PUBLISHED
from tests.protocols.sources import source, sources

RATINGS = PUBLISHED / "schuff2022" / "responses_en.csv"


def drawn(made: Source) -> Content:
    record = draw(made)
    assert record is not None
    return record


def steps(made: Source) -> list[int]:
    return [step for _, _, _, step in drawn(made)["words"]]


def body(made: Source) -> str:
    return Painted(made.content, drawn(made)).body


def test_it_works() -> None:
    record = drawn(source("very good film", [0.5, 1.0, -0.25]))
    assert record == {
        "display": "colour",
        "version": 1,
        "signed": True,
        "words": [[0, 4, 0.5, 3], [5, 9, 1.0, 5], [10, 14, -0.25, -1]],
    }


def test_a_source_without_a_map_draws_nothing() -> None:
    assert draw(source(maps=[])) is None and painted({"text": "good"}) is None


def test_of_two_maps_each_is_drawn() -> None:
    made = source("good film", maps=[Map([1.0, 0.0], True), Map([0.0, 2.0], False)])
    first, second = draw(made, 0), draw(made, 1)
    assert first and second
    assert [word[3] for word in first["words"]] == [5, 0]
    assert [word[3] for word in second["words"]] == [0, 5] and second["signed"] is False
    assert draw(made, 2) is None


def test_words_that_the_model_never_saw_have_no_weight_and_no_step() -> None:
    assert drawn(source("good film", [1.0, None]))["words"][1] == [5, 9, None, 0]


def test_colour_joins_equal_neighbours_and_bars_stand_alone() -> None:
    made = source("very good film", [1.0, 1.0, 0.0])
    assert '<span class="mark for-5">very good</span> film' in body(made)
    bars = body(source("very good film", [1.0, 1.0, 0.0], display="bars"))
    assert bars == '<span class="stick b20">very</span> <span class="stick b20">good</span> film'


def test_bars_and_corrected_colour_tell_for_from_against_by_class() -> None:
    assert 'class="stick stick-against b20">bad<' in body(source("good bad", [0.5, -1.0], display="bars"))
    assert 'class="mark tint tint-against b20">bad<' in body(source("good bad", [0.5, -1.0], display="corrected"))


def test_corrected_colour_takes_off_what_length_adds() -> None:
    """Two words of one weight: the one four times as long is drawn two doublings' worth weaker."""
    short, long = corrected([(0, 2, 0.5), (3, 11, 0.5)])
    assert short - long == pytest.approx(2 * LENGTH_EFFECT)
    assert (short + long) / 2 == pytest.approx(0.5)


def test_correction_leaves_words_of_one_length_as_they_are() -> None:
    assert corrected([(0, 4, 0.5), (5, 9, -1.0)]) == [0.5, -1.0]
    assert steps(source("good dull", [0.5, -1.0], display="corrected")) == [10, -20]


def test_correction_marks_nothing_that_weighs_nothing() -> None:
    assert corrected([(0, 1, 0.0), (2, 30, 1.0), (31, 32, None)])[::2] == [0.0, 0.0]
    assert corrected([(0, 1, 0.02), (2, 30, 1.0)])[0] == 0.0


@pytest.mark.skipif(not RATINGS.exists(), reason="the published ratings of Schuff et al. (2022) are not here")
def test_the_effect_of_length_is_that_of_the_published_ratings() -> None:
    with RATINGS.open() as file:
        rows = [row for row in csv.DictReader(file) if row["dependency_relation"] != "punct"]
    assert len(rows) == 6449
    workers = sorted({row["worker_id"] for row in rows})
    predictors = np.array(
        [
            [float(row["saliency"]), np.log2(float(row["word_length"])), *(row["worker_id"] == one for one in workers)]
            for row in rows
        ],
        dtype=float,
    )
    ratings = np.array([float(row["human_importance_rating"]) for row in rows])
    saliency, length, *_ = np.linalg.lstsq(predictors, ratings, rcond=None)[0]
    assert saliency == pytest.approx(5.23, abs=0.005) and length == pytest.approx(0.221, abs=0.0005)
    assert length / saliency == pytest.approx(LENGTH_EFFECT, abs=0.0005)


def test_a_screen_reader_gets_the_strongest_words_with_their_weights() -> None:
    spoken = Painted("", drawn(source("good awful film", [0.9, -1.0, 0.01]))).spoken
    assert [(one.weight, one.against) for one in spoken] == [(100, True), (90, False)]


def test_the_record_names_neither_method_nor_truth() -> None:
    assert set(drawn(source())) == {"display", "version", "signed", "words"}


def test_a_framed_word_stands_alone_in_its_mark() -> None:
    made = source("very good film", [1.0, 1.0, 0.0])
    assert '>very</span> <span class="mark for-5"><b class="boxed">good</b></span> film' in str(
        Painted(made.content, drawn(made), boxed=1).body
    )
    assert Painted(made.content, drawn(made), boxed=2).body.endswith(' <b class="boxed">film</b>')


@given(sources(), st.sampled_from(ALL))
def test_steps_are_within_the_displays_bounds_and_signs_are_kept(made: Source, name: str) -> None:
    record = drawn(source(made.content, made.scores, made.signed, display=name))
    assert json.loads(json.dumps(record)) == record
    for _, _, weight, step in record["words"]:
        assert abs(step) <= DISPLAYS[name].steps
        assert step == 0 if not weight else step * weight >= 0
        assert weight is None or made.signed or weight >= 0


@given(sources(), st.sampled_from(ALL), st.integers(0, 30))
def test_the_page_shows_the_text_unchanged(made: Source, name: str, boxed: int) -> None:
    record = drawn(source(made.content, made.scores, made.signed, display=name))
    text = re.sub(r"</?(span|b)\b[^>]*>", "", Painted(made.content, record, boxed).body.replace("<b>", ""))
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&#x27;", "'"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(entity, character)
    assert text == made.content


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0.05, 1)), min_size=1, max_size=20))
def test_of_two_words_of_one_length_the_heavier_is_never_drawn_weaker(given_words: list[tuple[int, float]]) -> None:
    words = [(0, length, weight) for length, weight in given_words]
    found = sorted((length, weight, value) for (_, length, weight), value in zip(words, corrected(words), strict=True))
    for (length, _, weaker), (other, _, stronger) in zip(found, found[1:], strict=False):
        assert length != other or weaker <= stronger
    assert all(0 <= value <= 1 for _, _, value in found) and FINE_STEPS == 20
