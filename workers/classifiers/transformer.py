"""Sequence classifiers of the transformers library: loading, encoding, running."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn

from workers.classifiers.classifier import REGRESSION, SINGLE, Output, TextClassifier, check_weights, replaced
from workers.classifiers.errors import ClassifierError
from workers.classifiers.labels import check_labels
from workers.classifiers.resolving import find_weights, hash_weights, resolve


@dataclass(frozen=True, eq=False)
class TransformerClassifier(TextClassifier):
    kind = "transformer"

    @property
    def embedding(self) -> nn.Module:
        layer: nn.Module = self.model.get_input_embeddings()
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
    model = load_model(transformers.AutoModelForSequenceClassification, folder, config, device, dtype)
    return TransformerClassifier(
        name=name,
        revision=commit,
        weights_hash=hash_weights(weights),
        label_names=_label_names(folder, config),
        problem_type=config.problem_type or (REGRESSION if config.num_labels == 1 else SINGLE),
        most_pieces=most_pieces(model, tokenizer),
        pad_id=find_pad_id(folder, tokenizer, config),
        tokenizer=tokenizer,
        model=model,
        mask_id=tokenizer.mask_token_id,
        unk_id=tokenizer.unk_token_id,
        device=device,
    )


def _read_config(folder: Path) -> Any:
    path = folder / "config.json"
    if not path.is_file():
        raise ClassifierError(f"{folder} has no config.json: give the folder that save_pretrained() wrote.")
    try:
        heads = json.loads(path.read_text(encoding="utf-8")).get("architectures") or []
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except (ValueError, OSError, AttributeError, KeyError, TypeError) as error:
        raise ClassifierError(f"{path} cannot be read as a model's configuration: {first_line(error)}") from error
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


def load_tokenizer(folder: Path) -> Any:
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # the library raises many kinds, and all mean the same here
        raise ClassifierError(f"The tokenizer in {folder} cannot be loaded: {first_line(error)}") from error
    if not tokenizer.is_fast:
        raise ClassifierError(
            f"{folder} has a slow tokenizer, which cannot say where in the text its pieces lie. "
            "Add a tokenizer.json: load it with use_fast=True and save it again."
        )
    if len(tokenizer.get_vocab()) <= len(tokenizer.all_special_ids):  # What the library makes of missing files.
        raise ClassifierError(f"{folder} has no tokenizer.json: save the tokenizer beside the model.")
    return tokenizer


def load_model(auto_class: Any, folder: Path, config: Any, device: str, dtype: str) -> Any:
    with silence():
        try:
            model, report = auto_class.from_pretrained(
                folder,
                config=config,
                # Other attention kernels do not hand out their weights, and the setting is never saved.
                attn_implementation="eager",
                dtype=getattr(torch, dtype),
                use_safetensors=True,
                ignore_mismatched_sizes=True,  # They are told below, by name.
                trust_remote_code=False,
                output_loading_info=True,
            )
        except Exception as error:  # the library raises many kinds, and all mean the same here
            raise ClassifierError(f"The model in {folder} cannot be loaded: {first_line(error)}") from error
    misshapen = sorted(report["mismatched_keys"])
    if misshapen:
        name, held, wanted = misshapen[0]
        raise ClassifierError(
            f"{name} has the shape {_shape(held)} in the weights, and {_shape(wanted)} by config.json: "
            f"the two in {folder} are not of one model. Save them again together."
        )
    missing = sorted(report["missing_keys"])
    if missing:
        raise ClassifierError(
            f"The weights in {folder} lack {missing[0]} ({len(missing)} in all): it is not a trained "
            "text classifier. Fine-tune it first, or give the fine-tuned model."
        )
    check_weights(model, str(folder))
    model.eval().requires_grad_(False)
    return model.to(device)


@contextmanager
def silence() -> Iterator[None]:
    """The library's load report and bars would bury our own lines."""
    logging: Any = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _shape(size: Sequence[int]) -> str:
    return " x ".join(map(str, size))


def most_pieces(model: Any, tokenizer: Any) -> int:
    """The longest input: RoBERTa and its kin lose the positions up to their padding index."""
    most = int(getattr(model.config, "max_position_embeddings", None) or 512)
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            most = module.num_embeddings - module.padding_idx - 1
    return int(min(most, tokenizer.model_max_length))


def find_pad_id(folder: Path, tokenizer: Any, config: Any) -> int:
    for pad_id in (config.pad_token_id, tokenizer.pad_token_id):
        if pad_id is not None:
            return int(pad_id)
    raise ClassifierError(f"{folder} names no padding token: set pad_token_id in its config.json.")


def first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
