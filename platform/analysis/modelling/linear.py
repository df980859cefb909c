"""The linear mixed model with crossed random intercepts, by restricted maximum likelihood (REML).

    y = X b + u_worker + v_text + e,   u ~ N(0, s^2 t_0^2),  v ~ N(0, s^2 t_1^2),  e ~ N(0, s^2)
    -2 log REML = log|M| + log|X'V^-1 X| + (n - p) (1 + log(2 pi r / (n - p))),   r = y'V^-1 y - b'X'V^-1 y
    V = I + Z L^2 Z',  V^-1 = I - Z L M^-1 L Z'

M as in analysis/modelling/crossing.py. s and b are profiled out, which leaves the scales to find. Same model and
criterion as lmer of lme4: Bates et al. 2015, Journal of Statistical Software 67(1) (doi:10.18637/jss.v067.i01).
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from analysis.arrays import FloatArray
from analysis.modelling.crossing import MOST_GROUPS, cross
from analysis.modelling.design import Design, grouped
from analysis.modelling.fitted import Fit, Solved, as_fit, trouble, without_fit

# Scales beyond this leave no residual to speak of: everybody gives the same answer to everything.
LARGEST = 100.0
# A slope of the criterion below this a judgment is its minimum.
FLAT = 1e-6


def fit_linear(design: Design) -> Fit:
    """Effects on the scale of the response. Intervals are Wald's, by the normal distribution.

    With few workers or texts they are somewhat short: no degrees of freedom are estimated, as lmerTest would.
    """
    formula = f"lmer({design.formula(design.response)}, data = d)"
    status = trouble(design)
    if status == "ok" and design.n_rest > MOST_GROUPS:
        status = "too_many_groups"
    if status != "ok":
        return without_fit("linear", design, formula, status)
    try:
        solved = _solve(design)
    except np.linalg.LinAlgError:
        return without_fit("linear", design, formula, "not_converged")
    return as_fit("linear", design, formula, solved, "ok" if solved.converged else "not_converged")


class _Profiled:
    """The criterion as a function of the free scales; all sums over rows are taken once."""

    def __init__(self, design: Design) -> None:
        names = list(design.groups)
        self.crossing, order = cross(list(design.groups.values()))
        self.names = [names[place] for place in order]
        self.free = np.array([grouped(design.groups[name]) for name in self.names])
        rows = np.column_stack([np.ones(design.n), design.x, design.answers])
        self.products, self.degrees = rows.T @ rows, design.n - rows.shape[1] + 1
        self.sums = self.crossing.sums(rows)
        self.ones = np.ones(design.n)

    def scales(self, free: FloatArray) -> FloatArray:
        scales = np.zeros(len(self.free))
        scales[self.free] = free
        return scales

    def per_judgment(self, free: FloatArray) -> tuple[float, FloatArray]:
        point = self.at(free)
        return point.criterion / self.degrees, point.slope / self.degrees

    def at(self, free: FloatArray) -> "_Point":
        scales = self.scales(free)
        factored = self.crossing.factor(scales, self.ones)
        scaled = self.crossing.along(scales)[:, None] * self.sums
        # L Z'V^-1 of all columns: what is left of them in each group.
        left = factored.solve(scaled)
        products = self.products - scaled.T @ left
        inner, outer = products[:-1, :-1], products[:-1, -1]
        factor = cho_factor(inner, lower=True)
        coefficients = cho_solve(factor, outer)
        residual = float(products[-1, -1] - coefficients @ outer)
        spread = residual / self.degrees
        of_terms = 2 * float(np.log(np.diag(factor[0])).sum())
        criterion = factored.log_determinant + of_terms + self.degrees * (1 + np.log(2 * np.pi * spread))
        inverse = cho_solve(factor, np.eye(len(inner)))
        slope = 2 * factored.trace_by_scale
        for place, groups in enumerate(self.crossing.slices):
            own = left[groups]
            unexplained = own[:, -1] - own[:, :-1] @ coefficients
            explained = float((own[:, :-1] @ inverse * own[:, :-1]).sum()) + float(unexplained @ unexplained) / spread
            slope[place] -= 2 * explained / scales[place] if scales[place] else 0.0
        return _Point(float(criterion), slope[self.free], coefficients, inverse, float(np.sqrt(spread)))


class _Point(NamedTuple):
    """-2 log REML and its slope, coefficients with the intercept first, (X'V^-1 X)^-1, and s."""

    criterion: float
    slope: FloatArray
    coefficients: FloatArray
    inverse: FloatArray
    residual: float


def _solve(design: Design) -> Solved:
    profiled = _Profiled(design)
    free, iterations = np.full(int(profiled.free.sum()), 0.5), 0
    if len(free):
        end = minimize(
            profiled.per_judgment,
            free,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, LARGEST)] * len(free),
            options={"gtol": 1e-10, "ftol": 1e-15},
        )
        free, iterations = end.x, int(end.nit)
    point = profiled.at(free)
    found = dict(zip(profiled.names, (abs(float(s)) * point.residual for s in profiled.scales(free)), strict=True))
    known = dict(zip(profiled.names, profiled.free, strict=True))
    scales: dict[str, float | None] = {name: found[name] if known[name] else None for name in design.groups}
    return Solved(
        point.coefficients[1:],
        point.residual**2 * point.inverse[1:, 1:],
        (float(point.coefficients[0]),),
        scales | {"residual": point.residual},
        -point.criterion / 2,
        iterations,
        bool(np.abs(point.slope).max(initial=0.0) < FLAT * design.n),
    )
