"""Tiny random classifiers with real fast tokenizers, as ordinary folders."""

import re
from collections.abc import Callable
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
    return _with_specials(tokenizer)


def unigram() -> Any:
    """Pieces that carry the space before them as \u2581, as SentencePiece makes them."""
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = [(piece, 0.0) for piece in special] + [(f"\u2581{word}", -4.0) for word in WORDS]
    pieces += [(word, -8.0) for word in WORDS if len(word) > 1] + [(letter, -9.0) for letter in ["\u2581", *LETTERS]]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return _with_specials(tokenizer)


def _with_specials(tokenizer: Tokenizer) -> Any:
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=64,
        pad_token="<pad>",
        unk_token="<unk>",
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        mask_token="<mask>",
    )


def _merges(word: str) -> list[tuple[str, str]]:
    return [(word[:end], word[end]) for end in range(1, len(word))]


SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
ENDS = {"cls_token_id": 2, "sep_token_id": 2, "bos_token_id": 0, "eos_token_id": 2}
RELATIVE = {
    "relative_attention": True,
    "pos_att_type": ["p2c", "c2p"],
    "type_vocab_size": 0,
    "position_biased_input": False,
}
FAMILIES: dict[str, tuple[str, Callable[..., Any], dict[str, Any]]] = {
    "bert": ("BertConfig", wordpiece, SIZES),
    "distilbert": ("DistilBertConfig", wordpiece, {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}),
    "electra": ("ElectraConfig", wordpiece, SIZES | {"embedding_size": 8}),
    "roberta": ("RobertaConfig", byte_level, SIZES | {"max_position_embeddings": 40}),
    "modernbert": (
        "ModernBertConfig",
        byte_level,
        SIZES | ENDS | {"global_attn_every_n_layers": 2, "local_attention": 8, "classifier_pooling": "mean"},
    ),
    "deberta": ("DebertaConfig", byte_level, SIZES | RELATIVE),
    "deberta-v2": (
        "DebertaV2Config",
        unigram,
        SIZES | RELATIVE | {"position_buckets": 8, "norm_rel_ebd": "layer_norm", "share_att_key": True},
    ),
    "xlm-roberta": ("XLMRobertaConfig", unigram, SIZES | {"max_position_embeddings": 40}),
    "albert": ("AlbertConfig", unigram, SIZES | {"embedding_size": 8}),
    "gpt2": ("GPT2Config", byte_level, {"n_embd": 16, "n_layer": 2, "n_head": 2}),
    "llama": ("LlamaConfig", unigram, SIZES | {"tie_word_embeddings": False}),
}
DECODERS = ("gpt2", "llama")


def tokenizer_for(kind: str) -> Any:
    """That of a family; decoders put nothing behind a text, and GPT-2 nothing before it either."""
    tokenizer = FAMILIES[kind][1]()
    if kind in DECODERS:
        single = "<s> $A" if kind == "llama" else "$A"
        tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
            single=single, special_tokens=[("<s>", 0)]
        )
    return tokenizer


def config_for(kind: str, labels: int, vocab: int, pad: int = 0, **more: Any) -> Any:
    name, _, shape = FAMILIES[kind]
    names = dict(enumerate(["negative", "positive", "neither", "both"][:labels]))
    common = {"max_position_embeddings": 64, "vocab_size": vocab, "pad_token_id": pad, "id2label": names}
    return getattr(transformers, name)(**(common | {"label2id": {v: k for k, v in names.items()}} | shape | more))


def save_tiny(folder: Path, kind: str = "bert", labels: int = 2, seed: int = 1, **more: Any) -> Path:
    """A random classifier whose logits really move with its words."""
    return _save(folder, kind, "AutoModelForSequenceClassification", labels, seed, more)


def save_language_model(folder: Path, kind: str = "gpt2", seed: int = 1, **more: Any) -> Path:
    """A random causal language model."""
    return _save(folder, kind, "AutoModelForCausalLM", 2, seed, more)


def _save(folder: Path, kind: str, auto_class: str, labels: int, seed: int, more: dict[str, Any]) -> Path:
    tokenizer = tokenizer_for(kind)
    torch.manual_seed(seed)
    config = config_for(kind, labels, len(tokenizer), tokenizer.pad_token_id, **more)
    model = getattr(transformers, auto_class).from_config(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.3)
            elif not re.search("norm|ln_", name, re.IGNORECASE):
                weight.normal_(0, 0.1)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
