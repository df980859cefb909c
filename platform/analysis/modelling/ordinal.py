"""The cumulative logit model with crossed random intercepts of workers, texts and maps, by Laplace's approximation.

    P(y <= k) = s(c_k - x'b - u_worker - v_text),   u ~ N(0, t_0^2),  v ~ N(0, t_1^2),  s the logistic function

With two levels it is the logistic model. The random intercepts are integrated out by Laplace's approximation,

    log L = l(y | e) - |e|^2 / 2 - log|M| / 2   at the e that maximises the first two terms,

with M as in analysis/modelling/crossing.py and W = -d2 l / d eta2. It is climbed with its exact gradient; standard
errors come from differences of that gradient. Same likelihood as clmm of ordinal and glmer of lme4 (nAGQ = 1):
Christensen 2022, Cumulative Link Models for Ordinal Regression with the R Package ordinal; Bates et al. 2015,
Journal of Statistical Software 67(1) (doi:10.18637/jss.v067.i01).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logit

from analysis.arrays import FloatArray, IntArray
from analysis.modelling.crossing import MOST_GROUPS, Factored, cross
from analysis.modelling.design import Design, grouped
from analysis.modelling.fitted import Fit, Solved, as_fit, trouble, without_fit

NEWTON_STEPS = 100
STEP = 1e-5
# On the logit scale nothing real is so large: levels or terms separate the answers.
SEPARATED = 12.0


def fit_logistic(design: Design) -> Fit:
    """Of answers 0 or 1: effects are differences of log odds, for a given worker and text."""
    formula = f"glmer({design.formula(design.response)}, data = d, family = binomial)"
    return _fit("logistic", design, formula)


def fit_ordinal(design: Design) -> Fit:
    """Of ordered answers: effects are log odds of a higher answer, the same at every step of the scale."""
    formula = f"clmm({design.formula(f'factor({design.response})')}, data = d)"
    return _fit("ordinal", design, formula)


def _fit(model: str, design: Design, formula: str) -> Fit:
    status = trouble(design)
    if status == "ok" and design.n_rest > MOST_GROUPS:
        status = "too_many_groups"
    if status != "ok":
        return without_fit(model, design, formula, status)
    try:
        solved = _solve(_Likelihood(design))
    except np.linalg.LinAlgError:
        return without_fit(model, design, formula, "not_converged")
    if solved.converged and np.abs(solved.coefficients).max() > SEPARATED:
        status = "separated"
    return as_fit(model, design, formula, solved, status if solved.converged else "not_converged")


@dataclass(frozen=True)
class _Steps:
    """Where answers lie between their cut points: log p, F = s(cut - eta) of upper and lower one, and f / p of both."""

    log_p: FloatArray
    upper: FloatArray
    lower: FloatArray
    share_upper: FloatArray
    share_lower: FloatArray

    @property
    def score(self) -> FloatArray:
        """d log p / d eta."""
        return np.asarray(self.upper + self.lower - 1)

    @property
    def weight(self) -> FloatArray:
        """-d2 log p / d eta2: f of both, f = F (1 - F)."""
        return np.asarray(_slope(self.upper) + _slope(self.lower))


def _slope(share: FloatArray) -> FloatArray:
    return np.asarray(share * (1 - share))


def _bend(share: FloatArray) -> FloatArray:
    return np.asarray(share * (1 - share) * (1 - 2 * share))


def _steps(cuts: FloatArray, level: IntArray, eta: FloatArray) -> _Steps:
    """p = F_upper - F_lower = s(a) s(-b) (1 - exp(b - a)), with cut points -inf and inf at the ends."""
    ends = np.r_[-np.inf, cuts, np.inf]
    a, b = ends[level + 1] - eta, ends[level] - eta
    gap = -np.expm1(-np.diff(ends))[level]
    under_a, over_b = log_expit(a), log_expit(-b)
    upper = np.exp(log_expit(-a) - over_b) / gap
    lower = np.exp(log_expit(b) - under_a) / gap
    return _Steps(under_a + over_b + np.log(gap), expit(a), expit(b), upper, lower)


class _Likelihood:
    """Laplace's log-likelihood of parameters (first cut, log gaps of cuts, b, free scales), and its gradient."""

    def __init__(self, design: Design) -> None:
        names = list(design.groups)
        self.crossing, order = cross(list(design.groups.values()))
        self.names = [names[place] for place in order]
        self.free = np.array([grouped(design.groups[name]) for name in self.names])
        self.x, (values, level) = design.x, np.unique(design.answers, return_inverse=True)
        self.level: IntArray = level.astype(np.int64)
        self.n_cuts = len(values) - 1
        self.modes = np.zeros(sum(self.crossing.sizes))

    def start(self) -> FloatArray:
        shares = np.cumsum(np.bincount(self.level))[:-1] / len(self.level)
        cuts = logit(shares)
        scales = np.full(int(self.free.sum()), 0.5)
        return np.concatenate([cuts[:1], np.log(np.diff(cuts)), np.zeros(self.x.shape[1]), scales])

    def split(self, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Cut points, coefficients, scales."""
        cuts, rest = np.cumsum(np.r_[at[0], np.exp(at[1 : self.n_cuts])]), at[self.n_cuts :]
        scales = np.zeros(len(self.free))
        scales[self.free] = rest[self.x.shape[1] :]
        return cuts, rest[: self.x.shape[1]], scales

    def eta(self, fixed: FloatArray, along: FloatArray, modes: FloatArray) -> FloatArray:
        return np.asarray(fixed + self.crossing.spread(along * modes))

    def value(self, at: FloatArray) -> tuple[float, FloatArray]:
        """Log-likelihood and gradient. The modes found are where the next search starts."""
        cuts, b, scales = self.split(at)
        fixed = self.x @ b
        steps, factored = self._find_modes(cuts, fixed, scales)
        squares = float(self.modes @ self.modes)
        height = float(steps.log_p.sum()) - squares / 2 - factored.log_determinant / 2
        return height, self._gradient(cuts, scales, steps, factored)

    def _find_modes(self, cuts: FloatArray, fixed: FloatArray, scales: FloatArray) -> tuple[_Steps, Factored]:
        """Newton's method for the random intercepts, with halved steps; the log density is concave in them."""
        along = self.crossing.along(scales)
        steps = _steps(cuts, self.level, self.eta(fixed, along, self.modes))
        height = steps.log_p.sum() - self.modes @ self.modes / 2
        for _ in range(NEWTON_STEPS):
            factored = self.crossing.factor(scales, steps.weight)
            slopes = along * self.crossing.sums(steps.score) - self.modes
            moves = factored.solve(slopes)
            if float(slopes @ moves) < 1e-14:
                break
            for halving in range(30):
                tried = self.modes + moves / 2**halving
                steps_there = _steps(cuts, self.level, self.eta(fixed, along, tried))
                height_there = steps_there.log_p.sum() - tried @ tried / 2
                if height_there >= height - 1e-12 * abs(height):
                    break
            self.modes, steps, height = tried, steps_there, height_there
        return steps, factored

    def _gradient(self, cuts: FloatArray, scales: FloatArray, steps: _Steps, factored: Factored) -> FloatArray:
        """Of the explicit parameters, and of the modes and W that move with them (chain rule at the mode)."""
        crossing, along, leverage = self.crossing, self.crossing.along(scales), factored.leverage
        bends = _bend(steps.upper), _bend(steps.lower)
        answer = factored.solve(along * crossing.sums(-leverage * (bends[0] + bends[1])))
        drag = crossing.spread(along * answer)
        # Derivatives by the row's upper and lower cut point; by eta it is minus their sum.
        upper = steps.share_upper - (leverage * bends[0] + drag * _slope(steps.upper)) / 2
        lower = -steps.share_lower - (leverage * bends[1] + drag * _slope(steps.lower)) / 2
        by_eta = -(upper + lower)
        by_cut = np.bincount(self.level, upper, minlength=self.n_cuts + 1)[:-1]
        by_cut = by_cut + np.bincount(self.level, lower, minlength=self.n_cuts + 1)[1:]
        later = np.cumsum(by_cut[::-1])[::-1]
        gaps = np.diff(cuts)
        by_group = crossing.sums(by_eta) * self.modes - answer * crossing.sums(steps.score) / 2
        by_scale = np.array([by_group[place].sum() for place in crossing.slices]) - factored.trace_by_scale
        return np.concatenate([later[:1], later[1:] * gaps, self.x.T @ by_eta, by_scale[self.free]])


def _solve(likelihood: _Likelihood) -> Solved:
    n = len(likelihood.level)

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        height, gradient = likelihood.value(at)
        return -height / n, -gradient / n

    start = likelihood.start()
    first = np.linalg.inv(_information(likelihood, start) / n)
    options = {"gtol": 1e-7, "maxiter": 500, "hess_inv0": (first + first.T) / 2}
    end = minimize(loss, start, jac=True, method="BFGS", options=options)
    covariance, definite = _covariance(likelihood, end.x)
    # One step of Newton's: what rounding left of the way is gone, and a fit has the same digits everywhere.
    at = end.x + covariance @ likelihood.value(end.x)[1]
    height, gradient = likelihood.value(at)
    cuts, b, scales = likelihood.split(at)
    found = {
        name: float(abs(scale)) if free else None
        for name, scale, free in sorted(zip(likelihood.names, scales, likelihood.free, strict=True))
    }
    places = slice(likelihood.n_cuts, likelihood.n_cuts + len(b))
    converged = definite and float(np.abs(gradient).max()) < 1e-4 * n
    return Solved(b, covariance[places, places], tuple(map(float, cuts)), found, height, int(end.nit), converged)


def _information(likelihood: _Likelihood, at: FloatArray) -> FloatArray:
    """Of the model without random intercepts, and 1/2 a group for the scales: where the search starts from."""
    cuts, b, _ = likelihood.split(at)
    weight = _steps(cuts, likelihood.level, likelihood.x @ b).weight
    p = likelihood.x.shape[1]
    information: FloatArray = np.eye(len(at)) * weight.sum() / 2
    places = slice(likelihood.n_cuts, likelihood.n_cuts + p)
    information[places, places] = (likelihood.x * weight[:, None]).T @ likelihood.x
    return information


def _covariance(likelihood: _Likelihood, at: FloatArray) -> tuple[FloatArray, bool]:
    """Inverse of minus the second derivatives, by differences of the gradient; scales at 0 are left out of it."""
    n, here = len(at), likelihood.value(at)[1]
    curvature = np.stack([here - likelihood.value(at + shift)[1] for shift in STEP * np.eye(n)]) / STEP
    kept = np.ones(n, dtype=bool)
    kept[n - int(likelihood.free.sum()) :] = np.abs(at[n - int(likelihood.free.sum()) :]) > 1e-3
    inner = curvature[np.ix_(kept, kept)]
    inner = (inner + inner.T) / 2
    covariance = np.zeros((n, n))
    if not np.isfinite(inner).all() or np.linalg.eigvalsh(inner).min() <= 0:
        return covariance, False
    covariance[np.ix_(kept, kept)] = np.linalg.inv(inner)
    return covariance, True
