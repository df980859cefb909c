"""A plan in words and tables, for the command and for its page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analysis.planning.assumptions import GRADED
from analysis.planning.composing import Plan
from analysis.planning.piloting import Pilot
from analysis.planning.powering import CROSSED, SIGN_FLIP
from analysis.study import MARKING, PAIRWISE
from reports.palette import method_label
from reports.tabulating import MISSING

WHY_NO_POWER = {
    "methods_not_ranked": (
        "Rated importance says how important words look under a map, not how good the map is, so no difference between "
        "methods is tested; what can be planned is how exactly a mean rating is known."
    ),
    "no_methods_compared": "No methods are compared; what can be planned is how exactly agreement is known.",
}
TESTS = {
    SIGN_FLIP: "by text, where the signs of whole texts are flipped",
    CROSSED: "over texts and workers, Student's t with the variance of both",
}
UNKNOWN = {
    "text": "how much texts differ",
    "text_method": "how much maps of one text differ",
    "worker": "how much workers differ",
    "seconds": "how long an item takes",
    "votes": "how many votes a verdict is of (five are taken)",
}

# Widths that are simulated are known to some per cent.
NOISE_OF_WIDTHS = 1.05


@dataclass(frozen=True)
class Money:
    currency: str
    least_hourly: float


def answer(plan: Plan, money: Money) -> str:
    """The one sentence that a plan is for."""
    one = plan["design"]
    cost = f"for {amount(one['pay'])} {money.currency} before fees"
    size = (
        f"{counted(one['texts'], 'text')}, judged {times(one['judgments'])} each"
        f"{_under(one)}, by {counted(one['workers'], 'worker')} of {counted(one['items'], 'item')}"
    )
    width = plan["wanted"]["width"]
    if one["status"] == "out_of_reach" and width:
        return (
            f"No design of this kind gives an interval {span(plan, width)} wide: even {size}, give one "
            f"{span(plan, one['interval_width'])} wide."
        )
    if one["power"] is None:
        return f"{size}, give an interval {span(plan, one['interval_width'])} wide of {_estimated(plan)}, {cost}."
    if one["status"] == "out_of_reach":
        return (
            f"No design of this kind reaches a power of {percent(plan['wanted']['power'])}: even {size}, have "
            f"{percent(one['power'])}."
        )
    return f"{size}, find {effect_of(plan)} with a power of {percent(one['power'])}, {cost}."


def _under(one: Plan) -> str:
    if one["conditions"] == 1:
        return ""
    ks = f" ({one['methods']} methods at {one['ks']} numbers of words)" if one["ks"] > 1 else ""
    return f" under each of {one['conditions']} conditions{ks}"


def _estimated(plan: Plan) -> str:
    return "Krippendorff's alpha over words" if plan["protocol"] == MARKING else "a method's mean rating"


def effect_of(plan: Plan) -> str:
    assumed = plan["assumptions"]
    better = assumed["base"] + assumed["effect"]
    if plan["protocol"] == PAIRWISE:
        return f"that one method wins {score(plan, better)} of the comparisons instead of half of them"
    both = f"{score(plan, assumed['base'])} against {score(plan, better)}"
    return f"a difference of {span(plan, abs(assumed['effect']))} ({both})"


def notes(plan: Plan, money: Money) -> list[str]:
    """What is to be known of the answer: test, intervals, noise, where the figures come from."""
    return [sentence for sentence in _notes(plan, money) if sentence]


def _notes(plan: Plan, money: Money) -> Iterator[str]:
    one = plan["design"]
    if one["power"] is None:
        yield WHY_NO_POWER[plan["design"]["status"]] if one["status"] in WHY_NO_POWER else ""
    else:
        yield _test(plan)
        yield (
            f"The 95 % interval of the {'win rate' if plan['protocol'] == PAIRWISE else 'difference'}, over texts and "
            f"workers, is expected to be {span(plan, one['interval_width'])} wide."
        )
        yield _noise(plan)
    yield (
        f"A worker takes {one['minutes']:.0f} minutes, with practice and reading, and never meets a text twice; all "
        f"judgments then need {one['workers']:,} workers at least. Those who drop out or are excluded come on top."
    )
    yield f"Taken for granted: {plan['assumptions']['source']}."


def _test(plan: Plan) -> str:
    one = plan["design"]
    comparisons = one["methods"] * (one["methods"] - 1) // 2
    said = f"The test is the report's own: {TESTS[plan['test']]}, two-sided, at {plan['alpha']:g}"
    if comparisons == 1:
        return said + "."
    return (
        f"{said}, adjusted by Holm over all {comparisons} pairs of methods. One method is better than all others, "
        f"which are alike; the power is that of one comparison, and {percent(one['power_of_all'])} is that of all "
        f"{one['methods'] - 1} at once."
    )


def _noise(plan: Plan) -> str:
    one = plan["design"]
    return (
        f"{one['simulated']:,} studies were simulated: the power is known to ± {200 * one['power_error']:.1f} points. "
        f"Where methods are alike, the test by text finds a difference in {percent(one['false_positives'], 1)} of them "
        f"(± {200 * one['false_positives_error']:.1f}; nominal {percent(plan['alpha'])})."
        + (f" {_who(plan)}, so the test over texts and workers is planned for." if plan["test"] == CROSSED else "")
    )


def warnings(plan: Plan, money: Money) -> list[str]:
    return [sentence for sentence in _warnings(plan, money) if sentence]


def _warnings(plan: Plan, money: Money) -> Iterator[str]:
    one = plan["design"]
    if plan["test"] == SIGN_FLIP and anti_conservative(one, plan["alpha"]):
        yield (
            f"The test by text takes workers as they are. {_who(plan)}, so it finds differences that are not there in "
            f"{percent(one['false_positives'])} of the studies instead of {percent(plan['alpha'])}, and the power is "
            "that much too good. Plan for the test over texts and workers."
        )
    if one["hourly"] < money.least_hourly:
        yield (
            f"{amount(one['hourly'])} {money.currency} an hour is less than the minimum of "
            f"{amount(money.least_hourly)}: raise the pay."
        )
    wanted = plan["wanted"]["power"]
    if one["status"] == "ok" and wanted and one["power"] + 2 * one["power_error"] < wanted:
        yield f"This design does not reach the wanted power of {percent(wanted)}."
    width = plan["wanted"]["width"]
    if one["status"] != "out_of_reach" and width and one["interval_width"] > NOISE_OF_WIDTHS * width:
        yield f"This design gives no interval {span(plan, width)} wide, as is wanted."


def anti_conservative(one: Plan, alpha: float) -> bool:
    false = one["false_positives"]
    return false is not None and bool(false > alpha + 3 * one["false_positives_error"])


def _who(plan: Plan) -> str:
    if plan["protocol"] == PAIRWISE:
        return "A worker who leans to one method does so on every text"
    if plan["design"]["allocation"] == "between":
        return "Each method has workers of its own, who differ anyhow"
    return "What a worker brings along comes back on every text"


def pilot_notes(pilot: Pilot) -> list[str]:
    """What the pilot showed, and what it could not show."""
    found = [
        f"From the pilot: {method_label(pilot.reference) if pilot.reference else 'all'} scores "
        f"{pilot.scores[pilot.reference]:.3g}; {pilot.n_texts:,} texts"
        + (f", {pilot.n_workers:,} workers, {pilot.n_judgments:,} judgments." if pilot.n_judgments else ".")
    ]
    name, ahead = pilot.best
    if name != pilot.reference:
        found.append(
            f"There {method_label(name)} is {ahead:.3g} ahead. That is not what is planned for: the difference of a "
            "pilot is uncertain, and the largest of several too large. Plan for the smallest one worth finding."
        )
    if pilot.unknown:
        missing = ", ".join(UNKNOWN[name] for name in pilot.unknown)
        found.append(f"The pilot does not tell {missing}: taken as by default.")
    return found


@dataclass(frozen=True)
class Head:
    name: str
    label: str


def heads(plan: Plan) -> list[Head]:
    """Of the table of designs; a column that is the same everywhere and said above is left out."""
    rows = [*plan["designs"], *plan.get("grid", [])]
    several = len({row["items"] for row in rows}) > 1
    found = [Head("texts", "Texts"), Head("judgments", "Judgments each")]
    found += [] if plan["design"]["power"] is None else [Head("power", "Power")]
    found += [Head("interval_width", "Interval width"), Head("pay", "Pay"), Head("workers", "Workers")]
    found += [Head("items", "Items a worker")] if several else []
    return [*found, Head("minutes", "Minutes each")]


def cell(plan: Plan, row: Plan, head: Head) -> str:
    value: Any = row[head.name]
    if value is None:
        return MISSING
    if head.name == "pay":
        return amount(value)
    if head.name == "minutes":
        return f"{value:.0f}"
    if head.name == "power":
        return percent(value)
    return span(plan, value) if head.name == "interval_width" else f"{value:,}"


def score(plan: Plan, value: float) -> str:
    if plan["protocol"] in GRADED:
        return f"{value:.3g}"
    return percent(value, 0 if round(100 * value, 6) == round(100 * value) else 1)


def span(plan: Plan, value: float) -> str:
    """A difference or a width: points of a share, points of a scale, or alpha."""
    if plan["protocol"] == MARKING:
        return f"{value:.2f}"
    if plan["protocol"] in GRADED:
        return f"{value:.2g} points"
    points = round(100 * value, 6)
    shown = f"{points:.0f}" if points == round(points) or points >= 10 else f"{points:.1f}"
    return f"{shown} point{'' if shown == '1' else 's'}"


def percent(value: float, digits: int = 0) -> str:
    return f"{100 * value:.{digits}f} %"


def amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:,.2f}"


def counted(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")
