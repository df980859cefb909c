"""The smallest design that reaches the wanted power, and the grid around it."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, ndtri

from analysis.planning.assumptions import Assumptions
from analysis.planning.designing import Cost, Design, Pay
from analysis.planning.powering import Power, Rate, Rules, false_findings, power_of

POWER = 0.8
OUT_OF_REACH = "out_of_reach"
FEWEST_TEXTS, MOST_TEXTS = 4, 5000
# Up to so many texts the test's p values are so few that power grows by leaps.
FEW = 25
START, MOST_STEPS = 60, 6


@dataclass(frozen=True)
class Planned:
    """A design with its power and cost; `false_positives`: how often sign flips by text find what is not there.

    status: ok; OUT_OF_REACH where even the most texts have too little power.
    """

    design: Design
    power: Power
    cost: Cost
    false_positives: Rate | None = None
    status: str = "ok"


# Called with what is done, from 0 to 1, after each design that was simulated.
Told = Callable[[float], object]


def smallest(
    assumed: Assumptions,
    design: Design,
    pay: Pay,
    *,
    power: float = POWER,
    rules: Rules,
    told: Told = lambda done: None,
) -> Planned:
    """The fewest texts with which the design, otherwise as it is given, has the power.

    Power grows with texts as Phi(d sqrt(texts) - z), nearly: d comes from all that was simulated near the wanted power,
    so that the noise of one simulation decides nothing; few texts are tried one by one. What is found is simulated
    anew, and texts are added until that power is not below the wanted one by more than its noise.
    """
    known: dict[int, float] = {}

    def at(texts: int) -> float:
        if texts not in known:
            found = power_of(assumed, replace(design, texts=texts), replace(rules, seed=rules.seed + texts))
            known[texts] = found.power or 0.0
            told(min(0.8, len(known) / 8))
        return known[texts]

    again = replace(rules, budget=2 * rules.budget, seed=rules.seed + MOST_TEXTS)
    texts = _settle(at, _approach(at, known, power, rules.alpha), power)
    best = planned(assumed, replace(design, texts=texts), pay, again)
    while best.design.texts < MOST_TEXTS and (found := best.power.power or 0.0) < power - 2 * best.power.error:
        more = max(best.design.texts + 1, _guess({best.design.texts: found}, power, rules.alpha))
        best = planned(assumed, replace(design, texts=min(MOST_TEXTS, more)), pay, again)
    told(1.0)
    short = best.design.texts == MOST_TEXTS and (best.power.power or 0.0) < power
    return replace(best, status=OUT_OF_REACH) if short else best


def planned(assumed: Assumptions, design: Design, pay: Pay, rules: Rules) -> Planned:
    """One design with its power, its cost, and how often sign flips by text would find what is not there."""
    found = power_of(assumed, design, replace(rules, seed=rules.seed + 1))
    null = None
    if found.power is not None:
        null = false_findings(assumed, design, replace(rules, seed=rules.seed + 2))
    return Planned(design, found, pay.of(design, assumed.seconds), null)


def narrowest(assumed: Assumptions, design: Design, pay: Pay, width: float, rules: Rules) -> Planned:
    """The fewest texts with which the interval is no wider; its width shrinks as 1 / sqrt(texts), nearly."""
    texts = START
    for step in range(3):
        found = power_of(assumed, replace(design, texts=texts), replace(rules, seed=rules.seed + step)).width
        texts = min(MOST_TEXTS, max(FEWEST_TEXTS, math.ceil(texts * (found / width) ** 2)))
    best = planned(assumed, replace(design, texts=texts), pay, replace(rules, seed=rules.seed + MOST_TEXTS))
    short = texts == MOST_TEXTS and best.power.width > 1.05 * width
    return replace(best, status=OUT_OF_REACH) if short else best


def _approach(at: Callable[[int], float], known: Mapping[int, float], wanted: float, alpha: float) -> int:
    """Simulate where the power is thought to be as wanted, until that moves by less than 2 %."""
    texts = START
    for _ in range(MOST_STEPS):
        at(texts)
        guess = min(MOST_TEXTS, max(FEWEST_TEXTS, _guess(known, wanted, alpha)))
        if abs(guess - texts) <= 0.02 * texts:
            return guess
        texts = guess
    return texts


def _guess(known: Mapping[int, float], wanted: float, alpha: float) -> int:
    """Texts with d sqrt(texts) = z_power + z_alpha."""
    distance = distance_of_one(known, wanted, alpha)
    return math.ceil(((float(ndtri(wanted)) - float(ndtri(alpha / 2))) / distance) ** 2)


def distance_of_one(known: Mapping[int, float], near: float, alpha: float) -> float:
    """d of power = Phi(d sqrt(texts) - z): how far one text moves the test, in its standard errors.

    known: simulated powers by texts; d is a mean over them, which counts most what is near this power.
    """
    z = float(-ndtri(alpha / 2))
    distances, weights = [], []
    for texts, found in known.items():
        power = min(max(found, 1.2 * alpha), 0.999)
        distances.append((float(ndtri(power)) + z) / texts**0.5)
        weights.append(max(1e-6, 1 - abs(power - near) / (1 - alpha)) ** 8)
    return float(np.average(distances, weights=weights))


def power_at(texts: float, distance: float, alpha: float) -> float:
    """Phi(d sqrt(texts) - z), the power by the curve that `distance_of_one` is of."""
    return float(ndtr(distance * texts**0.5 + ndtri(alpha / 2)))


def _settle(at: Callable[[int], float], texts: int, wanted: float) -> int:
    while FEWEST_TEXTS < texts <= FEW and at(texts - 1) >= wanted:
        texts -= 1
    return texts


def grid(
    assumed: Assumptions,
    design: Design,
    pay: Pay,
    *,
    texts: Iterable[int],
    judgments: Iterable[int],
    loads: Iterable[int] = (),
    rules: Rules,
) -> Iterator[Planned]:
    """Power and cost of every combination of texts, judgments per stimulus and items per worker.

    How many workers there are follows from these: they are what a load leaves over.
    """
    for load in loads or [design.load]:
        for number in judgments:
            for count in texts:
                one = replace(design, texts=count, judgments=number, load=load)
                found = power_of(assumed, one, rules)
                yield Planned(one, found, pay.of(one, assumed.seconds))
