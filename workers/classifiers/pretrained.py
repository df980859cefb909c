"""Folders that the transformers library wrote: their tokenizers and models, loaded for explaining."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers

from workers.classifiers.classifier import check_weights
from workers.classifiers.errors import ClassifierError


def read_config(folder: Path) -> tuple[Any, list[str]]:
    """The configuration of a folder's model, and the architectures that it names."""
    path = folder / "config.json"
    if not path.is_file():
        raise ClassifierError(f"{folder} has no config.json: give the folder that save_pretrained() wrote.")
    try:
        heads = json.loads(path.read_text(encoding="utf-8")).get("architectures") or []
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # the library raises many kinds, and all mean the same here
        raise ClassifierError(f"{path} cannot be read as a model's configuration: {first_line(error)}") from error
    return config, heads


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


def load_model(auto_class: Any, folder: Path, config: Any, device: str, dtype: str, what: str) -> Any:
    """In evaluation mode and without gradients; `what` it should be is said where its weights do not make one."""
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
            f"The weights in {folder} lack {missing[0]} ({len(missing)} in all): it is not a trained {what}. "
            "Train or fine-tune it first, or give the model that was."
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
