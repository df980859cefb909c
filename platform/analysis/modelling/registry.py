"""The mixed models by name: one signature, one line here.

`fit(design) -> Fit`: deterministic, whatever the order of rows.
"""

from collections.abc import Callable
from dataclasses import dataclass

from analysis.modelling.design import Design
from analysis.modelling.fitted import Fit
from analysis.modelling.linear import fit_linear
from analysis.modelling.ordinal import fit_logistic, fit_ordinal


@dataclass(frozen=True)
class Model:
    """`scale`: what an effect is measured in. `in_r`: the function and package that fit the same model."""

    label: str
    fit: Callable[[Design], Fit]
    scale: str
    estimation: str
    in_r: str


MODELS = {
    "linear": Model(
        "Linear mixed model", fit_linear, "points", "restricted maximum likelihood (REML)", "lmer of lme4"
    ),
    "logistic": Model(
        "Logistic mixed model", fit_logistic, "log odds", "maximum likelihood, Laplace's approximation", "glmer of lme4"
    ),
    "ordinal": Model(
        "Cumulative logit mixed model", fit_ordinal, "log odds", "maximum likelihood, Laplace's approximation",
        "clmm of ordinal",
    ),
}  # fmt: skip
