"""LSTM classifiers in a folder format of our own: words in, one piece a word."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from language.words import segment
from workers.classifiers.classifier import Output, TextClassifier
from workers.classifiers.encoding import Encoded
from workers.classifiers.errors import ClassifierError
from workers.classifiers.lstm_files import read_config, read_network, read_vocabulary
from workers.classifiers.resolving import find_weights, hash_weights, resolve


@dataclass(frozen=True, eq=False)
class LSTMClassifier(TextClassifier):
    """`model` is an LSTMNetwork, `tokenizer` its Vocabulary."""

    kind = "lstm"

    @property
    def embedding(self) -> nn.Module:
        layer: nn.Module = self.model.embedding
        return layer

    def encode(self, text_id: str, content: str, language: str = "") -> Encoded:
        words = tuple(segment(content, language))
        ids = self.tokenizer.ids(content[word.start : word.end] for word in words[: self.most_pieces])
        return Encoded(text_id, content, words, ids, tuple((at, at) for at in range(len(ids))), language)

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        """It has no attentions to hand out."""
        given = self.embed(input_ids) if embeddings is None else embeddings
        return Output(self.model(given, attention_mask.sum(-1)))

    def readout(self, attention_mask: Tensor) -> Tensor:
        """Each direction is read after its last word: the text's last, and the first of one read backwards."""
        last = attention_mask.sum(-1, keepdim=True) - 1
        ends = [last, torch.zeros_like(last)] if self.model.lstm.bidirectional else [last]
        shares = torch.zeros_like(attention_mask, dtype=self.dtype)
        for end in ends:
            shares.scatter_add_(1, end, torch.full_like(end, 1 / len(ends), dtype=self.dtype))
        return shares


def load(
    name: str,
    revision: str = "",
    device: str = "cpu",
    dtype: str = "float32",
    options: Mapping[str, Any] | None = None,
) -> LSTMClassifier:
    """Load a folder (or a hub repository of the same files); every way to fail is a ClassifierError with a remedy."""
    if options:
        raise ClassifierError(f"An LSTM takes no options, and {next(iter(options))} is one.")
    folder, commit = resolve(name, revision)
    config = read_config(folder)
    vocabulary = read_vocabulary(folder, config.lower_case)
    network = read_network(folder, config, vocabulary)
    network.to(device, getattr(torch, dtype)).eval().requires_grad_(False)
    return LSTMClassifier(
        name=name,
        revision=commit,
        weights_hash=hash_weights(find_weights(folder)),
        label_names=config.label_names,
        problem_type=config.problem_type,
        most_pieces=config.most_pieces,
        pad_id=vocabulary.pad_id,
        tokenizer=vocabulary,
        model=network,
        unk_id=vocabulary.unk_id,
        device=device,
    )
