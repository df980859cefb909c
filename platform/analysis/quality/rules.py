"""Exclusion rules: written down before the first answer, applied to the signals of each worker at analysis.

`rules` anywhere is {name of the rule: {threshold: value}}; a threshold that is left out stands at its default.
An undefined signal breaks no rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analysis.quality.signals import WORDS_PER_MINUTE, Signals

Thresholds = Mapping[str, float]
Rules = Mapping[str, Thresholds]
# Prolific's rule: in a study of under 5 minutes one failed attention check is enough to reject, in a longer one two
# are needed (researcher-help.prolific.com, "Attention and comprehension checks").
SHORT_MINUTES = 5
LEAST_CHECKS_FAILED = 2


@dataclass(frozen=True)
class Threshold:
    """A number of a rule; `share` ones are in 0..1."""

    name: str
    label: str
    default: float
    least: float
    most: float
    share: bool = False


@dataclass(frozen=True)
class Rule:
    """`broken(signals, thresholds)` with all thresholds filled in. `sentence` says of whom it is true."""

    name: str
    label: str
    sentence: str
    thresholds: tuple[Threshold, ...]
    broken: Callable[[Signals, Thresholds], bool]

    def complete(self, given: Thresholds) -> dict[str, float]:
        return {one.name: float(given.get(one.name, one.default)) for one in self.thresholds}

    def describe(self, given: Thresholds) -> str:
        """The sentence with its numbers; shares as percentages."""
        values = self.complete(given)
        return self.sentence.format(
            **{
                one.name: f"{100 * values[one.name]:g} %" if one.share else f"{values[one.name]:g}"
                for one in self.thresholds
            }
        )


def _at_least(value: float | None, least: float) -> bool:
    return value is not None and value >= least


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "too_fast",
            "Too fast",
            "read at least {share} of the items faster than {words_per_minute} words a minute",
            (
                Threshold("share", "Share of items, in percent", 0.5, 0.01, 1, share=True),
                Threshold("words_per_minute", "Faster than, in words a minute", WORDS_PER_MINUTE, 100, 10_000),
            ),
            lambda signals, at: _at_least(signals.too_fast, at["share"]),
        ),
        Rule(
            "straight_lining",
            "Straight-lining",
            "gave one answer to at least {share} of {items} items or more",
            (
                Threshold("share", "Share of equal answers, in percent", 0.95, 0.5, 1, share=True),
                Threshold("items", "Of at least so many items", 10, 2, 1000),
            ),
            lambda signals, at: signals.items >= at["items"] and _at_least(signals.same_answer, at["share"]),
        ),
        Rule(
            "long_run",
            "The same answer in a row",
            "gave the same answer at least {run} times in a row",
            (Threshold("run", "Times in a row", 20, 3, 1000),),
            lambda signals, at: signals.longest_run >= at["run"],
        ),
        Rule(
            "low_entropy",
            "Hardly varying answers",
            "gave answers with an entropy of under {bits} bits over {items} items or more",
            (
                Threshold("bits", "Under, in bits", 0.2, 0.01, 5),
                Threshold("items", "Of at least so many items", 10, 2, 1000),
            ),
            lambda signals, at: (
                signals.items >= at["items"] and signals.entropy is not None and signals.entropy < at["bits"]
            ),
        ),
        Rule(
            "failed_checks",
            "Failed attention checks",
            "failed {failed} attention checks or more",
            (Threshold("failed", "Failed checks", LEAST_CHECKS_FAILED, 1, 20),),
            lambda signals, at: signals.checks > 0 and signals.failed_checks >= at["failed"],
        ),
        Rule(
            "gold_accuracy",
            "Wrong on items with a known answer",
            "got under {share} of {items} or more items with a known answer right",
            (
                Threshold("share", "Right answers under, in percent", 0.5, 0.01, 1, share=True),
                Threshold("items", "Of at least so many", 3, 1, 100),
            ),
            lambda signals, at: (
                signals.gold >= at["items"]
                and signals.gold_accuracy is not None
                and signals.gold_accuracy < at["share"]
            ),
        ),
        Rule(
            "away",
            "Away from the page",
            "spent at least {share} of the time with another page in front",
            (Threshold("share", "Share of the time, in percent", 0.5, 0.01, 1, share=True),),
            lambda signals, at: _at_least(signals.away_share, at["share"]),
        ),
    )
}


def broken_rules(rules: Rules, signals: Signals) -> list[str]:
    """The names of the rules by which this worker is excluded, in the order of `RULES`; empty where none."""
    return [name for name, rule in RULES.items() if name in rules and rule.broken(signals, rule.complete(rules[name]))]


def reading_speed(rules: Rules) -> float:
    """Words a minute above which nobody reads: as the rule has it, or the default."""
    return RULES["too_fast"].complete(rules.get("too_fast", {}))["words_per_minute"]
