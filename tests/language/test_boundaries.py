"""Boundaries found piece by piece are those of the whole."""

import re
import sys
import time

from hypothesis import given
from hypothesis import strategies as st
from uniseg.emoji import extended_pictographic
from uniseg.wordbreak import word_boundaries, word_break

from language.boundaries import OTHER, word_cuts

MIXED = st.text(
    st.one_of(
        st.sampled_from(
            list("ab1é-'’.,:;/@_()\"\u200d\u0301\u200b\ufe0fא\u05f3۱👩🏽🇩🇪ーカヽﾞがゝ々〆東、。・กา้ๆ๑ກខမ가")
        ),
        st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]),
    ),
    max_size=30,
)


def test_it_works() -> None:
    assert sorted(word_cuts("don't東京(カメラ)")) == [0, 5, 6, 7, 8, 11, 12]


def test_nothing_has_one_boundary() -> None:
    assert word_cuts("") == {0}


def test_a_break_always_comes_before_the_characters_taken_for_sure() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    sure = [character for character in characters if re.match(f"[{OTHER}]", character)]
    assert len(sure) > 20_000
    assert {word_break(character).value for character in sure} == {"Other"}
    assert not any(extended_pictographic(character) for character in sure)


@given(MIXED)
def test_the_pieces_have_the_boundaries_of_the_whole(part: str) -> None:
    assert word_cuts(part) == set(word_boundaries(part)) | {0, len(part)}


def test_a_page_without_spaces_takes_no_longer_than_its_words_apart() -> None:
    started = time.process_time()
    word_cuts("東京" * 50_000)
    assert time.process_time() - started < 2
