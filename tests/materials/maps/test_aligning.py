from collections.abc import Sequence

import pytest

from materials.maps.aligning import AlignmentError, align


def found(tokens: Sequence[str], content: str) -> list[str | None]:
    return [content[slice(*span)] if span else None for span in align(tokens, content)]


def test_it_works() -> None:
    tokens = ["[CLS]", "the", "film", "is", "un", "##believ", "##able", "!", "[SEP]"]
    assert align(tokens, "The film is unbelievable!") == [
        None, (0, 3), (4, 8), (9, 11), (12, 14), (14, 20), (20, 24), (24, 25), None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "tokens", "expected"),
    [
        ("Hello world", ["<s>", "Hello", "Ġworld", "</s>"], [None, "Hello", " world", None]),
        ("Hello world", ["ĠHello", "Ġworld"], ["Hello", " world"]),
        ("a\r\nb 😀!", ["a", "č", "Ċ", "b", "ĠðŁĺ", "Ģ", "!"], ["a", "\r", "\n", "b", " 😀", "😀", "!"]),
        ("café", ["cafÃ©"], ["café"]),
        ("Hello\u00a0 world", ["▁Hello", "▁", "▁wor", "ld"], ["Hello", None, "wor", "ld"]),
        ("so 😀é", ["▁so", "▁", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "é"], ["so", None, *"😀" * 4, "é"]),
        ("ﬁne", ["fi", "##ne"], ["ﬁ", "ne"]),
        ("ﬁne", ["f", "##in", "##e"], ["ﬁ", "ﬁn", "e"]),
        ("CAFE\u0301 Straße", ["cafe", "strasse"], ["CAFE\u0301"[:4], "Straße"]),
        ("cafe\u0301", ["cafe", "##\u0301"], ["cafe", "\u0301"]),
        ("C## rocks", ["c", "#", "#", "rocks"], ["C", "#", "#", "rocks"]),
        ("مرحبا، يا عالم", ["مرحبا", "،", "يا", "عا", "##لم"], ["مرحبا", "،", "يا", "عا", "لم"]),
        ("low lower", ["low</w>", "low", "er</w>"], ["low", "low", "er"]),
        ("low lower", ["low", "low@@", "er"], ["low", "low", "er"]),
        ("good, good!", ["good", "good"], ["good", "good"]),
        ("it costs ½…", ["▁it", "▁costs", "▁1⁄2", "..."], ["it", "costs", "½", "…"]),
        ("İstanbul", ["istanbul"], ["İstanbul"]),
        ("<s>old</s>", ["<s>", "<", "s", ">", "old", "<", "/", "s", ">", "</s>"], [None, *"<s>", "old", *"</s>", None]),
        ("zero\u200bwidth", ["zero", "##width"], ["zero", "width"]),
    ],
)
def test_every_kind_of_tokenizer_is_followed(content: str, tokens: list[str], expected: list[str | None]) -> None:
    assert found(tokens, content) == expected


def test_repeated_words_keep_their_own_places() -> None:
    assert align(["no", "no", "no"], "no No no") == [(0, 2), (3, 5), (6, 8)]


def test_a_text_may_go_on_where_the_model_stopped() -> None:
    assert found(["[CLS]", "a", "long", "[SEP]"], "A long text") == [None, "A", "long", None]


@pytest.mark.parametrize(
    ("content", "tokens", "expected"),
    [
        ("a 😀 b", ["a", "[UNK]", "b"], ["a", "😀", "b"]),
        ("a 😀😀 b", ["▁a", "▁", "<unk>", "▁b"], ["a", None, "😀😀", "b"]),
        ("你 好", ["[UNK]", "[UNK]"], ["你", "好"]),
        ("x你好 y", ["x", "[UNK]", "[UNK]", "y"], ["x", "你", "好", "y"]),
        ("ab cd", ["[UNK]", "cd"], ["ab", "cd"]),
    ],
)
def test_unknown_tokens_are_placed_where_only_one_place_is_left(
    content: str, tokens: list[str], expected: list[str | None]
) -> None:
    assert found(tokens, content) == expected


@pytest.mark.parametrize(
    ("content", "tokens", "reason"),
    [
        ("abcd", ["<unk>", "<unk>", "▁"], "could stand in several places"),
        ("good, but bad", ["good", "bad"], "number 2, 'bad', is not found after 'good'; give all of them in order"),
        ("good", ["fine"], "number 1, 'fine', is not found at its start"),
        ("a b", ["b", "a"], "number 1, 'b'"),
        ("one", ["one", "one"], "number 2, 'one'"),
        ("a", ["a", "[UNK]"], "number 2, '[UNK]'"),
    ],
)
def test_what_cannot_be_placed_is_refused(content: str, tokens: list[str], reason: str) -> None:
    with pytest.raises(AlignmentError) as caught:
        align(tokens, content)
    assert reason in str(caught.value)


def test_long_texts_take_no_time() -> None:
    words = ["Wort", "noch", "eins"] * 2000
    spans = align([word.lower() for word in words], " ".join(words))
    assert len(spans) == 6000 and spans[-1] == (29995, 29999)


@pytest.mark.parametrize(
    ("content", "tokens", "expected"),
    [
        ("<s> ok", ["<s>", "<s>", "Ġok", "</s>"], [None, "<s>", " ok", None]),
        ("a [CLS] b", ["[CLS]", "a", "[CLS]", "b", "[SEP]"], [None, "a", "[CLS]", "b", None]),
    ],
)
def test_special_tokens_that_the_text_spells_out_are_words(
    content: str, tokens: list[str], expected: list[str | None]
) -> None:
    assert found(tokens, content) == expected
