"""A pre-registration for people: the same document in sections of names and values, on a page or as Markdown."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from analysis.quality.rules import RULES
from campaigns.models import Campaign, Registration
from campaigns.parts.plan import AGAINST, arm_label
from catalogue.metrics import METRICS
from protocols import PROTOCOLS
from recruitment import PROVIDERS

Line = tuple[str, str]
Section = tuple[str, list[Line]]
NONE = "none"
# What is long, and read by workers.
WORDING = ("question", "instructions", "consent", "content_warning", "debrief")
TOLD_ELSEWHERE = ("protocol", "protocol_version", "arms", "methods", "baselines", *WORDING)
NAMES = {
    "dataset_language": "Language of the dataset",
    "ks": "Words shown (k)",
    "texts_per_label": "Texts per label",
    "sample_seed": "Seed of the sample",
    "only_correct": "Only rightly classified texts",
    "judge_against": "A right answer names",
    "judgments_per_stimulus": "Judgments of each stimulus",
    "most_per_worker": "Most items a worker",
    "minutes_per_item": "Minutes an item may take",
    "seconds_per_item": "Seconds an item is expected to take",
    "unfinished_count": "Unfinished work counts",
    "pay_per_worker": "Pay per worker",
    "cannot_tell": "“Cannot tell” offered",
    "allocation": "Which worker meets what",
    "protocol_settings": "The protocol's own choices",
    "recruitment": "Workers come from",
    "idle_minutes": "Minutes a worker may be idle",
    "block_size": "Items between two breaks",
    "gold_items": "Items with a known answer",
    "demographics": "Questions before the work",
    "survey": "Questions after the work",
    "checks": "Attention checks",
    "comprehension": "Questions about the instructions",
}


def read_out(document: bytes) -> list[Section]:
    """All that the document says, nothing that it does not."""
    told = json.loads(document)
    plan, size = told["analysis"], told["size"]
    return [
        ("Hypotheses", [("What is expected", told["hypotheses"] or "none written down")]),
        ("Analysis", list(_plan(plan))),
        ("Size", [(_name(name), f"{n:,}") for name, n in size.items()]),
        ("Exclusion rules", list(_rules(told["exclusion_rules"])) or [("Rules", NONE)]),
        ("Design", list(_design(told["design"]))),
        ("Wording", [(_name(name), said) for name, said in told["design"].items() if name in WORDING and said]),
        ("Made by", [(name, version) for name, version in told["code"].items()]),
    ]


def as_markdown(document: bytes, registration: Registration | None) -> str:
    told = json.loads(document)
    lines = [f"# Pre-registration: {told['title']}", "", *_status(registration), ""]
    for title, found in read_out(document):
        lines += [f"## {title}", "", *(f"- **{name}**: {_indented(said)}" for name, said in found), ""]
    return "\n".join(lines)


def _status(registration: Registration | None) -> list[str]:
    if registration is None:
        return ["A draft: nothing is registered before the campaign is launched."]
    moment = registration.registered_at.strftime("%Y-%m-%d %H:%M:%S UTC")
    return [f"Registered at launch, {moment}.", "", f"SHA-256 of the JSON document: `{registration.digest}`"]


def _plan(plan: Mapping[str, Any]) -> Iterator[Line]:
    intervals = plan["intervals"]
    yield "Main measure", _words(plan["main_measure"])
    yield "Main comparisons", "; ".join(_compared(pair) for pair in plan["main_comparisons"]) or NONE
    yield "Test", plan["test"] or NONE
    yield "Correction", (plan["correction"] or NONE).capitalize()
    yield "Alpha", str(plan["alpha"])
    yield (
        "Intervals",
        f"{100 * intervals['confidence']:g} %, {intervals['method']} over {_words(intervals['over'])}, "
        f"{intervals['replicates']:,} replicates, seed {plan['seed']}",
    )
    yield (
        "Metrics to correlate with",
        ", ".join(METRICS[n].label for n in plan["correlate_with"] if n in METRICS) or NONE,
    )
    yield "Planned judgments", "unknown" if plan["planned_judgments"] is None else f"{plan['planned_judgments']:,}"
    yield "Judging goes on", plan["stopping_rule"]


def _rules(rules: Mapping[str, Mapping[str, float]]) -> Iterator[Line]:
    for name, given in rules.items():
        yield RULES[name].label, f"workers who {RULES[name].describe(given)}"


def _design(design: Mapping[str, Any]) -> Iterator[Line]:
    yield "Protocol", f"{PROTOCOLS[design['protocol']].label}, version {design['protocol_version']}"
    yield "Arms", ", ".join(arm_label(arm) for arm in design["arms"])
    for name, value in design.items():
        if name not in TOLD_ELSEWHERE and value not in ("", [], {}, None):
            yield _name(name), SAID.get(name, _said)(value)


def _compared(pair: list[str]) -> str:
    return AGAINST.join(arm_label(arm) for arm in pair)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_said, value)) or NONE
    if isinstance(value, dict):
        return "; ".join(f"{_words(name)}: {_said(one)}" for name, one in value.items())
    return str(value)


def _classifier(value: list[Any]) -> str:
    source, revision, weights, labels = value
    told = [source, revision and f"revision {revision}", weights and f"weights SHA-256 {weights}", _said(labels)]
    return "; ".join(part for part in told if part)


def _questions(asked: list[Any]) -> str:
    return " ".join(f"{number}. {one['question']}" for number, one in enumerate(asked, start=1))


# What is not read as it is stored.
SAID: dict[str, Callable[[Any], str]] = {
    "allocation": lambda value: str(Campaign.Allocation(value).label),
    "judge_against": lambda value: str(Campaign.JudgeAgainst(value).label),
    "recruitment": lambda value: PROVIDERS[value].label,
    "classifier": _classifier,
    "translations": lambda value: ", ".join(value),
    "method_params": lambda value: "; ".join(f"{arm_label(arm)}: {_said(params)}" for arm, params in value.items()),
    **dict.fromkeys(("checks", "comprehension", "demographics", "survey"), _questions),
}


def _name(field: str) -> str:
    return NAMES.get(field, _words(field).capitalize())


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", ", ")


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
