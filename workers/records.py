"""What goes into the drivers and what comes out: plain data, whoever stores it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SourceText:
    text_id: str
    content: str
    language: str = ""
    # The class to explain; the predicted one where it is not given.
    target: int | None = None
    # What people marked: (start, end) or (start, end, weight) each.
    rationale: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class Failed:
    """One text, or one method on it, that could not be done; the rest goes on."""

    text_id: str
    reason: str
    method: str = ""


@dataclass(frozen=True)
class Predicted:
    text_id: str
    predicted: int
    probabilities: list[float]


@dataclass(frozen=True)
class Explained:
    """`scores` has one float a word, None where the model never saw the word.

    `special` holds the pieces of no word, such as [CLS], with their scores: with them complete methods are
    complete. `seconds` is the text's share of its batch.
    """

    text_id: str
    method: str
    params: dict[str, Any]
    target: int
    predicted: int
    probabilities: list[float]
    offsets: list[tuple[int, int]]
    words: list[str]
    scores: list[float | None]
    special: list[tuple[str, float]]
    completeness_error: float | None
    seconds: float
    seed: int
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ToScore:
    """One explanation, as a metric needs it; with its method, where that can be run again.

    `offsets`: [start, end] of each word in the text.
    """

    key: str
    text: SourceText
    scores: list[float | None]
    target: int
    method: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    offsets: Sequence[Sequence[int]] = ()


@dataclass(frozen=True)
class Scored:
    key: str
    metric: str
    params: dict[str, Any]
    value: float | None
    status: str
