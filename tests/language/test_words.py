"""Words are found in the exact text, whatever its script or normal form."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.words import Word, segment

NASTY = st.text(
    st.one_of(
        st.sampled_from(list("ab1é -'’.:/@\u00a0\u202f\u200d\u0301\r\n\tא۱👩👧🏽🇩🇪،。語—www")),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)


def shown(content: str, language: str = "") -> list[str]:
    return [content[start:end] for start, end, _ in segment(content, language)]


def words_only(content: str) -> list[str]:
    return [content[word.start : word.end] for word in segment(content) if not word.punctuation]


def test_it_works() -> None:
    assert segment("Great film, no?") == [
        Word(0, 5, False),
        Word(6, 10, False),
        Word(10, 11, True),
        Word(12, 14, False),
        Word(14, 15, True),
    ]


@pytest.mark.parametrize(
    "whole",
    [
        "don't",
        "don’t",
        "re-use",
        "state-of-the-art",
        "3.14",
        "1,000.50",
        "a_b",
        "naïve",
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "🇩🇪",
        "https://example.org/a?b=c&d=1",
        "www.example.org/x",
        "someone@example.org",
        "סרט",
    ],
)
def test_a_word_stays_whole(whole: str) -> None:
    assert shown(f"so {whole} it") == ["so", whole, "it"]
    assert not segment(whole)[0].punctuation


@pytest.mark.parametrize("mark", [",", "...", '"', "--", "—", "%", "$", "。", "؟", "<", "-", "'"])
def test_punctuation_is_kept_apart(mark: str) -> None:
    words = segment(f"good{mark} bad")
    assert "".join(f"good{mark} bad"[w.start : w.end] for w in words if w.punctuation) == mark
    assert words_only(f"good{mark} bad") == ["good", "bad"]


def test_an_address_leaves_the_full_stop_behind() -> None:
    assert shown("See https://example.org/a.") == ["See", "https://example.org/a", "."]
    assert shown("(www.example.org)") == ["(", "www.example.org", ")"]


def test_a_hyphen_at_an_edge_or_doubled_does_not_join() -> None:
    assert shown("-like well- a--b") == ["-", "like", "well", "-", "a", "-", "-", "b"]


def test_a_colon_joins_letters_in_swedish_and_finnish_only() -> None:
    assert shown("EU:n", "fi") == ["EU:n"]
    assert shown("k:a", "sv-SE") == ["k:a"]
    assert shown("note:this", "en") == ["note", ":", "this"]


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000", "\r\n", "\u2028", "\t"])
def test_every_kind_of_space_separates_and_is_no_word(space: str) -> None:
    assert shown(f"a{space}b") == ["a", "b"]


def test_normal_forms_keep_their_own_offsets() -> None:
    composed, decomposed = unicodedata.normalize("NFC", "été là"), unicodedata.normalize("NFD", "été là")
    assert [word[:2] for word in segment(composed)] == [(0, 3), (4, 6)]
    assert [word[:2] for word in segment(decomposed)] == [(0, 5), (6, 9)]


def test_emoji_count_as_code_points() -> None:
    assert [word[:2] for word in segment("ok 👍🏽 good")] == [(0, 2), (3, 5), (6, 10)]


def test_nothing_gives_nothing() -> None:
    assert segment("") == segment(" \r\n\u00a0") == []


@settings(deadline=None)  # The first Chinese, Japanese or Thai text loads its dictionary.
@given(NASTY)
def test_words_are_ordered_disjoint_and_cover_all_but_space(content: str) -> None:
    words = segment(content)
    covered: set[int] = set()
    last = 0
    for word in words:
        assert last <= word.start < word.end <= len(content)
        covered.update(range(word.start, word.end))
        last = word.end
    assert covered == {at for at, character in enumerate(content) if not character.isspace()}
