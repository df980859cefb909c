"""What may move a rating besides what was asked: the catalogue of confounds, and judgments ready for a model of them.

Word length, position, neighbours and display order moved ratings of importance in Schuff et al. 2022 (FAccT,
doi:10.1145/3531146.3533127).
"""

from dataclasses import dataclass

import pandas as pd

from analysis.modelling.design import Term
from analysis.study import COVARIATES, RANDOM, RATING, WORD_IMPORTANCE, Study

# Protocols whose answers are ratings of what was shown.
RATED = (RATING, WORD_IMPORTANCE)
# A level of fewer judgments is put with the others so rare.
FEWEST = 50
RARE = "rare"


@dataclass(frozen=True)
class Confound:
    """`unit`: what a number counts, or empty. Words are compared with `reference`, or the commonest."""

    label: str
    unit: str = ""
    is_number: bool = True
    reference: str = ""


CONFOUNDS = {
    "saliency": Confound("Saliency shown", "of the largest"),
    "saliency_rank": Confound("Rank of the saliency"),
    "saliency_before": Confound("Saliency of the word before", "of the largest"),
    "saliency_after": Confound("Saliency of the word after", "of the largest"),
    "marked_share": Confound("Share of words that are marked", "of words"),
    "marked_saliency": Confound("Mean saliency of marked words", "of the largest"),
    "marked_length": Confound("Mean length of marked words", "characters"),
    "marked_position": Confound("Mean position of marked words", "of the text"),
    "marked_capitals": Confound("Share of marked words with capitals", "of marked words"),
    "word_length": Confound("Word length", "characters"),
    "word_position": Confound("Position of the word", "words"),
    "word_frequency": Confound("Frequency of the word"),
    "polarity": Confound("Polarity of the word"),
    "capitals": Confound("Capitals", is_number=False, reference="other"),
    "dependency": Confound("Dependency relation", is_number=False),
    "sentence_length": Confound("Sentence length", "words"),
    "text_length": Confound("Text length", "words"),
    "order": Confound("Display order", "items"),
    "display": Confound("Display", is_number=False, reference="colour"),
    "method": Confound("Method", is_number=False, reference=RANDOM),
}
# Signed scores are drawn as strong for either sign; a word at the edge has no neighbour, so nothing shown.
_STRENGTHS = ("saliency", "saliency_before", "saliency_after")
_NEIGHBOURS = ("saliency_before", "saliency_after")


def confound_terms(study: Study) -> list[Term]:
    """The terms of the study's model: its covariates, and display and method where there are several."""
    judgments = study.judgments
    if study.protocol not in RATED or judgments is None or not study.covariates:
        return []
    known = {name for name in study.covariates if judgments[name].notna().any()}
    known |= {name for name in ("display", "method") if judgments[name].nunique() > 1}
    of_file = [name for name in study.covariates if name in known and name not in CONFOUNDS]
    catalogued = [Term(name, one.is_number, one.reference) for name, one in CONFOUNDS.items() if name in known]
    return catalogued + [Term(name, pd.api.types.is_numeric_dtype(judgments[name])) for name in of_file]


def ready_for_model(judgments: pd.DataFrame, terms: list[Term]) -> pd.DataFrame:
    """Columns worker, text, rating and the terms: strengths without sign, no neighbour as 0, rare levels together."""
    frame = judgments[["worker", "text"]].assign(rating=judgments["score"].astype(float))
    for term in terms:
        column = judgments[term.name]
        frame[term.name] = _as_number(column, term.name) if term.is_number else _without_rare(column)
    return frame


def label_of(name: str) -> str:
    """As pages and tables call a confound; those of a mapping file by their own names."""
    return CONFOUNDS[name].label if name in CONFOUNDS else COVARIATES.get(name, name.replace("_", " ").capitalize())


def _as_number(column: pd.Series, name: str) -> pd.Series:
    values = pd.to_numeric(column, errors="coerce").astype("Float64").astype(float)
    values = values.abs() if name in _STRENGTHS else values
    return values.fillna(0.0) if name in _NEIGHBOURS else values


def _without_rare(column: pd.Series) -> pd.Series:
    counts = column.value_counts()
    rare = set(counts.index[counts < FEWEST])
    together = 1 < len(rare) < len(counts)
    return column.map(lambda word: None if pd.isna(word) else RARE if together and word in rare else str(word))
