"""Power of the report's own test, and how wide its intervals will be, of one design."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from analysis.arrays import BoolArray, FloatArray
from analysis.bootstrap import CONFIDENCE
from analysis.planning.assumptions import WITHOUT_POWER, Assumptions
from analysis.planning.designing import Design
from analysis.planning.flipping import sign_flip_p
from analysis.planning.marking import simulate_alpha
from analysis.planning.simulating import pair_numbers, simulate, unit_of
from analysis.study import MARKING

ALPHA = 0.05
# Simulated judgments that a figure may cost, and within which numbers of studies it stays.
BUDGET = 40_000_000
FEWEST, MOST = 200, 2000


@dataclass(frozen=True)
class Power:
    """power: chance that one comparison of the better method is found, after Holm's correction where there are several;
    of_all: that all of them are, each with every other method; error: standard error of `power` by simulation.
    width: of the 95 % interval of one difference, in the units of the score. studies: simulated.
    status: ok; or why there is no power, and then `width` is that of one method's mean, or of alpha.
    """

    power: float | None
    of_all: float | None
    error: float
    width: float
    studies: int
    status: str = "ok"


class Rate(NamedTuple):
    """A share of `studies` simulated ones, with its standard error."""

    value: float
    error: float
    studies: int

    def exceeds(self, nominal: float) -> bool:
        """By more than simulation explains."""
        return self.value > nominal + 3 * self.error


def power_of(
    assumed: Assumptions, design: Design, *, alpha: float = ALPHA, budget: int = BUDGET, seed: int = 0
) -> Power:
    """Simulate studies of the design and test each as the report does: sign flips by text, Holm over all pairs."""
    if assumed.protocol in WITHOUT_POWER:
        return _width_alone(assumed, design, budget, np.random.default_rng(seed))
    studies = studies_within(budget, design)
    differences = _differences(simulate(assumed, design, studies, np.random.default_rng(seed)), design)
    own = [at for at, pair in enumerate(pair_numbers(design.methods)) if 1 in pair]
    found = _found(differences, unit_of(assumed, design), alpha)[:, own]
    # Comparisons of one study go together, so the error is over studies.
    error = float(found.mean(axis=1).std() / np.sqrt(studies)) or 1 / studies
    width = interval_width(differences[:, :, own[0]].mean(axis=1))
    return Power(float(found.mean()), float(found.all(axis=1).mean()), error, width, studies)


def false_findings(
    assumed: Assumptions, design: Design, *, alpha: float = ALPHA, budget: int = BUDGET, seed: int = 0
) -> Rate:
    """In how many simulated studies some difference is found although all methods are alike; nominally in `alpha`."""
    studies = studies_within(budget, design)
    scores = simulate(assumed, design, studies, np.random.default_rng(seed), null=True)
    any_found = _found(_differences(scores, design), unit_of(assumed, design), alpha).any(axis=1)
    share = float(any_found.mean())
    return Rate(share, float(np.sqrt(max(share * (1 - share), alpha * (1 - alpha)) / studies)), studies)


def _found(differences: FloatArray, unit: float | None, alpha: float) -> BoolArray:
    """Which comparisons of (studies, texts, comparisons) are significant after correction."""
    p = [sign_flip_p(differences[:, :, column], unit) for column in range(differences.shape[2])]
    return holm_rejects(np.stack(p, axis=1), alpha)


def _width_alone(assumed: Assumptions, design: Design, budget: int, rng: np.random.Generator) -> Power:
    """Of alpha over marked words, or of the mean of the first method."""
    if assumed.protocol == MARKING:
        studies = int(np.clip(budget // (design.total * assumed.words), 100, MOST))
        values = simulate_alpha(assumed, design, studies, rng)
    else:
        studies = studies_within(budget, design)
        values = simulate(assumed, design, studies, rng, null=True)[:, :, 0].mean(axis=1)
    return Power(None, None, 0.0, interval_width(values), studies, WITHOUT_POWER[assumed.protocol])


def studies_within(budget: int, design: Design) -> int:
    return int(np.clip(budget // design.total, FEWEST, MOST))


def _differences(scores: FloatArray, design: Design) -> FloatArray:
    """(studies, texts, comparisons), over all pairs of methods in the order of `pair_numbers`."""
    if design.pairs:
        return scores - 0.5
    pairs = pair_numbers(design.methods)
    return scores[:, :, [a for a, _ in pairs]] - scores[:, :, [b for _, b in pairs]]


def holm_rejects(p: FloatArray, alpha: float) -> BoolArray:
    """What Holm's step-down procedure rejects in each row of p values."""
    order = np.argsort(p, axis=1, kind="stable")
    limits = alpha / np.arange(p.shape[1], 0, -1)
    passed = np.logical_and.accumulate(np.take_along_axis(p, order, axis=1) <= limits, axis=1)
    rejected = np.empty_like(passed)
    np.put_along_axis(rejected, order, passed, axis=1)
    return rejected


def interval_width(estimates: FloatArray) -> float:
    """Width of the 95 % interval of what each study estimates, (studies,): 2 z times its spread over studies.

    Studies differ in texts and in workers, so this is how wide an interval over texts and workers has to be.
    """
    z = float(norm.ppf((1 + CONFIDENCE) / 2))
    return float(2 * z * np.nanstd(estimates))
