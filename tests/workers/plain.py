"""A classifier that is any formula of one number, for rules that can be worked out by hand."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as having

import torch
from torch import Tensor, nn

from tests.workers.tiny import wordpiece
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import SINGLE, Output, TextClassifier


@dataclass(frozen=True, eq=False)
class PlainClassifier(TextClassifier):
    """`formula` takes (texts, 1) to logits; a text is one piece with one dimension."""

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
        return Output(self.formula(found[:, 0]))

    def readout(self, attention_mask: Tensor) -> Tensor:
        return attention_mask.float()

    def numbers(self, *values: float) -> Batch:
        """A batch of texts, each of them a number."""
        text = self.encode("1", "a")
        ones = torch.ones(len(values), 1, dtype=torch.long)
        return Batch((text,) * len(values), ones, ones, embeddings=torch.tensor(values)[:, None, None])


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
