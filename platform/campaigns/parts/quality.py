"""How careful work is told from careless work: practice, questions before the work, checks, and rules at analysis."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms

from analysis.quality.rules import LEAST_CHECKS_FAILED, RULES, SHORT_MINUTES, Rule, Threshold
from campaigns.asking import read_tests
from campaigns.designing import PRACTICE_ITEMS, READING_SECONDS
from campaigns.fields import AskingField
from campaigns.parts.part import Part
from materials.counting import counted
from protocols import Protocol

MOST_GOLD = 20
PERCENT = 100
TESTS_HELP = (
    "A question a line, its choices below it, each behind a hyphen; the right one behind a plus sign in its place. "
)
# What only makes sense where an answer can be right.
WITH_RIGHT_ANSWERS = ("practice_needed", "gold_items")


class Row(NamedTuple):
    """One rule in the wizard: its box and its thresholds."""

    rule: Rule
    box: forms.BoundField
    thresholds: list[forms.BoundField]

    @property
    def errors(self) -> list[str]:
        return [str(error) for field in (self.box, *self.thresholds) for error in field.errors]


class RulesWidget(forms.HiddenInput):
    """Stands for the rules' own fields, which the part reads."""

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """No rule ticked is an answer too."""
        return False


class QualityPart(Part):
    key, title, after = "quality", "Quality", "design"
    layout = (
        ("practice_items", "practice_needed"),
        ("comprehension",),
        ("checks",),
        ("gold_items",),
        ("rules",),
    )
    comprehension = AskingField(
        read_tests,
        label="Questions about the instructions",
        help_text=TESTS_HELP + "Workers have two tries to get all of them right, and are screened out after that.",
    )
    checks = AskingField(
        read_tests,
        label="Attention checks",
        help_text=TESTS_HELP + "Say plainly what to choose, such as “To show that you are reading, choose ‘negative’ "
        "here.”, or ask plain nonsense. They come between the items, at other places for each worker.",
    )
    rules = forms.Field(label="Exclusion rules", required=False, widget=RulesWidget)

    class Meta(Part.Meta):
        fields = ("practice_items", "practice_needed", "comprehension", "checks", "gold_items", "rules")
        labels = {
            "practice_items": "Practice texts",
            "practice_needed": "Right practice answers to go on",
            "gold_items": "Items with a known answer, for each worker",
        }
        help_texts = {
            "practice_needed": "0 lets everybody go on. Below it there is one more try, then the worker is screened "
            "out.",
            "gold_items": "Shown with the most words, by a method that is no baseline; their answers do not enter any "
            "score.",
        }

    def __init__(self, protocol: Protocol, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(protocol, data, **kwargs)
        for name in () if protocol.has_right_answers else WITH_RIGHT_ANSWERS:
            del self.fields[name]
        chosen = self.initial.get("rules") or self.instance.rules
        for rule in self.offered():
            self.fields |= _fields(rule, chosen.get(rule.name))

    def offered(self) -> list[Rule]:
        return [one for one in RULES.values() if one.name != "gold_accuracy" or self.protocol.has_right_answers]

    def rows(self) -> list[Row]:
        return [
            Row(rule, self[_box(rule)], [self[_name(rule, one)] for one in rule.thresholds]) for rule in self.offered()
        ]

    def has_rules(self) -> bool:
        return any(row.box.value() or row.errors for row in self.rows())

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["rules"] = {rule.name: self._thresholds(rule) for rule in self.offered() if data.get(_box(rule))}
        self._check_numbers(data)
        self._check_rules(data)
        return data

    def _thresholds(self, rule: Rule) -> dict[str, float]:
        found = {}
        for one in rule.thresholds:
            value = self.cleaned_data.get(_name(rule, one))
            share = PERCENT if one.share else 1
            found[one.name] = one.default if value is None else value / share
        return found

    def _check_numbers(self, data: dict[str, Any]) -> None:
        items, needed, gold = data.get("practice_items"), data.get("practice_needed") or 0, data.get("gold_items") or 0
        if items is not None and needed > items:
            verb = "is" if items == 1 else "are"
            self.add_error("practice_needed", f"There {verb} only {counted(items, 'practice text')}.")
        if gold > MOST_GOLD:
            self.add_error("gold_items", f"At most {MOST_GOLD}: every worker meets all of them.")

    def _check_rules(self, data: dict[str, Any]) -> None:
        rules, checks = data["rules"], data.get("checks")
        if checks is not None and "failed_checks" in rules:
            self._check_failed(rules["failed_checks"]["failed"], len(checks))
        gold = rules.get("gold_accuracy")
        if gold and gold["items"] > (data.get("gold_items") or 0):
            self.add_error("rule_gold_accuracy_items", "There are fewer items with a known answer than that.")

    def _check_failed(self, failed: float, checks: int) -> None:
        """A fair rule: one failed check is a slip in a study that takes more than some minutes."""
        if failed > checks:
            self.add_error("rule_failed_checks_failed", f"There are only {checks} attention checks.")
        elif failed < LEAST_CHECKS_FAILED and self._minutes() >= SHORT_MINUTES:
            self.add_error(
                "rule_failed_checks_failed",
                f"One failed check excludes only in studies of under {SHORT_MINUTES} minutes; this one takes about "
                f"{self._minutes():.0f}. Say {LEAST_CHECKS_FAILED} or more.",
            )

    def _minutes(self) -> float:
        """As far as the rest of the wizard is filled in."""
        load, seconds = (_whole(self.data.get(name)) for name in ("most_per_worker", "seconds_per_item"))
        return ((load + PRACTICE_ITEMS) * seconds + READING_SECONDS) / 60


def _box(rule: Rule) -> str:
    return f"rule_{rule.name}"


def _name(rule: Rule, threshold: Threshold) -> str:
    return f"rule_{rule.name}_{threshold.name}"


def _fields(rule: Rule, chosen: Mapping[str, float] | None) -> Iterator[tuple[str, forms.Field]]:
    yield _box(rule), forms.BooleanField(label=rule.label, required=False, initial=chosen is not None)
    values = rule.complete(chosen or {})
    for one in rule.thresholds:
        factor = PERCENT if one.share else 1
        yield (
            _name(rule, one),
            forms.FloatField(
                label=one.label,
                required=False,
                initial=f"{factor * values[one.name]:g}",
                min_value=factor * one.least,
                max_value=factor * one.most,
                widget=forms.NumberInput(attrs={"step": "any"}),
            ),
        )


def _whole(raw: Any) -> int:
    text = str(raw or "")
    return int(text) if text.isdecimal() and len(text) < 8 else 0
