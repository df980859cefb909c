"""A classifier that is any formula of a few numbers, for rules that can be worked out by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as having

import torch
from torch import Tensor, nn

from tests.workers.tiny import wordpiece
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import SINGLE, Output, TextClassifier


@dataclass(frozen=True, eq=False)
class PlainClassifier(TextClassifier):
    """`formula` takes the numbers (texts, pieces) to logits: each piece has one dimension."""

    formula: Callable[[Tensor], Tensor] = having(kw_only=True)
    kind = "transformer"

    @property
    def embedding(self) -> nn.Module:
        layer: nn.Module = self.model
        return layer

    def run(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        embeddings: Tensor | None = None,
        attentions: bool = False,
    ) -> Output:
        found = self.embed(input_ids) if embeddings is None else embeddings
        return Output(self.formula(found[:, :, 0]))

    def readout(self, attention_mask: Tensor) -> Tensor:
        return attention_mask.float()

    def numbers(self, *rows: Sequence[float]) -> Batch:
        """A batch of texts, each of them a few numbers."""
        text = self.encode("1", " ".join("a" for _ in rows[0]))
        ones = torch.ones(len(rows), len(rows[0]), dtype=torch.long)
        return Batch((text,) * len(rows), ones, ones, embeddings=torch.tensor(rows)[:, :, None])


def plain_classifier(formula: Callable[[Tensor], Tensor]) -> PlainClassifier:
    return PlainClassifier(
        name="plain",
        revision="",
        weights_hash="plain",
        label_names=("number",),
        problem_type=SINGLE,
        most_pieces=64,
        pad_id=0,
        tokenizer=wordpiece(),
        model=nn.Embedding(100, 1).requires_grad_(False),
        formula=formula,
    )
