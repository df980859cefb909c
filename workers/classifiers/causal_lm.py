"""Causal language models: how probable is each of some next words, or each class by a head on the last piece.

Outputs are log-probabilities, or the difference of two, as in Ding & Koehn 2021, https://arxiv.org/abs/2104.05824
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from workers.classifiers.classifier import SINGLE, Output, TextClassifier, replaced
from workers.classifiers.encoding import Encoded, encode
from workers.classifiers.errors import ClassifierError
from workers.classifiers.heads import FrozenWithHead, holds_head, read_head
from workers.classifiers.labels import check_labels
from workers.classifiers.language_models import LanguageModel, at_last, load_language_model, write_after
from workers.classifiers.resolving import hash_weights, resolve

NEXT_WORD = "next_word"
Words = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class CausalLMClassifier(TextClassifier):
    kind = "causal-lm"
    closing: int = 0

    @property
    def embedding(self) -> nn.Module:
        layer: nn.Module = self.model.get_input_embeddings()
        return layer

    def encode(self, text_id: str, content: str, language: str = "") -> Encoded:
        """Up to the last word: neither white space nor closing tokens stand between it and the next."""
        whole = encode(self.tokenizer, text_id, content.rstrip(), language, self.most_pieces + self.closing)
        ids = whole.input_ids[: len(whole.input_ids) - self.closing]
        return replace(whole, content=content, input_ids=ids)

    def readout(self, attention_mask: Tensor) -> Tensor:
        last = attention_mask.sum(-1, keepdim=True) - 1
        return torch.zeros_like(attention_mask, dtype=self.dtype).scatter(1, last, 1.0)


@dataclass(frozen=True, eq=False)
class NextWord(CausalLMClassifier):
    """log P(word | text) of each candidate; with `contrast`, that of one of two less that of the other."""

    words: Words = ()
    contrast: bool = False

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        made, first = self._log_probabilities(input_ids, attention_mask, embeddings, 1, attentions)
        columns = [first[:, 0, word[0]] for word in self.words]
        for column, word in enumerate(self.words):
            if len(word) > 1:
                columns[column] = columns[column] + self._rest(input_ids, attention_mask, embeddings, word)
        logits = torch.stack(columns, 1)
        if self.contrast:
            logits = logits - logits.flip(1)
        return Output(logits, tuple(made.attentions or ()) if attentions else ())

    def _rest(
        self, input_ids: Tensor, attention_mask: Tensor, embeddings: Tensor | None, word: tuple[int, ...]
    ) -> Tensor:
        """log P (texts,) of the pieces after a word's first, each after those before it."""
        pieces = torch.tensor(word[:-1], device=input_ids.device)
        lengths = attention_mask.sum(-1)
        ids = write_after(input_ids, lengths, pieces)
        mask = write_after(attention_mask, lengths, torch.ones_like(pieces))
        given = None if embeddings is None else write_after(embeddings, lengths, self.embed(pieces))
        _, found = self._log_probabilities(ids, mask, given, len(pieces))
        wanted = torch.tensor(word[1:], device=found.device)
        return found.gather(2, wanted[None, :, None].expand(len(found), -1, 1)).sum((1, 2))

    def _log_probabilities(
        self, input_ids: Tensor, attention_mask: Tensor, embeddings: Tensor | None, count: int, attentions: bool = False
    ) -> tuple[Any, Tensor]:
        """Of every piece (texts, count, vocabulary) after each of the last `count` pieces of a text."""
        places = attention_mask.sum(-1, keepdim=True) + torch.arange(-count, 0, device=attention_mask.device)
        # The vocabulary is large: its scores are computed only where some text is read.
        kept, at = torch.unique(places, return_inverse=True)
        with replaced(self.embedding, embeddings):
            made = self.model(
                input_ids=input_ids,
                attention_mask=attention_mask,
                output_attentions=attentions,
                use_cache=False,
                logits_to_keep=kept,
            )
        rows = torch.arange(len(input_ids), device=at.device)[:, None]
        return made, made.logits[rows, at].float().log_softmax(-1)

    def probabilities(self, logits: Tensor) -> Tensor:
        """Of the next word among all words there are; with `contrast`, among the two."""
        return logits.sigmoid() if self.contrast else logits.exp()


@dataclass(frozen=True, eq=False)
class ClassHead(CausalLMClassifier):
    """log P(class | text), by a linear head on the last state of a frozen language model."""

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        with replaced(self.embedding, embeddings):
            made = self.model.language_model(
                input_ids=input_ids, attention_mask=attention_mask, output_attentions=attentions, use_cache=False
            )
        scores = self.model.head(at_last(made.last_hidden_state, attention_mask))
        return Output(scores.float().log_softmax(-1), tuple(made.attentions or ()) if attentions else ())

    def probabilities(self, logits: Tensor) -> Tensor:
        return logits.exp()


def load(
    name: str,
    revision: str = "",
    device: str = "cpu",
    dtype: str = "float32",
    options: Mapping[str, Any] | None = None,
) -> CausalLMClassifier:
    """A language model with the words to compare, or a folder of `train_head`; else a ClassifierError with a remedy."""
    folder, commit = resolve(name, revision)
    if holds_head(folder):
        if options:
            raise ClassifierError(f"{name} has classes of its own and takes no options: leave them out.")
        head = read_head(folder, device, dtype)
        return ClassHead(
            **_common(head.language_model, device),
            name=name,
            revision=commit,
            weights_hash=hash_weights(head.weights),
            label_names=head.label_names,
            problem_type=SINGLE,
            model=FrozenWithHead(head.language_model.model.base_model, head.layer),
        )
    words, contrast = _read_options(name, options or {})
    language_model = load_language_model(name, revision, device, dtype)
    pieces = tuple(language_model.pieces_after_space(word) for word in words)
    longest = max(map(len, pieces))
    return NextWord(
        **_common(language_model, device) | {"most_pieces": language_model.most_pieces - longest + 1},
        name=name,
        revision=commit,
        weights_hash=_hash(language_model, words, contrast),
        label_names=words,
        problem_type=NEXT_WORD,
        model=language_model.model,
        words=pieces,
        contrast=contrast,
    )


def _common(language_model: LanguageModel, device: str) -> dict[str, Any]:
    return {
        "most_pieces": language_model.most_pieces,
        "pad_id": language_model.pad_id,
        "tokenizer": language_model.tokenizer,
        "mask_id": language_model.tokenizer.mask_token_id,
        "unk_id": language_model.tokenizer.unk_token_id,
        "device": device,
        "closing": language_model.closing,
    }


def _read_options(name: str, options: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    if unknown := sorted(set(options) - {"words", "contrast"}):
        raise ClassifierError(f"A language model has no option {unknown[0]!r}: it takes words and contrast.")
    words, contrast = options.get("words"), options.get("contrast", False)
    if not words:
        raise ClassifierError(
            f"{name} is a language model, which predicts any next word: say which ones to compare, "
            'on the page as next words, for commands by --options \'{"words": ["was", "were"]}\'.'
        )
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ClassifierError('The option words is a list of words, such as {"words": ["was", "were"]}.')
    if not isinstance(contrast, bool):
        raise ClassifierError("The option contrast is true or false.")
    if contrast and len(words) != 2:
        raise ClassifierError(f"Contrast sets one word against another, and {len(words)} are given: give two.")
    spelt = tuple(" ".join(word.split()) for word in words)
    check_labels(spelt, "the option words: give each word once")
    return spelt, contrast


def _hash(language_model: LanguageModel, words: tuple[str, ...], contrast: bool) -> str:
    """Other words make another classifier: maps of one must not be scored by the other."""
    asked = json.dumps([hash_weights(language_model.weights), words, contrast])
    return hashlib.sha256(asked.encode()).hexdigest()
