"""Tiny random classifiers with real fast tokenizers, as ordinary folders."""

import re
from pathlib import Path
from typing import Any

import torch
import transformers as untyped
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

transformers: Any = untyped
# Training a vocabulary breaks ties by chance; these are written out, so that every run sees the same models.
WORDS = re.findall(
    r"\S+",
    "a an and awful bad boring does don't end film good great not of people really stop tests the words",
)
LETTERS = sorted(set("abcdefghijklmnopqrstuvwxyz0123456789.,'-👍🏽"))


def wordpiece() -> Any:
    """Words of the list are one piece each, all others are spelt."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*special, *LETTERS, *(f"##{letter}" for letter in LETTERS), *(word for word in WORDS if len(word) > 1)]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=64,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def byte_level() -> Any:
    """Bytes, merged from the left along the words of the list, with and without a space before them."""
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    merges = list(dict.fromkeys(merge for word in WORDS for start in ("", "Ġ") for merge in _merges(start + word)))
    pieces = [*special, *sorted(pre_tokenizers.ByteLevel.alphabet()), *("".join(merge) for merge in merges)]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=64,
        pad_token="<pad>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
        mask_token="<mask>",
    )


def _merges(word: str) -> list[tuple[str, str]]:
    return [(word[:end], word[end]) for end in range(1, len(word))]


def config_for(kind: str, labels: int, vocab: int, **more: Any) -> Any:
    names = dict(enumerate(["negative", "positive", "neither", "both"][:labels]))
    common: dict[str, Any] = {
        "vocab_size": vocab,
        "id2label": names,
        "label2id": {v: k for k, v in names.items()},
    } | more
    if kind == "distilbert":
        return transformers.DistilBertConfig(
            dim=16, n_layers=2, n_heads=2, hidden_dim=32, max_position_embeddings=64, pad_token_id=0, **common
        )
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    if kind == "roberta":
        return transformers.RobertaConfig(
            **sizes, max_position_embeddings=40, pad_token_id=1, bos_token_id=0, eos_token_id=2, **common
        )
    return transformers.BertConfig(**sizes, max_position_embeddings=64, pad_token_id=0, **common)


def save_tiny(folder: Path, kind: str = "bert", labels: int = 2, seed: int = 1, **more: Any) -> Path:
    """A random classifier whose logits really move with its words."""
    tokenizer = byte_level() if kind == "roberta" else wordpiece()
    torch.manual_seed(seed)
    config = config_for(kind, labels, len(tokenizer), **more)
    model = transformers.AutoModelForSequenceClassification.from_config(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.3)
            elif "LayerNorm" not in name and "layer_norm" not in name:
                weight.normal_(0, 0.1)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
