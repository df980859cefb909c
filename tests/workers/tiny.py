"""Tiny random classifiers with real fast tokenizers, as ordinary folders."""

from pathlib import Path
from typing import Any

import torch
import transformers as untyped
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

transformers: Any = untyped
CORPUS = [
    "a great film , really great , with good people and a bad ending .",
    "an awful , boring , unwatchable film that does not end .",
    "café été naïve 👍 don't re-use 3.14 tests of tokens and words",
] * 3


def wordpiece() -> Any:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=130, special_tokens=special))
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
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=330, special_tokens=special, initial_alphabet=alphabet)
    )
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
