"""Which mixed models a study's report fits, on which rows, and how they are told. Pure: no database, no files."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.modelling.confounds import confound_terms, ready_for_model
from analysis.modelling.design import Design, Term, build_design
from analysis.modelling.fitted import Effect, Fit
from analysis.modelling.registry import MODELS
from analysis.ranking.comparing import holm
from analysis.study import NO_EXPLANATION, RANDOM, RATING, REVEAL, SIMULATION, TOPK_GUESS, Study

Row = dict[str, Any]
# Ratings of more different values are taken for points of a continuous scale.
MOST_LEVELS = 11


class Asked(NamedTuple):
    """A model to fit: `key` is its section, `answer` the column of `frame` that it explains by `terms`."""

    key: str
    model: str
    answer: str
    frame: pd.DataFrame
    terms: list[Term]

    @property
    def design(self) -> Design:
        return build_design(self.frame, self.answer, self.terms)


def of_methods(study: Study) -> Asked | None:
    """Answers by method, and by number of words shown and display where there are several; None where nothing is asked.

    Pairs have Bradley and Terry's model, and ratings of one word that of confounds.
    """
    judgments = study.judgments
    if judgments is None or study.protocol not in (TOPK_GUESS, *SIMULATION, RATING, REVEAL):
        return None
    scored = judgments[judgments["score"].notna()]
    if study.protocol == TOPK_GUESS:
        scored = scored[scored["k"].notna()]
    if scored["method"].nunique() < 2:
        return None
    answer, model = _answer_and_model(study.protocol, scored)
    frame = scored[["worker", "text"]].assign(map=scored["text"] + " " + scored["method"], method=scored["method"])
    frame[answer] = scored["score"].astype(float)
    terms = [Term("method", reference=_reference(scored))]
    for name in ("k", "display"):
        if scored[name].dropna().nunique() > 1:
            frame[name] = "k" + scored[name].astype(str).str.zfill(2) if name == "k" else scored[name]
            terms.append(Term(name, reference=min(frame[name].unique())))
    return Asked("models", model, answer, frame, terms)


def of_confounds(study: Study) -> Asked | None:
    """Ratings by what may have moved them; None where nothing of that is known."""
    terms = confound_terms(study)
    if not terms or study.judgments is None:
        return None
    scored = study.judgments[study.judgments["score"].notna()]
    frame = ready_for_model(scored, terms)
    few = frame["rating"].nunique() <= MOST_LEVELS
    return Asked("confounds", "ordinal" if few else "linear", "rating", frame, terms)


def _answer_and_model(protocol: str, scored: pd.DataFrame) -> tuple[str, str]:
    if protocol == RATING:
        return "rating", "ordinal" if scored["score"].nunique() <= MOST_LEVELS else "linear"
    return ("score", "linear") if protocol == REVEAL else ("right", "logistic")


def _reference(scored: pd.DataFrame) -> str:
    """Random where there is such an arm; otherwise the arm without an explanation, or the commonest."""
    return next((name for name in (RANDOM, NO_EXPLANATION) if (scored["method"] == name).any()), "")


def describe_fit(asked: Asked) -> Row:
    """The fit as report.json has it. `effects` is empty where `status` is not "ok"."""
    fit = MODELS[asked.model].fit(asked.design)
    section: Row = {
        "model": fit.model,
        "answer": asked.answer,
        "formula": fit.formula,
        "status": fit.status,
        "n": fit.n,
        "n_incomplete": fit.n_incomplete,
        "n_workers": fit.n_workers,
        "n_texts": fit.n_texts,
        "n_maps": fit.n_maps,
        "scale": MODELS[fit.model].scale,
        "estimation": MODELS[fit.model].estimation,
        "effects": _effects(fit),
        "terms": [vars(test) for test in fit.joint],
        "left_out": fit.left_out,
    }
    if fit.status == "ok":
        section |= {"sd": fit.sd, "sd_at_zero": list(fit.at_zero), "intercepts": list(fit.intercepts)}
        section |= {"log_likelihood": fit.log_likelihood, "iterations": fit.iterations}
    return {name: _rounded(value) for name, value in section.items()}


def _effects(fit: Fit) -> list[Row]:
    rows = [_effect(effect, fit.model) for effect in fit.effects]
    of_methods = [row for row in rows if row["term"] == "method"]
    adjusted = holm(np.array([row["p"] for row in of_methods]))
    for row, p in zip(of_methods, adjusted, strict=True):
        row["p_adjusted"] = float(p)
    return rows


def _effect(effect: Effect, model: str) -> Row:
    """`per` is what a number has to rise by for the effect: one standard deviation."""
    column = effect.column
    row: Row = {
        "term": column.term,
        "level": column.level or None,
        "reference": column.reference or None,
        "per": column.spread,
        "estimate": effect.estimate,
        "standard_error": effect.standard_error,
        "ci": list(effect.ci),
        "p": effect.p,
    }
    if model != "linear":
        row |= {"odds_ratio": _odds(effect.estimate), "odds_ratio_ci": [_odds(end) for end in effect.ci]}
    return row


def _rounded(value: Any) -> Any:
    """To seven digits: later ones differ with the number of threads, and the same data should have the same bytes."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def _odds(log_odds: float) -> float:
    return float(np.exp(log_odds))
