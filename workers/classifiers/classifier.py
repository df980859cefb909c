"""What every kind of classifier offers to the methods: texts to pieces, embeddings to logits."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from workers.classifiers.batching import TOKEN_BUDGET, Batch, group_by_length, pad_ids
from workers.classifiers.encoding import Encoded, encode
from workers.classifiers.errors import ClassifierError
from workers.classifiers.memory import Memory

SINGLE, MULTI, REGRESSION = "single_label_classification", "multi_label_classification", "regression"
# Stands in a row of ids for a piece whose embedding is zero.
ZEROED = -1


class Output(NamedTuple):
    """`logits` (texts, labels); `attentions` one (texts, heads, queries, keys) a layer, if they were asked for."""

    logits: Tensor
    attentions: tuple[Tensor, ...] = ()


@dataclass(frozen=True, eq=False)
class TextClassifier(ABC):
    """`model` is in evaluation mode and its weights need no gradients; `logits` are what methods explain."""

    name: str
    revision: str
    weights_hash: str
    label_names: tuple[str, ...]
    problem_type: str
    most_pieces: int
    pad_id: int
    tokenizer: Any
    model: Any
    mask_id: int | None = None
    unk_id: int | None = None
    device: str = "cpu"
    memory: Memory = field(default_factory=Memory, repr=False)
    kind: ClassVar[str]

    @abstractmethod
    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        """One forward pass; `embeddings` stand in for those of the ids."""

    @abstractmethod
    def readout(self, attention_mask: Tensor) -> Tensor:
        """The share (texts, pieces) of each position in what the head reads: one for a first or last piece."""

    @property
    @abstractmethod
    def embedding(self) -> nn.Module:
        """The layer that turns ids into embeddings."""

    @property
    def dtype(self) -> torch.dtype:
        found: torch.dtype = next(self.model.parameters()).dtype
        return found

    def encode(self, text_id: str, content: str, language: str = "") -> Encoded:
        return encode(self.tokenizer, text_id, content, language, self.most_pieces)

    def batch(self, texts: Sequence[Encoded], budget: int = TOKEN_BUDGET, asked: frozenset[str] = frozenset()) -> Batch:
        ids, mask = pad_ids([text.input_ids for text in texts], self.pad_id, self.device)
        return Batch(tuple(texts), ids, mask, budget, asked)

    def embed(self, input_ids: Tensor) -> Tensor:
        """Word embeddings (texts, pieces, dimensions), before positions are added."""
        embeddings: Tensor = self.embedding(input_ids)
        return embeddings

    def logits(self, input_ids: Tensor, attention_mask: Tensor, embeddings: Tensor | None = None) -> Tensor:
        """Logits (texts, labels); `embeddings` stand in for those of the ids."""
        return self.run(input_ids, attention_mask, embeddings).logits

    def logits_of(self, variants: Sequence[tuple[int, ...]], budget: int = TOKEN_BUDGET) -> Tensor:
        """Logits (variants, labels) on the CPU of bare id sequences; what ran before is remembered.

        Equal sequences run once, like lengths together; `ZEROED` among the ids is a zero embedding.
        """
        wanted = [ids or (self.pad_id,) for ids in variants]
        places = {ids: at for at, ids in enumerate(dict.fromkeys(wanted))}
        new: dict[tuple[int, ...], Tensor] = {}
        missing = self.memory.missing(list(places))
        for group in group_by_length([len(ids) for ids in missing], budget):
            chosen = [missing[index] for index in group]
            new.update(zip(chosen, self._logits_of(chosen).float().cpu(), strict=True))
        return self.memory.recall(list(places), new)[[places[ids] for ids in wanted]]

    @torch.no_grad()
    def _logits_of(self, variants: list[tuple[int, ...]]) -> Tensor:
        ids, mask = pad_ids(variants, self.pad_id, self.device)
        zeroed = ids == ZEROED
        if not zeroed.any():
            return self.logits(ids, mask)
        # Any id but padding's: models find positions by it.
        ids = ids.masked_fill(zeroed, int(self.pad_id == 0))
        return self.logits(ids, mask, self.embed(ids).masked_fill(zeroed[:, :, None], 0.0))

    def erase(self, text: Encoded, words: set[int], how: str) -> tuple[int, ...]:
        """The ids of a text without some words: pieces removed, masked, padded or (as `ZEROED`) zeroed."""
        if how == "remove":
            return text.without(words)
        filler = {"mask": self.mask_id, "pad": self.pad_id, "zero": ZEROED}[how]
        if filler is None:
            raise ClassifierError(f"{self.name} has no mask token: leave words out by remove, pad or zero.")
        return text.replaced(words, filler)

    def probabilities(self, logits: Tensor) -> Tensor:
        """Softmax for one label of many, sigmoid for several at once, the logit itself for regression."""
        if self.problem_type == REGRESSION:
            return logits
        return logits.sigmoid() if self.problem_type == MULTI else logits.softmax(-1)

    def piece_names(self, ids: Sequence[int]) -> list[str]:
        names: list[str] = self.tokenizer.convert_ids_to_tokens(list(ids))
        return names


@contextmanager
def replaced(layer: nn.Module, embeddings: Tensor | None) -> Iterator[None]:
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


def check_weights(model: nn.Module, where: str) -> None:
    """Refuse weights that are not numbers: every score of every text would be none either."""
    for name, weight in model.named_parameters():
        if not torch.isfinite(weight).all():
            raise ClassifierError(
                f"{name} in {where} holds values that are not finite (NaN or infinite): the training went wrong, "
                "or the file is damaged. Train or download it again."
            )
