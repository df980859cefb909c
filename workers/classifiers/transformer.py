"""Sequence classifiers of the transformers library: loading, encoding, running."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn

from workers.classifiers.batching import TOKEN_BUDGET, Batch, group_by_length, pad_ids
from workers.classifiers.encoding import Encoded, encode
from workers.classifiers.errors import ClassifierError
from workers.classifiers.resolving import find_weights, hash_weights, resolve

LONGEST_LABEL = 200  # As the labels of texts.
SINGLE, MULTI, REGRESSION = "single_label_classification", "multi_label_classification", "regression"


@dataclass(frozen=True, eq=False)
class TransformerClassifier:
    name: str
    revision: str
    weights_hash: str
    label_names: tuple[str, ...]
    problem_type: str
    most_pieces: int
    pad_id: int
    tokenizer: Any
    model: Any
    device: str = "cpu"
    kind: str = "transformer"

    def encode(self, text_id: str, content: str, language: str = "") -> Encoded:
        return encode(self.tokenizer, text_id, content, language, self.most_pieces)

    def batch(self, texts: Sequence[Encoded], budget: int = TOKEN_BUDGET) -> Batch:
        ids, mask = pad_ids([text.input_ids for text in texts], self.pad_id, self.device)
        return Batch(tuple(texts), ids, mask, budget)

    def embed(self, input_ids: Tensor) -> Tensor:
        """Word embeddings (texts, pieces, dimensions), before positions are added."""
        embeddings: Tensor = self.model.get_input_embeddings()(input_ids)
        return embeddings

    def logits(self, input_ids: Tensor, attention_mask: Tensor, embeddings: Tensor | None = None) -> Tensor:
        """Logits (texts, labels); `embeddings` stand in for those of the ids."""
        logits: Tensor = self.run(input_ids, attention_mask, embeddings).logits
        return logits

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Any:
        # The ids go in beside the embeddings: models find positions and padding by them.
        with _replaced(self.model.get_input_embeddings(), embeddings):
            return self.model(input_ids=input_ids, attention_mask=attention_mask, output_attentions=attentions)

    @torch.no_grad()
    def logits_of(self, variants: Sequence[tuple[int, ...]], budget: int = TOKEN_BUDGET) -> Tensor:
        """Logits (variants, labels) of bare id sequences; equal ones run once, like lengths together."""
        unique = [ids or (self.pad_id,) for ids in dict.fromkeys(variants)]
        rows: dict[tuple[int, ...], Tensor] = {}
        for group in group_by_length([len(ids) for ids in unique], budget):
            chosen = [unique[index] for index in group]
            logits = self.logits(*pad_ids(chosen, self.pad_id, self.device))
            rows.update(zip(chosen, logits, strict=True))
        return torch.stack([rows[ids or (self.pad_id,)] for ids in variants])

    def probabilities(self, logits: Tensor) -> Tensor:
        """Softmax for one label of many, sigmoid for several at once, the logit itself for regression."""
        if self.problem_type == REGRESSION:
            return logits
        return logits.sigmoid() if self.problem_type == MULTI else logits.softmax(-1)


@contextmanager
def _replaced(layer: nn.Module, embeddings: Tensor | None) -> Iterator[None]:
    """For one forward pass, let `layer` answer with `embeddings`; no hook outlives the pass."""
    if embeddings is None:
        yield
        return
    calls: list[Tensor] = []

    def answer(*_: Any) -> Tensor:
        calls.append(embeddings)
        return embeddings

    handle = layer.register_forward_hook(answer)
    try:
        yield
    finally:
        handle.remove()
    if len(calls) != 1:
        raise ClassifierError(
            f"The model reads its input embeddings {len(calls)} times, not once: it cannot be explained."
        )


def load(name: str, revision: str = "", device: str = "cpu") -> TransformerClassifier:
    """Load a hub id or folder for explaining; every way to fail is a ClassifierError with a remedy."""
    folder, commit = resolve(name, revision)
    config = _read_config(folder)
    weights = find_weights(folder)
    tokenizer = _load_tokenizer(folder)
    model = _load_model(folder, config, device)
    return TransformerClassifier(
        name=name,
        revision=commit,
        weights_hash=hash_weights(weights),
        label_names=_label_names(folder, config),
        problem_type=config.problem_type or (REGRESSION if config.num_labels == 1 else SINGLE),
        most_pieces=_most_pieces(model, tokenizer),
        pad_id=_pad_id(folder, tokenizer, config),
        tokenizer=tokenizer,
        model=model,
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
        raise ClassifierError(f"{path} cannot be read as a model's configuration: {_first(error)}") from error
    if heads and not any(head.endswith("ForSequenceClassification") for head in heads):
        raise ClassifierError(
            f"{folder} is a {heads[0]}, not a text classifier: fine-tune it first, and give the result."
        )
    if config.is_encoder_decoder:
        raise ClassifierError(f"{folder} is an encoder-decoder model: only encoders and decoders are explained.")
    return config


def _label_names(folder: Path, config: Any) -> tuple[str, ...]:
    """Labels are told apart, matched with a dataset's and stored by their names."""
    names = tuple(str(config.id2label.get(index, "")).strip() for index in range(config.num_labels))
    for index, name in enumerate(names):
        others = [other.casefold() for other in names[:index]]
        if not name or len(name) > LONGEST_LABEL or name.casefold() in others:
            fault = "is longer than any label may be" if len(name) > LONGEST_LABEL else "has no name of its own"
            raise ClassifierError(f"Output {index} {fault} in {folder / 'config.json'}: mend its id2label.")
    return names


def _load_tokenizer(folder: Path) -> Any:
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # the library raises many kinds, and all mean the same here
        raise ClassifierError(f"The tokenizer in {folder} cannot be loaded: {_first(error)}") from error
    if not tokenizer.is_fast:
        raise ClassifierError(
            f"{folder} has a slow tokenizer, which cannot say where in the text its pieces lie. "
            "Add a tokenizer.json: load it with use_fast=True and save it again."
        )
    if len(tokenizer.get_vocab()) <= len(tokenizer.all_special_ids):  # What the library makes of missing files.
        raise ClassifierError(f"{folder} has no tokenizer.json: save the tokenizer beside the model.")
    return tokenizer


def _load_model(folder: Path, config: Any, device: str) -> Any:
    with silence():
        try:
            model, report = transformers.AutoModelForSequenceClassification.from_pretrained(
                folder,
                config=config,
                # Other attention kernels do not hand out their weights, and the setting is never saved.
                attn_implementation="eager",
                dtype=torch.float32,
                use_safetensors=True,
                ignore_mismatched_sizes=True,  # They are told below, by name.
                trust_remote_code=False,
                output_loading_info=True,
            )
        except Exception as error:  # the library raises many kinds, and all mean the same here
            raise ClassifierError(f"The model in {folder} cannot be loaded: {_first(error)}") from error
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


def _most_pieces(model: Any, tokenizer: Any) -> int:
    """The longest input: RoBERTa and its kin lose the positions up to their padding index."""
    most = int(getattr(model.config, "max_position_embeddings", None) or 512)
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            most = module.num_embeddings - module.padding_idx - 1
    return int(min(most, tokenizer.model_max_length))


def _pad_id(folder: Path, tokenizer: Any, config: Any) -> int:
    for pad_id in (config.pad_token_id, tokenizer.pad_token_id):
        if pad_id is not None:
            return int(pad_id)
    raise ClassifierError(f"{folder} names no padding token: set pad_token_id in its config.json.")


def _first(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
