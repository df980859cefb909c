"""Tokenizers that know a list of words, each of them one piece: what small models of a task's own language read."""

from collections.abc import Iterable
from typing import Any

import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

PAD, UNK, START, END, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
SPECIAL = (PAD, UNK, START, END, MASK)


def tokenizer_of(words: Iterable[str], template: str) -> Any:
    """`template` says what stands about a text $A, such as "[CLS] $A [SEP]" for encoders."""
    pieces = {piece: at for at, piece in enumerate([*SPECIAL, *words])}
    tokenizer = Tokenizer(models.WordLevel(pieces, unk_token=UNK))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=template, special_tokens=[(one, pieces[one]) for one in (START, END)]
    )
    fast: Any = transformers.PreTrainedTokenizerFast
    return fast(
        tokenizer_object=tokenizer,
        model_max_length=64,
        pad_token=PAD,
        unk_token=UNK,
        cls_token=START,
        sep_token=END,
        mask_token=MASK,
    )
