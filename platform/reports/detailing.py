"""What the reports of some protocols tell beside the score of each method. Pure: no database, no files."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.agreement.coefficients import Agreement, krippendorff_alpha, percent_agreement
from analysis.agreement.marking import Marks, count_marks
from analysis.arrays import FloatArray
from analysis.scoring.accuracy import wilson
from analysis.study import MARKING, PAIRWISE, REVEAL, STIMULUS, Study
from protocols.rationale_marking import words_of
from reports.measures import MEASURES
from reports.measuring import Scores, Settings, summarise_columns

Section = dict[str, Any]


def describe_revealing(study: Study, scores: Scores, settings: Settings) -> dict[str, Section]:
    """By method: the share of right answers, and how many words right answers needed; means over texts.

    Empty for other protocols, and for files that do not say how many words were seen.
    """
    if study.protocol != REVEAL or study.judgments is None:
        return {}
    rows = study.judgments.assign(
        right=(study.judgments["score"] > 0).astype(float),
        words=study.judgments["words_needed"].astype("Float64").astype(float),
    )
    right = _summed(rows, "right", scores, settings)
    words = _summed(rows[(rows["right"] > 0) & rows["words"].notna()], "words", scores, settings)
    return {
        method: {"share_right": right[column], "words_needed": words[column]}
        for column, method in enumerate(scores.methods)
    }


def describe_displays(study: Study, scores: Scores, settings: Settings) -> list[Section]:
    """Each method's score under each display, where the study has several; best first within a display."""
    judgments = study.judgments
    if judgments is None or judgments.loc[judgments["display"] != "", "display"].nunique() < 2:
        return []
    rows = []
    for display, own in judgments[judgments["display"] != ""].groupby("display", sort=True):
        found = _summed(own[own["score"].notna()], "score", scores, settings)
        told = [
            {"display": str(display), "method": method, **found[column]}
            for column, method in enumerate(scores.methods)
            if found[column]["value"] is not None
        ]
        rows += sorted(told, key=lambda row: (-row["value"] if MEASURES[study.protocol].ranked else 0, row["method"]))
    return rows


def describe_pairs(study: Study, settings: Settings) -> list[Section]:
    """Of each pair how often its first method won, a tie being half; mean over texts, interval over texts."""
    answers = study.answers
    if study.protocol != PAIRWISE or answers is None:
        return []
    rows = []
    for (method, other), own in answers.groupby(["method", "other"], sort=True):
        by_text = own.groupby("text", sort=True)["score"].mean().to_numpy(dtype=float)[:, None]
        [value], intervals = summarise_columns(by_text, settings)
        ties = float((own["score"] == 0.5).mean())
        row: Section = {"method": str(method), "other": str(other), "value": float(value)}
        rows.append(row | {"ci": [float(bound) for bound in intervals[:, 0]], "ties": ties, "n": len(own)})
    return rows


def describe_sides(study: Study) -> Section | None:
    """How often what stood on the left was preferred, ties left aside: half, but for a habit. Wilson's interval."""
    answers = study.answers
    if study.protocol != PAIRWISE or answers is None or answers["left"].isna().all():
        return None
    left = answers["left"].dropna().astype(int)
    share = wilson(int(left.sum()), len(left))
    return {"left": float(share.value), "ci": [float(share.low), float(share.high)], "n": share.n}


def _summed(rows: pd.DataFrame, column: str, scores: Scores, settings: Settings) -> list[Section]:
    """Mean over texts of each text's mean, by method in the order of `scores`; interval over texts."""
    means = rows.groupby(["text", "method"], sort=True)[column].mean().unstack()
    by_text: FloatArray = means.reindex(index=scores.texts, columns=scores.methods).to_numpy(dtype=float)
    values, intervals = summarise_columns(by_text, settings)
    return [
        {
            "value": float(value) if np.isfinite(value) else None,
            "ci": [float(low), float(high)] if np.isfinite([low, high]).all() else None,
            "n": int(np.isfinite(by_text[:, place]).sum()),
        }
        for place, (value, low, high) in enumerate(zip(values, *intervals, strict=True))
    ]


def agreement_on_words(study: Study, settings: Settings) -> list[Agreement]:
    """Per cent agreement and alpha over words, each marked or not; intervals resample stimuli.

    Empty for other protocols, and for files that do not say how many words there were.
    """
    answers = study.answers
    if study.protocol != MARKING or answers is None or answers.empty or answers["words_in_all"].isna().any():
        return []
    stimuli = [_marks(own) for _, own in answers.groupby(STIMULUS, dropna=False, sort=True)]
    ratings = count_marks(stimuli, int(answers["worker"].nunique()))
    options = {"replicates": settings.replicates, "seed": settings.seed}
    return [percent_agreement(ratings, **options), krippendorff_alpha(ratings, "nominal", **options)]


def describe_marking(study: Study) -> Section | None:
    """How much workers mark; None for other protocols. Shares are means over judgments."""
    answers = study.answers
    if study.protocol != MARKING or answers is None or answers.empty or answers["words_in_all"].isna().any():
        return None
    marked = answers["label"].map(lambda label: len(words_of(label))).to_numpy(dtype=float)
    words = answers["words_in_all"].to_numpy(dtype=float)
    shares = np.divide(marked, words, out=np.zeros_like(marked), where=words > 0)
    return {
        "n_texts": int(answers["text"].nunique()),
        "mean_words": float(marked.mean()),
        "mean_share": float(shares.mean()),
        "nothing": float((marked == 0).mean()),
    }


def _marks(own: pd.DataFrame) -> Marks:
    return int(own["words_in_all"].max()), [words_of(label) for label in own["label"]]
