"""A study: the judgments or verdicts of one evaluation, in one shape, whichever file or database they came from."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import pandas as pd

from analysis.scoring.voting import majority_verdicts

TOPK_GUESS = "topk_guess"
REVEAL = "reveal"
RATING = "rating"
PAIRWISE = "pairwise"
WORD_IMPORTANCE = "word_importance"
MARKING = "rationale_marking"
SIMULATION = ("forward_simulation", "counterfactual_simulation")
# Labels of texts or anything else, by people whom nobody showed an explanation, or nobody knows which.
LABELS = "labels"
PROTOCOL_NAMES = (TOPK_GUESS, REVEAL, RATING, PAIRWISE, WORD_IMPORTANCE, *SIMULATION, MARKING, LABELS)
WITHOUT_SCORES = (MARKING,)
RANDOM = "random"
NO_EXPLANATION = "no_explanation"

CELL_COLUMNS = ["text", "method", "k", "recognised", "n"]
JUDGMENT_COLUMNS = [
    "text", "method", "k", "worker", "label", "expected", "score", "late", "response_ms",
]  # fmt: skip
# What judgments may have besides, and what stands for it where they do not: the second method of a pair, how scores
# were drawn, whether a row is the other side of a pair, how many words were seen and could be, whether what stood on
# the left was preferred, whether the first method stood there, and the ratings that other questions got, as JSON.
EXTRA_COLUMNS: dict[str, Any] = {
    "other": "", "display": "", "mirrored": 0, "words_needed": pd.NA, "words_in_all": pd.NA, "left": pd.NA,
    "first_left": pd.NA, "beside": "",
}  # fmt: skip
# What may move an answer besides what was asked, by the name that it has in every study that knows it. Positions, ranks
# and the order count from 1, but for files that say otherwise.
COVARIATES = {
    "saliency": "score of the word asked about, over the largest; or the saturation it was drawn with",
    "saliency_rank": "rank of that score among the words, or its share",
    "saliency_before": "score of the word before it",
    "saliency_after": "score of the word after it",
    "marked_share": "share of the text's words that are marked",
    "marked_saliency": "mean size of the score of marked words, over the largest",
    "marked_length": "mean characters of marked words",
    "marked_position": "mean position of marked words, from 0 at the start of the text to 1",
    "marked_capitals": "share of marked words that begin with a capital",
    "word_length": "characters of the word asked about",
    "word_position": "which word of the sentence, or of the text, it is",
    "word_frequency": "how frequent the word is in its language",
    "polarity": "sentiment of the word, from -1 to 1",
    "capitals": "all_upper, first_upper or other",
    "dependency": "what the word is to the one that it depends on",
    "sentence_length": "words of the sentence",
    "text_length": "words of the text",
    "order": "which of the worker's items it was",
}
TEXT_COLUMNS = ["text", "content", "language"]
# What was judged: judgments that agree in these were given of one stimulus.
STIMULUS = ["text", "method", "other", "k", "display"]
METRIC_COLUMNS = ["text", "method", "metric", "value"]


@dataclass(frozen=True)
class Study:
    """What a report is made of.

    cells: one row per (text, method, k) with the majority verdict `recognised` (0 or 1) and `n` votes
    (missing where only verdicts were published); empty for ratings.
    judgments: one row per judgment that counts, and of pairs one for either side; None where only verdicts are known.
    `score` is 1 or 0 for a guess, the rating itself for a rating, 1, 0.5 or 0 for a side of a pair, missing where
    answers have none; `k` is missing where the protocol has none.
    metrics: automatic scores, one row per (text, method, metric); None where there are none.
    source_names: our method name to the name in the source.
    everybody: the same with the judgments of those workers too whom the exclusion rules exclude; None where they
    exclude nobody, and then `judgments` are all.
    participants: how many came, and what became of them; None where only the judgments are known.
    level: of measurement of the labels, where the file says it; empty where it is the protocol's.
    covariates: columns that the judgments have besides, which may have moved the answers (see COVARIATES).
    texts: one row per text whose words or language are known; None where only names are.
    notices: what reading the file has to tell, each a code for programs and a sentence for people.
    design: what workers were asked and shown, and under which conditions; None where only the judgments are known.
    registration: what was said of it before the first answer, with its hash; None where nothing was.
    """

    protocol: str
    cells: pd.DataFrame
    judgments: pd.DataFrame | None = None
    metrics: pd.DataFrame | None = None
    source_names: dict[str, str] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    everybody: "Study | None" = None
    participants: dict[str, Any] | None = None
    level: str = ""
    covariates: tuple[str, ...] = ()
    texts: pd.DataFrame | None = None
    notices: tuple[tuple[str, str], ...] = ()
    design: dict[str, Any] | None = None
    registration: dict[str, Any] | None = None

    @property
    def methods(self) -> list[str]:
        """None where the judgments are of no method."""
        rows = self.cells if self.judgments is None else self.judgments
        return sorted(method for method in rows["method"].unique() if method)

    @cached_property
    def answers(self) -> pd.DataFrame | None:
        """The judgments as they were given: pairs once."""
        return None if self.judgments is None else self.judgments[self.judgments["mirrored"] == 0]

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
    level: str = "",
    covariates: tuple[str, ...] = (),
) -> Study:
    """A study of raw judgments, in canonical order; with majority verdicts where answers can be right at some k."""
    missing = {name: value for name, value in EXTRA_COLUMNS.items() if name not in judgments.columns}
    complete = judgments.assign(**missing)[[*JUDGMENT_COLUMNS, *EXTRA_COLUMNS, *covariates]]
    if protocol == PAIRWISE:
        complete = pd.concat([complete, mirrored(complete[complete["mirrored"] == 0])])
        complete = complete.drop_duplicates([*STIMULUS, "worker"])
    ordered = complete.sort_values([*STIMULUS, "worker"], kind="stable").reset_index(drop=True)
    at_some_k = ordered[ordered["k"].notna()]
    has_verdicts = protocol == TOPK_GUESS and len(at_some_k) > 0
    cells = majority_verdicts(at_some_k) if has_verdicts else pd.DataFrame(columns=CELL_COLUMNS)
    scores = None
    if metrics is not None and len(metrics):
        keys = ["metric", "text", "method"]
        scores = metrics[METRIC_COLUMNS].sort_values(keys, kind="stable").reset_index(drop=True)
    return Study(protocol, cells, ordered, scores, source_names or {}, meta or {}, level=level, covariates=covariates)


def in_order(covariates: Iterable[str]) -> list[str]:
    """As COVARIATES has them, and others behind: the same study from wherever has them in the same order."""
    known = list(COVARIATES)
    return sorted(covariates, key=lambda name: known.index(name) if name in known else len(known))


def mirrored(pairs: pd.DataFrame) -> pd.DataFrame:
    """The same judgments of pairs, seen from the second method: what one side wins the other loses."""
    sides = {"method": pairs["other"], "other": pairs["method"], "score": 1 - pairs["score"]}
    return pairs.assign(**sides, mirrored=1)


def _canonical(frame: pd.DataFrame) -> bytes:
    ordered = frame[sorted(frame.columns)]
    return str(ordered.to_csv(index=False, float_format="%.12g", lineterminator="\n")).encode()
