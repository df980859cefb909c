"""What the answers of a campaign's workers say about how they were given, and whom its rules exclude."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from analysis.quality.rules import broken_rules, reading_speed
from analysis.quality.signals import Signals, Work, read_signals
from campaigns.designing import count_words
from campaigns.models import Campaign, SampledText, Stimulus
from judging.models import CheckAnswer, Judgment
from judging.screening import is_right
from protocols import PROTOCOLS

BATCH = 2000
FIELDS = ("answer", "response_ms", "active_ms", "shown", "assignment__stimulus__role", "assignment__stimulus__expected")


@dataclass
class _Gathered:
    """One worker's work, as it is read row by row."""

    items: list[tuple[str, int, float | None, float | None, float | None, int]] = field(default_factory=list)
    gold: list[bool] = field(default_factory=list)
    checks: list[bool] = field(default_factory=list)

    def work(self) -> Work:
        labels, words, whole, active, away, count = zip(*self.items, strict=True) if self.items else ((),) * 6
        return Work(labels, words, whole, active, away, count, self.checks, self.gold)


def signals_of(campaign: Campaign, workers: Collection[int] | None = None) -> dict[int, Signals]:
    """By participation, of those who judged or were checked; of these `workers` alone where they are given.

    A constant number of queries.
    """
    speed = reading_speed(campaign.rules)
    return {worker: read_signals(found.work(), speed) for worker, found in _gather(campaign, workers).items()}


def excluded_by_rule(campaign: Campaign, workers: Collection[int] | None = None) -> dict[int, list[str]]:
    """By participation, the rules it breaks; those that break none are left out. Nothing is asked without rules."""
    if not campaign.rules:
        return {}
    found = {worker: broken_rules(campaign.rules, one) for worker, one in signals_of(campaign, workers).items()}
    return {worker: names for worker, names in found.items() if names}


def _gather(campaign: Campaign, workers: Collection[int] | None) -> dict[int, _Gathered]:
    protocol = PROTOCOLS[campaign.protocol]
    judgments = _judgments(campaign, workers)
    words = _words(campaign, judgments if workers is not None else None)
    found: dict[int, _Gathered] = defaultdict(_Gathered)
    for worker, stimulus, answer, response, active, shown, role, expected in _rows(judgments):
        if role == SampledText.Role.GOLD:
            right = is_right(protocol, answer, expected)
            found[worker].gold += [] if right is None else [right]
        else:
            away = shown.get("away_ms", 0) if response is not None else None
            label = protocol.label_of(answer)
            found[worker].items.append((label, words[stimulus], response, active, away, shown.get("away_count", 0)))
    for worker, right in _checks(campaign, workers):
        found[worker].checks.append(right)
    return found


def _judgments(campaign: Campaign, workers: Collection[int] | None) -> QuerySet[Judgment]:
    if workers is not None:
        return Judgment.objects.filter(assignment__participation__in=workers)
    return Judgment.objects.filter(assignment__participation__campaign=campaign)


def _rows(judgments: QuerySet[Judgment]) -> Iterable[tuple[Any, ...]]:
    """In the order of answering; whose it is and of which stimulus, then `FIELDS`."""
    fields = ("assignment__participation_id", "assignment__stimulus_id", *FIELDS)
    return judgments.order_by("pk").values_list(*fields).iterator(chunk_size=BATCH)


def _words(campaign: Campaign, judgments: QuerySet[Judgment] | None) -> dict[int, int]:
    """By stimulus, how many words are on screen: those shown where some are hidden, otherwise all of its text's."""
    stimuli = Stimulus.objects.filter(campaign=campaign)
    if judgments is not None:
        stimuli = stimuli.filter(pk__in=judgments.values("assignment__stimulus"))
    counts: dict[int, int] = {}
    found = {}
    texts = campaign.dataset.texts.filter(pk__in=stimuli.values("text")).values_list("pk", "content", "language")
    contents = {pk: (content, language or campaign.dataset.language) for pk, content, language in texts}
    for pk, text, shown in stimuli.values_list("pk", "text_id", "content__words").iterator(chunk_size=BATCH):
        if shown is not None:
            found[pk] = sum(word is not None for word in shown)
        else:
            counts[text] = counts[text] if text in counts else count_words(*contents[text])
            found[pk] = counts[text]
    return found


def _checks(campaign: Campaign, workers: Collection[int] | None) -> Iterator[tuple[int, bool]]:
    rows = CheckAnswer.objects.filter(participation__campaign=campaign)
    if workers is not None:
        rows = rows.filter(participation__in=workers)
    yield from rows.order_by("check_number").values_list("participation_id", "right")
