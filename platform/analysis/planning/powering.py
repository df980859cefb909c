"""Power of the report's own tests, and how wide its intervals will be, of one design."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from analysis.arrays import BoolArray, FloatArray
from analysis.bootstrap import CONFIDENCE
from analysis.planning.assumptions import WITHOUT_POWER, Assumptions
from analysis.planning.designing import BETWEEN, Design
from analysis.planning.flipping import sign_flip_p
from analysis.planning.marking import simulate_alpha
from analysis.planning.simulating import pair_numbers, simulate, unit_of
from analysis.study import MARKING

ALPHA = 0.05
# Simulated judgments that a figure may cost, and within which numbers of studies it stays.
BUDGET = 40_000_000
FEWEST, MOST = 100, 2000
# The report's tests of a difference that power is computed for, by its names of them.
SIGN_FLIP, CROSSED = "sign_flip", "texts_and_workers"
TESTS = (SIGN_FLIP, CROSSED)


@dataclass(frozen=True)
class Rules:
    """alpha: two-sided; test: one of TESTS; budget: simulated judgments a figure; seed: of every draw."""

    alpha: float = ALPHA
    test: str = SIGN_FLIP
    budget: int = BUDGET
    seed: int = 0


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


def usual_test(design: Design) -> str:
    """Sign flips by text take workers as they are. That is right where all workers meet all methods; where each
    method has workers of its own, or a worker may lean to one of a pair, texts and workers have to vary."""
    return CROSSED if design.pairs or design.allocation == BETWEEN else SIGN_FLIP


def power_of(assumed: Assumptions, design: Design, rules: Rules) -> Power:
    """Simulate studies of the design and test each as the report does, with Holm over all pairs of methods."""
    rng = np.random.default_rng(rules.seed)
    if assumed.protocol in WITHOUT_POWER:
        return _width_alone(assumed, design, rules.budget, rng)
    studies = studies_within(rules.budget, design)
    differences = _differences(simulate(assumed, design, studies, rng), design)
    own = [at for at, pair in enumerate(pair_numbers(design.methods)) if 1 in pair]
    df = degrees(differences, design.workers)
    if rules.test == CROSSED:
        p = crossed_p(differences.mean(axis=1), df, rng)
    else:
        p = _flipped(differences, unit_of(assumed, design))
    found = holm_rejects(p, rules.alpha)[:, own]
    # Comparisons of one study go together, so the error is over studies.
    error = float(found.mean(axis=1).std() / np.sqrt(studies)) or 1 / studies
    width = interval_width(differences[:, :, own[0]].mean(axis=1), float(df[own[0]]))
    return Power(float(found.mean()), float(found.all(axis=1).mean()), error, width, studies)


def false_findings(assumed: Assumptions, design: Design, rules: Rules) -> Rate:
    """In how many simulated studies sign flips by text find some difference although all methods are alike.

    Nominally in `alpha`; in more where workers do not cancel out.
    """
    studies = studies_within(rules.budget, design)
    scores = simulate(assumed, design, studies, np.random.default_rng(rules.seed), null=True)
    p = _flipped(_differences(scores, design), unit_of(assumed, design))
    share = float(holm_rejects(p, rules.alpha).any(axis=1).mean())
    return Rate(share, float(np.sqrt(max(share * (1 - share), rules.alpha * (1 - rules.alpha)) / studies)), studies)


def _flipped(differences: FloatArray, unit: float | None) -> FloatArray:
    """p of each comparison by text: of (studies, texts, comparisons) to (studies, comparisons)."""
    p = [sign_flip_p(differences[:, :, column], unit) for column in range(differences.shape[2])]
    return np.stack(p, axis=1)


def degrees(differences: FloatArray, workers: int) -> FloatArray:
    """Degrees of freedom of the variance of each mean of (studies, texts, comparisons): (comparisons,).

    The variance over texts is that of the differences by text; what the mean scatters more over studies is the
    workers'. Their sum has Satterthwaite's degrees, as in `analysis.scoring.drawing`; at least 1.
    """
    texts = differences.shape[1]
    of_texts = differences.var(axis=1).mean(axis=0) / max(1, texts - 1)
    shared = np.maximum(0.0, differences.mean(axis=1).var(axis=0) - of_texts)
    parts = of_texts**2 / max(1, texts - 1) + shared**2 / max(1, workers - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = (of_texts + shared) ** 2 / parts
    return np.asarray(np.maximum(1.0, np.nan_to_num(df, nan=1.0)))


def crossed_p(means: FloatArray, df: FloatArray, rng: np.random.Generator) -> FloatArray:
    """p of `analysis.ranking.comparing.wald_test` of each mean difference, (studies, comparisons).

    The variance over texts and workers that the report takes from resampling is known here: it is that of the mean
    over studies. It is made as uncertain as one with df degrees of freedom, (comparisons,), times chi2 / df.
    """
    errors = means.std(axis=0) * np.sqrt(rng.chisquare(df, means.shape) / df)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * student.sf(np.abs(means) / errors, df)
    return np.asarray(np.nan_to_num(p, nan=1.0))


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


def interval_width(estimates: FloatArray, df: float = np.inf) -> float:
    """Width of the 95 % interval of what each study estimates, (studies,): 2 t times its spread over studies.

    Studies differ in texts and in workers, so this is how wide an interval over texts and workers has to be.
    t is Student's with these degrees of freedom, as in `analysis.scoring.drawing`.
    """
    return float(2 * student.ppf((1 + CONFIDENCE) / 2, df) * np.nanstd(estimates))
