"""Tokens of real tokenizers, brought without offsets, are put on the words that the tokenizer's own offsets name."""

from collections.abc import Callable
from typing import Any

import pytest

from language.words import segment
from materials.maps.aligning import align
from tests.workers import tiny

CONTENTS = [
    "A great film, isn't it? Don't stop!",
    "re-use of awful, BORING words: end-of-film",
    "café cafe\u0301 na\u00efve\u00a0great\u202ffilm",
    "really\r\ngreat\n\nfilm film film",
    "\ufb01ne wor\u200dds",
    "👍🏽 great 👍🏽👍",
    "the \u0627\u0644\u0646\u0635 \u0627\u0644\u0639\u0631\u0628\u064a film",
    "www.great-film.org, really",
    "great " * 60,
]
# Tokenizers differ in where white space alone stands, and what is invisible stands on no word here.
NOWHERE = ("Ġ", "▁", "<unk>")


@pytest.mark.parametrize("content", CONTENTS, ids=range(len(CONTENTS)))
@pytest.mark.parametrize("make", [tiny.wordpiece, tiny.byte_level, tiny.unigram], ids=lambda make: str(make.__name__))
def test_it_works(make: Callable[[], Any], content: str) -> None:
    tokenizer = make()
    encoding = tokenizer(content, truncation=True, return_offsets_mapping=True, return_special_tokens_mask=True)
    tokens = tokenizer.convert_ids_to_tokens(encoding["input_ids"])
    word_at = {at: number for number, word in enumerate(segment(content)) for at in range(word.start, word.end)}
    special = encoding["special_tokens_mask"]
    for token, span, offsets, apart in zip(
        tokens, align(tokens, content), encoding["offset_mapping"], special, strict=True
    ):
        if apart or token in NOWHERE and span is None:
            assert span is None
        elif token not in NOWHERE[:2]:
            assert span and _words(word_at, span) == _words(word_at, offsets), token


def _words(word_at: dict[int, int], span: tuple[int, int]) -> set[int]:
    return {word_at[at] for at in range(*span) if at in word_at}
