"""What a mixed model says: effects with intervals, how much workers and texts differ, and whether to believe it."""

from dataclasses import dataclass, field

import numpy as np
from scipy.stats import chi2, norm

from analysis.arrays import FloatArray
from analysis.modelling.design import Coded, Design

CONFIDENCE = 0.95
# What no floating point number tells from 0 is this at most; a p of 0 there is not.
LEAST_P = float(np.finfo(float).tiny)
AT_ZERO = 1e-4


@dataclass(frozen=True)
class Effect:
    """One column's effect on the model's scale, with its Wald interval and two-sided p by the normal distribution."""

    column: Coded
    estimate: float
    standard_error: float
    ci: tuple[float, float]
    p: float


@dataclass(frozen=True)
class Joint:
    """Wald test of all columns of one term together."""

    term: str
    chi2: float
    df: int
    p: float


@dataclass(frozen=True)
class Fit:
    """A fitted model; without effects where `status` is not "ok".

    status: ok, too_few_judgments, constant_answers, no_terms, too_many_groups, separated, not_converged.
    sd: standard deviation of the random intercepts of worker, text and map, and of the residual, on the model's scale;
    None where it is not estimated. at_zero: groupings whose standard deviation came out as 0.
    log_likelihood: restricted for the linear model, by Laplace's approximation for the others.
    """

    model: str
    status: str
    n: int
    n_workers: int
    n_texts: int
    formula: str
    effects: tuple[Effect, ...] = ()
    joint: tuple[Joint, ...] = ()
    intercepts: tuple[float, ...] = ()
    sd: dict[str, float | None] = field(default_factory=dict)
    at_zero: tuple[str, ...] = ()
    log_likelihood: float | None = None
    iterations: int = 0
    left_out: dict[str, str] = field(default_factory=dict)
    n_incomplete: int = 0
    n_maps: int | None = None


@dataclass(frozen=True)
class Solved:
    """What an estimation found: coefficients (p,) with covariance (p, p), and the rest of a Fit."""

    coefficients: FloatArray
    covariance: FloatArray
    intercepts: tuple[float, ...]
    scales: dict[str, float | None]
    log_likelihood: float
    iterations: int
    converged: bool


def trouble(design: Design) -> str:
    """Why no model can be fitted, or "ok"."""
    if not design.columns:
        return "no_terms"
    if design.n <= len(design.columns) + 3:
        return "too_few_judgments"
    return "constant_answers" if np.ptp(design.answers) == 0 else "ok"


def without_fit(model: str, design: Design, formula: str, status: str) -> Fit:
    facts = (design.n, design.n_workers, design.n_texts)
    return Fit(
        model, status, *facts, formula, left_out=design.left_out, n_incomplete=design.n_incomplete, n_maps=design.n_maps
    )


def as_fit(model: str, design: Design, formula: str, solved: Solved, status: str) -> Fit:
    """A Fit of what was solved, with effects where the status is "ok"."""
    if status != "ok":
        return without_fit(model, design, formula, status)
    at_zero = tuple(name for name, scale in solved.scales.items() if scale is not None and scale < AT_ZERO)
    return Fit(
        model,
        status,
        design.n,
        design.n_workers,
        design.n_texts,
        formula,
        _effects(design, solved),
        _joint(design, solved),
        solved.intercepts,
        {name: 0.0 if name in at_zero else scale for name, scale in solved.scales.items()},
        at_zero,
        solved.log_likelihood,
        solved.iterations,
        design.left_out,
        design.n_incomplete,
        design.n_maps,
    )


def _effects(design: Design, solved: Solved) -> tuple[Effect, ...]:
    width = float(norm.ppf((1 + CONFIDENCE) / 2))
    errors = np.sqrt(np.diag(solved.covariance))
    return tuple(
        Effect(column, float(b), float(se), (float(b - width * se), float(b + width * se)), _two_sided(b / se))
        for column, b, se in zip(design.columns, solved.coefficients, errors, strict=True)
    )


def _joint(design: Design, solved: Solved) -> tuple[Joint, ...]:
    """b' V^-1 b of each term, chi squared with as many degrees of freedom as it has columns."""
    tests = []
    for term in design.terms:
        own = [place for place, column in enumerate(design.columns) if column.term == term.name]
        b, covariance = solved.coefficients[own], solved.covariance[np.ix_(own, own)]
        statistic = float(b @ np.linalg.solve(covariance, b))
        tests.append(Joint(term.name, statistic, len(own), max(float(chi2.sf(statistic, len(own))), LEAST_P)))
    return tuple(tests)


def _two_sided(z: float) -> float:
    return max(float(2 * norm.sf(abs(z))), LEAST_P)
