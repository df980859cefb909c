"""Sequence classifiers of the transformers library: loading, encoding, running."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn

from workers.classifiers.classifier import REGRESSION, SINGLE, Output, TextClassifier, replaced
from workers.classifiers.errors import ClassifierError
from workers.classifiers.labels import check_labels
from workers.classifiers.pretrained import find_pad_id, load_model, load_tokenizer, most_pieces, read_config
from workers.classifiers.resolving import find_weights, hash_weights, resolve


@dataclass(frozen=True, eq=False)
class TransformerClassifier(TextClassifier):
    kind = "transformer"

    @property
    def embedding(self) -> nn.Module:
        """With the normalisation where that is all that follows: before it, an embedding's size has no effect.

        Input x gradient would be zero but for rounding, and integrated gradients all at their baseline.
        """
        bare = _normalises_words_alone(self.model)
        layer: nn.Module = self.model.base_model.embeddings if bare else self.model.get_input_embeddings()
        return layer

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        # The ids go in beside the embeddings: models find positions and padding by them.
        with replaced(self.embedding, embeddings):
            made = self.model(input_ids=input_ids, attention_mask=attention_mask, output_attentions=attentions)
        return Output(made.logits, tuple(made.attentions or ()) if attentions else ())

    def readout(self, attention_mask: Tensor) -> Tensor:
        """Decoders read the last piece, encoders the first, or the mean where their configuration says so."""
        shares = torch.zeros_like(attention_mask, dtype=self.dtype)
        if getattr(self.model.config, "classifier_pooling", "") == "mean":
            return attention_mask / attention_mask.sum(-1, keepdim=True)
        last = attention_mask.sum(-1, keepdim=True) - 1
        return shares.scatter(1, last if _reads_last(self.model) else torch.zeros_like(last), 1.0)


def _normalises_words_alone(model: Any) -> bool:
    """ModernBERT, and DeBERTa as published, find positions in their attention alone."""
    config = model.config
    if config.model_type in ("deberta", "deberta-v2"):
        return not config.position_biased_input and not config.type_vocab_size
    return bool(config.model_type == "modernbert")


def _reads_last(model: Any) -> bool:
    """Sequence classifiers on decoders name their head `score`, and read it at the last piece."""
    return hasattr(model, "score")


def load(
    name: str,
    revision: str = "",
    device: str = "cpu",
    dtype: str = "float32",
    options: Mapping[str, Any] | None = None,
) -> TransformerClassifier:
    """Load a hub id or folder for explaining; every way to fail is a ClassifierError with a remedy."""
    if options:
        raise ClassifierError(f"A sequence classifier takes no options, and {next(iter(options))} is one.")
    folder, commit = resolve(name, revision)
    config = _read_config(folder)
    weights = find_weights(folder)
    tokenizer = load_tokenizer(folder)
    auto_class = transformers.AutoModelForSequenceClassification
    model = load_model(auto_class, folder, config, device, dtype, "text classifier")
    # Decoders look for the last piece that is no padding; some know padding by their tokenizer alone.
    pad_id = model.config.pad_token_id = find_pad_id(folder, tokenizer, config)
    return TransformerClassifier(
        name=name,
        revision=commit,
        weights_hash=hash_weights(weights),
        label_names=_label_names(folder, config),
        problem_type=config.problem_type or (REGRESSION if config.num_labels == 1 else SINGLE),
        most_pieces=most_pieces(model, tokenizer),
        pad_id=pad_id,
        tokenizer=tokenizer,
        model=model,
        mask_id=tokenizer.mask_token_id,
        unk_id=tokenizer.unk_token_id,
        device=device,
    )


def _read_config(folder: Path) -> Any:
    config, heads = read_config(folder)
    if heads and not any(head.endswith("ForSequenceClassification") for head in heads):
        raise ClassifierError(
            f"{folder} is a {heads[0]}, not a text classifier: fine-tune it first, and give the result."
        )
    if config.is_encoder_decoder:
        raise ClassifierError(f"{folder} is an encoder-decoder model: only encoders and decoders are explained.")
    return config


def _label_names(folder: Path, config: Any) -> tuple[str, ...]:
    names = tuple(str(config.id2label.get(index, "")).strip() for index in range(config.num_labels))
    check_labels(names, f"{folder / 'config.json'}: mend its id2label")
    return names
