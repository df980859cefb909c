"""Causal language models of the transformers library: loaded frozen, read at the last piece of a text."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor

from workers.classifiers.errors import ClassifierError
from workers.classifiers.pretrained import load_model, load_tokenizer, most_pieces, read_config
from workers.classifiers.resolving import find_weights, resolve

# How the library names them.
ARCHITECTURES = ("ForCausalLM", "LMHeadModel")


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """`closing` counts the special pieces that the tokenizer puts behind a text: the next word comes before them."""

    folder: Path
    revision: str
    model: Any
    tokenizer: Any
    most_pieces: int
    pad_id: int
    closing: int

    @property
    def weights(self) -> list[Path]:
        return find_weights(self.folder)

    def ids(self, content: str) -> tuple[int, ...]:
        """Of a text up to its last word: neither white space nor closing tokens stand between it and the next."""
        longest = self.most_pieces + self.closing
        ids = self.tokenizer(content.rstrip(), truncation=True, max_length=longest, verbose=False)["input_ids"]
        return tuple(ids[: len(ids) - self.closing])

    def pieces_after_space(self, word: str) -> tuple[int, ...]:
        """The pieces of a word that follows another: most tokenizers put the space before it into the first."""
        before, both = (self._pieces(text) for text in ("a", f"a {word}"))
        pieces = both[len(before) :]
        if both[: len(before)] != before or not pieces or self.tokenizer.unk_token_id in pieces:
            raise ClassifierError(f"The tokenizer of {self.folder} cannot write the word {word!r}: leave it out.")
        return tuple(pieces)

    def _pieces(self, text: str) -> list[int]:
        pieces: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return pieces


def load_language_model(name: str, revision: str = "", device: str = "cpu", dtype: str = "float32") -> LanguageModel:
    """A hub id or folder; every way to fail is a ClassifierError with a remedy."""
    folder, commit = resolve(name, revision)
    config, heads = read_config(folder)
    if heads and not any(head.endswith(ARCHITECTURES) for head in heads):
        raise ClassifierError(f"{folder} is a {heads[0]}, not a causal language model, such as GPT-2 or Llama.")
    find_weights(folder)
    tokenizer = load_tokenizer(folder)
    model = load_model(transformers.AutoModelForCausalLM, folder, config, device, dtype, "causal language model")
    _check_causal(model, folder)
    known = [config.pad_token_id, tokenizer.pad_token_id, tokenizer.eos_token_id, 0]
    return LanguageModel(
        folder=folder,
        revision=commit,
        model=model,
        tokenizer=tokenizer,
        most_pieces=most_pieces(model, tokenizer),
        # The mask alone says what is padding, so any piece will do.
        pad_id=int(next(pad_id for pad_id in known if pad_id is not None)),
        closing=_count_closing(tokenizer),
    )


def _check_causal(model: Any, folder: Path) -> None:
    """What the first piece predicts must not depend on the second."""
    with torch.enable_grad():
        embeddings = model.get_input_embeddings()(torch.tensor([[1, 2]], device=model.device)).requires_grad_()
        predicted = model(inputs_embeds=embeddings, use_cache=False).logits[0, 0]
        (gradient,) = torch.autograd.grad(predicted.norm(), embeddings)
    if gradient[0, 1].any():
        raise ClassifierError(
            f"{folder} looks ahead in the text, so it predicts no next word: give a causal language model, "
            "such as GPT-2 or Llama."
        )


def _count_closing(tokenizer: Any) -> int:
    special = tokenizer("a", return_special_tokens_mask=True)["special_tokens_mask"]
    return len(special) - 1 - max(at for at, one in enumerate(special) if not one)


def at_last(states: Tensor, attention_mask: Tensor) -> Tensor:
    """The rows (texts, dimensions) of each text's last piece, out of (texts, pieces, dimensions)."""
    return states[torch.arange(len(states), device=states.device), attention_mask.sum(-1) - 1]


def write_after(given: Tensor, lengths: Tensor, rows: Tensor) -> Tensor:
    """`given` (texts, pieces, ...) with `rows` (more, ...) behind each text's last piece, over its padding."""
    wider = torch.cat([given, given.new_zeros(len(given), len(rows), *given.shape[2:])], 1)
    behind = torch.arange(wider.shape[1], device=lengths.device) - lengths[:, None]
    written = (behind >= 0) & (behind < len(rows))
    written = written.view(*written.shape, *[1] * (given.dim() - 2))
    # A sum, not a choice: methods that hand relevance back see that the rows are none of the text's.
    return wider.masked_fill(written, 0) + rows[behind.clamp(0, len(rows) - 1)].masked_fill(~written, 0)
