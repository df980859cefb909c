"""A study: the judgments or verdicts of one evaluation, in one shape, whichever file or database they came from."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import pandas as pd

from analysis.scoring.voting import majority_verdicts

TOPK_GUESS = "topk_guess"
RATING = "rating"
RANDOM = "random"

CELL_COLUMNS = ["text", "method", "k", "recognised", "n"]
JUDGMENT_COLUMNS = [
    "text", "method", "k", "worker", "label", "expected", "score", "late", "response_ms",
]  # fmt: skip
METRIC_COLUMNS = ["text", "method", "metric", "value"]


@dataclass(frozen=True)
class Study:
    """What a report is made of.

    cells: one row per (text, method, k) with the majority verdict `recognised` (0 or 1) and `n` votes
    (missing where only verdicts were published); empty for ratings.
    judgments: one row per judgment that counts; None where only verdicts are known. `score` is 1 or 0 for a
    guess and the rating itself for a rating; `k` is missing where the protocol has none.
    metrics: automatic scores, one row per (text, method, metric); None where there are none.
    source_names: our method name to the name in the source.
    """

    protocol: str
    cells: pd.DataFrame
    judgments: pd.DataFrame | None = None
    metrics: pd.DataFrame | None = None
    source_names: dict[str, str] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        rows = self.cells if self.judgments is None else self.judgments
        return sorted(rows["method"].unique())

    @cached_property
    def data_hash(self) -> str:
        """SHA-256 of the data in canonical order: equal data, from wherever, has an equal hash."""
        digest = sha256(self.protocol.encode())
        for frame in (self.cells, self.judgments, self.metrics):
            if frame is not None:
                digest.update(_canonical(frame))
        return digest.hexdigest()


def study_of_judgments(
    protocol: str,
    judgments: pd.DataFrame,
    *,
    metrics: pd.DataFrame | None = None,
    source_names: dict[str, str] | None = None,
    meta: dict[str, Any] | None = None,
) -> Study:
    """A study of raw judgments, in canonical order; with majority verdicts where answers can be right."""
    order = ["text", "method", "k", "worker"]
    ordered = judgments[JUDGMENT_COLUMNS].sort_values(order, kind="stable").reset_index(drop=True)
    has_verdicts = protocol == TOPK_GUESS and len(ordered) > 0
    cells = majority_verdicts(ordered) if has_verdicts else pd.DataFrame(columns=CELL_COLUMNS)
    scores = None
    if metrics is not None and len(metrics):
        keys = ["metric", "text", "method"]
        scores = metrics[METRIC_COLUMNS].sort_values(keys, kind="stable").reset_index(drop=True)
    return Study(protocol, cells, ordered, scores, source_names or {}, meta or {})


def _canonical(frame: pd.DataFrame) -> bytes:
    ordered = frame[sorted(frame.columns)]
    return str(ordered.to_csv(index=False, float_format="%.12g", lineterminator="\n")).encode()
