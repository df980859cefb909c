"""Words are found in the exact text, whatever its script or normal form."""

import os
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.words import Word, rule, segment

NASTY = st.lists(
    st.one_of(
        st.sampled_from(list("ab1é -'’.:/@\u00a0\u202f\u200d\u0301\r\n\tא۱👩👧🏽🇩🇪،。語—www")),
        st.sampled_from(list("東京タワーはがっ々ﾗﾞ\u3099、。我喜欢電影\ufe00\U000e0100ภาษาไทย้ๆກາခမាអ한국ﬁ")),
        st.sampled_from(["https://", "www.a", "東京都", "映画", "电影", "ภาษาไทย", "don't", "re-use", "3,5"]),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
).map("".join)
TAGS = st.sampled_from(["", "en", "fi", "zh", "ja", "th"])


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
        "ﬁne",
        "e\u0301te\u0301",
        "مَرْحَبًا",
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


@pytest.mark.parametrize(
    ("language", "content", "words"),
    [
        ("zh", "我不喜欢这家餐厅的服务态度", "我|不|喜欢|这家|餐厅|的|服务态度"),
        ("zh-Hant", "這部電影的劇情非常無聊", "這部|電影|的|劇情|非常|無聊"),
        ("ja", "この映画はとても面白かったです。", "この|映画|は|とても|面白かっ|た|です|。"),
        ("ja-JP", "東京都に住んでいます", "東京|都|に|住ん|で|い|ます"),
        ("th", "หนังเรื่องนี้สนุกมากแต่ตอนจบน่าผิดหวัง", "หนัง|เรื่อง|นี้|สนุก|มาก|แต่|ตอนจบ|น่า|ผิดหวัง"),
        ("zh", "2024年iPhone15的电池,上涨了10%", "2024|年|iPhone15|的|电池|,|上涨|了|10|%"),
        ("ja", "昨日「AI」を3,5個買いました👍🏽!", "昨日|「|AI|」|を|3,5|個|買い|まし|た|👍🏽|!"),
        ("th", "ราคา 1.000 บาท don't re-use", "ราคา|1.000|บาท|don't|re-use"),
    ],
)
def test_words_without_spaces_come_from_a_dictionary(language: str, content: str, words: str) -> None:
    assert shown(content, language) == words.split("|")
    assert shown(content) == words.split("|")


def test_han_is_read_in_the_language_of_its_text() -> None:
    assert shown("外国人参政権", "ja") == ["外国", "人参", "政権"]
    assert (
        shown("外国人参政権", "zh") == shown("外国人参政権") == shown("外国人参政権", "en") != ["外国", "人参", "政権"]
    )


def test_kana_anywhere_makes_the_han_of_an_untagged_text_japanese() -> None:
    assert shown("外国人参政権。これ")[:3] == ["外国", "人参", "政権"]
    assert shown("外国人参政権。これ", "en")[:3] == ["外国", "人参", "政権"]
    assert shown("外国人参政権。これ", "zh")[:3] != ["外国", "人参", "政権"]


def test_the_same_run_is_read_anew_in_another_language() -> None:
    in_turn = [shown("外国人参政権", language) for language in ("ja", "zh", "ja")]
    assert in_turn[0] == in_turn[2] != in_turn[1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("请访问https://example.org/a?b=c查看", "请|访问|https://example.org/a?b=c|查看"),
        ("见https://example.org/a。谢谢", "见|https://example.org/a|。|谢谢"),
        ("https://ja.wikipedia.org/wiki/東京 です", "https://ja.wikipedia.org/wiki/東京|です"),
        ("邮箱someone@example.org联系", "邮箱|someone@example.org|联系"),
        ("https://de.wikipedia.org/wiki/Käse.", "https://de.wikipedia.org/wiki/Käse|."),
        ("http:// www.", "http|:|/|/|www|."),
    ],
)
def test_an_address_ends_where_a_script_without_spaces_begins(content: str, words: str) -> None:
    assert shown(content) == words.split("|")


@pytest.mark.parametrize("content", ["ガールズバンドが大好き", "ﾗｰﾒﾝ", "が"])
def test_normal_forms_have_the_same_words(content: str) -> None:
    decomposed = unicodedata.normalize("NFD", content)
    assert [unicodedata.normalize("NFC", word) for word in shown(decomposed, "ja")] == shown(content, "ja")


def test_a_variation_selector_stays_with_its_character_and_changes_no_word() -> None:
    assert shown("葛\U000e0100城市に行く", "ja") == ["葛\U000e0100城", "市", "に", "行く"]
    assert shown("葛城市に行く", "ja") == ["葛城", "市", "に", "行く"]


def test_small_kana_never_begin_a_word() -> None:
    assert shown("すごーい", "ja") == ["すごーい"]
    assert not any(word[0] in "ゃゅょー" for word in shown("きゃりーぱみゅぱみゅ", "ja"))


def test_other_scripts_without_spaces_keep_to_the_boundaries_of_unicode() -> None:
    assert "".join(shown("ພາສາລາວ", "lo")) == "ພາສາລາວ"
    assert rule("ພາສາລາວ", "lo") == f"UAX 29 (uniseg {version('uniseg')})"


def test_a_run_longer_than_the_dictionary_takes_at_once_is_read_in_stretches() -> None:
    words = segment("これはペンです" * 4_000, "ja")
    assert len(words) == 4 * 4_000
    assert words[-1] == Word(27_998, 28_000, False)


def test_threads_may_share_the_dictionaries() -> None:
    texts = [f"東京都に住んでいます{at}ภาษาไทย我来到北京" for at in range(200)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(segment, texts))
    assert together == [segment(text) for text in texts]


def test_english_loads_no_dictionary() -> None:
    script = (
        "import sys; from language.words import segment; segment('don’t re-use it — 3,5 😀', 'en');"
        "print(sorted({'rjieba', 'sudachipy', 'pythainlp'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd="platform", capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_thai_leaves_no_folder_in_the_home_folder(tmp_path: Path) -> None:
    script = "from language.words import segment; assert len(segment('ภาษาไทยสนุก')) == 2"
    subprocess.run(
        [sys.executable, "-c", script], cwd="platform", env={**os.environ, "HOME": str(tmp_path)}, check=True
    )
    assert list(tmp_path.iterdir()) == []


def test_the_rule_names_what_finds_the_words_with_versions() -> None:
    uax29 = f"UAX 29 (uniseg {version('uniseg')})"
    sudachi = f"sudachipy {version('sudachipy')} with sudachidict-small {version('sudachidict-small')}"
    assert rule("Great film, no?", "en") == rule("") == uax29
    assert rule("我喜欢", "zh-Hans") == rule("我喜欢") == f"{uax29}, Chinese by rjieba {version('rjieba')}"
    assert rule("我喜欢", "ja") == rule("東京タワー") == f"{uax29}, Japanese by {sudachi}"
    assert rule("I like ไทย", "en") == f"{uax29}, Thai by pythainlp {version('pythainlp')}"
    assert rule("我喜欢タワーไทย", "zh").count(" by ") == 3


def test_nothing_gives_nothing() -> None:
    assert segment("") == segment(" \r\n\u00a0") == []


@settings(deadline=None)  # The first Chinese, Japanese or Thai text loads its dictionary.
@given(NASTY, TAGS)
def test_words_are_ordered_disjoint_and_cover_all_but_space(content: str, language: str) -> None:
    words = segment(content, language)
    covered: set[int] = set()
    last = 0
    for word in words:
        assert last <= word.start < word.end <= len(content)
        covered.update(range(word.start, word.end))
        last = word.end
    assert covered == {at for at, character in enumerate(content) if not character.isspace()}


@settings(deadline=None)
@given(NASTY.filter(lambda content: not any(part in content for part in ("@", "://", "www"))), TAGS)
def test_a_dictionary_only_joins_and_never_tears_an_accent_off(content: str, language: str) -> None:
    words = segment(content, language)
    for before, after in pairwise(words):
        assert before.end < after.start or unicodedata.category(content[after.start]) not in ("Mn", "Me")
