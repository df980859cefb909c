"""Texts in padded batches that never hold more tokens than the budget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from workers.classifiers.encoding import Encoded

# On CPUs compute is the bound, and padding is pure loss: texts share a batch only at like lengths, and more tokens
# at once are no faster, only larger.
TOKEN_BUDGET = 512
LEAST_FILL = 0.8


@dataclass(frozen=True, eq=False)
class Batch:
    """Ids and mask are (texts, pieces), padded on the right.

    `asked` names the methods that will be asked of it, so that the first pass serves them all. `embeddings`
    stand in for those of the ids. `memo` keeps what one method computed and another needs, such as the pass.
    """

    texts: tuple[Encoded, ...]
    input_ids: Tensor
    attention_mask: Tensor
    budget: int = TOKEN_BUDGET
    asked: frozenset[str] = frozenset()
    embeddings: Tensor | None = None
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def lengths(self) -> list[int]:
        return [len(text.input_ids) for text in self.texts]

    def at(self, rows: Tensor, embeddings: Tensor) -> "Batch":
        """The texts of these rows, any of them more than once, at other embeddings (rows, pieces, dimensions).

        As wide as the embeddings, which may leave out what is padding for all of these rows.
        """
        width = embeddings.shape[1]
        return replace(
            self,
            texts=tuple(self.texts[row] for row in rows.tolist()),
            input_ids=self.input_ids[rows, :width],
            attention_mask=self.attention_mask[rows, :width],
            # Nobody else reads this pass.
            asked=frozenset(),
            embeddings=embeddings,
            memo={},
        )

    @property
    def at_once(self) -> int:
        """How many rows of this width the budget allows in one pass."""
        return max(1, self.budget // self.input_ids.shape[1])

    def parts(self, rows: Sequence[int]) -> Iterator[tuple[slice, int]]:
        """Slices of `rows`, each as many as the budget allows in one pass, and the pieces of their longest text."""
        start, longest = 0, 0
        for end, row in enumerate(rows):
            length = len(self.texts[row].input_ids)
            if end > start and (end - start + 1) * max(longest, length) > self.budget:
                yield slice(start, end), longest
                start, longest = end, 0
            longest = max(longest, length)
        if rows:
            yield slice(start, len(rows)), longest

    def pad(self, rows: Sequence[Sequence[float]]) -> Tensor:
        """One float per piece of each text as a padded tensor, zero on the padding."""
        padded = torch.zeros(self.input_ids.shape, device=self.input_ids.device)
        for index, row in enumerate(rows):
            padded[index, : len(row)] = torch.tensor(row)
        return padded


def pad_ids(rows: Sequence[Sequence[int]], pad_id: int, device: str) -> tuple[Tensor, Tensor]:
    """Ids padded on the right to the longest row, and the mask that hides the padding."""
    width = max(len(row) for row in rows)
    ids = torch.full((len(rows), width), pad_id, dtype=torch.long)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = torch.tensor(row, dtype=torch.long)
        mask[index, : len(row)] = 1
    return ids.to(device), mask.to(device)


def group_by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices in groups of like length, longest first, each at most `budget` tokens with its padding."""
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda at: (-lengths[at], at)):
        widest = lengths[group[0]] if group else 0
        if group and ((len(group) + 1) * widest > budget or lengths[index] < LEAST_FILL * widest):
            yield group
            group = []
        group.append(index)
    if group:
        yield group
