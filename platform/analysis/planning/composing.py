"""A plan: what was asked, what is taken for granted, the design that does it, and the grid around it, as one record."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from analysis.planning.assumptions import WITHOUT_POWER, Assumptions, problem
from analysis.planning.designing import BETWEEN, LEAST_FILLED, Design, Pay
from analysis.planning.powering import ALPHA, BUDGET, Rules, usual_test
from analysis.planning.searching import OUT_OF_REACH, POWER, Planned, Told, grid, narrowest, planned, smallest
from analysis.study import MARKING, PAIRWISE

Plan = dict[str, Any]
# Of the grid, where nothing is said: shares of the found number of texts, and judgments of a stimulus.
AROUND = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
JUDGMENTS = (1, 3, 5, 9)
# A part of what is simulated for the answer goes to each cell of the grid.
GRID_SHARE = 8
# Widths that are worth having, where no power is: of alpha, and of a mean rating in points.
WIDTHS = {MARKING: 0.15}
USUAL_WIDTH = 0.5


@dataclass(frozen=True)
class Asked:
    """texts: looked at one by one; none means that the fewest with the power are looked for. judgments, loads: each is
    gone through. width: of the interval, wanted instead of a power; None leaves it to the protocol."""

    assumed: Assumptions
    texts: tuple[int, ...] = ()
    judgments: tuple[int, ...] = (5,)
    loads: tuple[int, ...] = (40,)
    methods: int = 2
    allocation: str = ""
    power: float = POWER
    width: float | None = None
    alpha: float = ALPHA
    test: str = ""
    pay: Pay = Pay(hourly=8.0)
    grid: bool = False
    budget: int = BUDGET
    seed: int = 0

    @property
    def design(self) -> Design:
        """Without its texts."""
        return Design(
            texts=0,
            judgments=self.judgments[0],
            methods=1 if self.assumed.protocol == MARKING else self.methods,
            steps=self.assumed.steps,
            pairs=self.assumed.protocol == PAIRWISE,
            load=self.loads[0],
            allocation=self.allocation or (BETWEEN if self.assumed.between else LEAST_FILLED),
        )

    @property
    def rules(self) -> Rules:
        return Rules(self.alpha, self.test or usual_test(self.design), self.budget, self.seed)

    @property
    def wanted_width(self) -> float | None:
        if self.width is None and self.assumed.protocol in WITHOUT_POWER:
            return WIDTHS.get(self.assumed.protocol, USUAL_WIDTH)
        return self.width


def problem_of(asked: Asked) -> str:
    """Why nothing can be planned so; empty where all is well."""
    protocol = asked.assumed.protocol
    if protocol == MARKING and min(asked.judgments) < 2:
        return "agreement needs two judgments of a text at least"
    if protocol != MARKING and asked.methods < 2:
        return "a comparison needs two methods at least"
    return problem(asked.assumed)


def make_plan(asked: Asked, told: Told = lambda done: None) -> Plan:
    """The plan as one record, ready for JSON: fractions in 0..1, what is undefined None with a status.

    Raises ValueError where `problem_of` finds something.
    """
    if found := problem_of(asked):
        raise ValueError(found)
    designs = list(_designs(asked, told))
    best = _best(designs, asked)
    plan: Plan = {
        "protocol": asked.assumed.protocol,
        "assumptions": _assumptions(asked.assumed),
        "test": None if asked.assumed.protocol in WITHOUT_POWER else asked.rules.test,
        "correction": "holm" if asked.methods > 2 and asked.assumed.protocol not in WITHOUT_POWER else None,
        "alpha": asked.alpha,
        "wanted": {"power": None if asked.wanted_width else asked.power, "width": asked.wanted_width},
        "seed": asked.seed,
        "design": best,
        "designs": designs,
    }
    if asked.grid:
        # What was looked at more closely stands in the grid as it was found.
        closely = {_key(one): one for one in designs}
        plan["grid"] = [closely.get(_key(one), one) for one in _grid(asked, best["texts"])]
    told(1.0)
    return plan


def _designs(asked: Asked, told: Told) -> Iterator[Plan]:
    """Each that was asked for: of the given texts, or the smallest of each number of judgments and load."""
    ways = list(product(asked.loads, asked.judgments, asked.texts or (0,)))
    share = 0.7 if asked.grid else 1.0
    for at, (load, judgments, texts) in enumerate(ways):
        one = replace(asked.design, texts=texts, judgments=judgments, load=load)

        def tell(done: float, at: int = at) -> None:
            told(share * (at + done) / len(ways))

        yield describe(_plan_one(asked, one, tell))
        tell(1.0)


def _plan_one(asked: Asked, design: Design, told: Told) -> Planned:
    if design.texts:
        return planned(asked.assumed, design, asked.pay, asked.rules)
    if asked.wanted_width:
        return narrowest(asked.assumed, design, asked.pay, asked.wanted_width, asked.rules)
    return smallest(asked.assumed, design, asked.pay, power=asked.power, rules=asked.rules, told=told)


def _best(designs: list[Plan], asked: Asked) -> Plan:
    """The cheapest of those that do what is wanted; of designs that were given, where none does, the most able."""
    able = [one for one in designs if one["status"] != OUT_OF_REACH and _does(one, asked)]
    if able:
        return min(able, key=lambda one: (one["pay"], one["judgments_in_all"]))
    return max(designs, key=lambda one: (one["power"] or 0.0, -one["interval_width"]))


def _does(one: Plan, asked: Asked) -> bool:
    if not asked.texts:
        return True
    if asked.wanted_width:
        return bool(one["interval_width"] <= asked.wanted_width)
    return bool(one["power"] >= asked.power)


def _grid(asked: Asked, texts: int) -> Iterator[Plan]:
    counts = asked.texts if len(asked.texts) > 1 else tuple(sorted({max(4, round(texts * part)) for part in AROUND}))
    judgments = asked.judgments if len(asked.judgments) > 1 else _around(asked)
    cells = grid(
        asked.assumed,
        asked.design,
        asked.pay,
        texts=counts,
        judgments=judgments,
        loads=asked.loads,
        rules=replace(asked.rules, budget=max(1, asked.budget // GRID_SHARE)),
    )
    return (describe(one) for one in cells)


def _key(one: Plan) -> tuple[int, int, int]:
    return one["texts"], one["judgments"], one["load"]


def _around(asked: Asked) -> tuple[int, ...]:
    least = 2 if asked.assumed.protocol == MARKING else 1
    return tuple(sorted({*asked.judgments, *(n for n in JUDGMENTS if n >= least)}))


def describe(found: Planned) -> Plan:
    """A design with its power, width and cost."""
    design, power, cost = found.design, found.power, found.cost
    false = found.false_positives
    return {
        "texts": design.texts,
        "judgments": design.judgments,
        "methods": design.methods,
        "ks": design.steps,
        "conditions": design.conditions,
        "stimuli": design.texts * design.conditions,
        "judgments_in_all": design.total,
        "load": design.load,
        "items": design.items,
        "allocation": design.allocation,
        "workers": cost.workers,
        "minutes": cost.minutes,
        "pay": round(cost.pay, 2),
        "hourly": round(cost.hourly, 2),
        "power": power.power,
        "power_of_all": power.of_all,
        "power_error": power.error if power.power is not None else None,
        "interval_width": power.width,
        "false_positives": None if false is None else false.value,
        "false_positives_error": None if false is None else false.error,
        "simulated": power.studies,
        "status": power.status if found.status == "ok" else found.status,
    }


def _assumptions(assumed: Assumptions) -> Plan:
    found = asdict(assumed)
    del found["protocol"]
    return found | {"rest": round(assumed.rest, 6), "scale": list(assumed.scale)}
