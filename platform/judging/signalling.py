"""What the answers of a campaign's workers say about how they were given, and whom its rules exclude."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import F, Func, IntegerField, QuerySet

from analysis.quality.rules import broken_rules, reading_speed
from analysis.quality.signals import Signals, Work, read_signals
from campaigns.designing import count_words
from campaigns.models import Campaign, SampledText, Stimulus
from campaigns.recognising import protocol_of
from judging.models import CheckAnswer, Judgment
from judging.screening import is_right
from protocols import Answer, Protocol

BATCH = 2000
# Of a stimulus that hides words; null for any other. Counted by the database: contents are large.
WORDS_SHOWN = Func(
    F("content"),
    template="jsonb_array_length(jsonb_path_query_array(%(expressions)s -> 'words', '$[*] ? (@ != null)'))",
    output_field=IntegerField(),
)
FIELDS = ("answer", "response_ms", "active_ms", "shown", "assignment__stimulus__role", "assignment__stimulus__expected")


def signals_of(campaign: Campaign, workers: Collection[int] | None = None) -> dict[int, Signals]:
    """By participation, of those who judged or were checked; of these `workers` alone where they are given.

    A constant number of queries.
    """
    speed = reading_speed(campaign.rules)
    return {worker: read_signals(work, speed) for worker, work in _works(campaign, workers)}


def excluded_by_rule(campaign: Campaign, workers: Collection[int] | None = None) -> dict[int, list[str]]:
    """By participation, the rules it breaks; those that break none are left out. Nothing is asked without rules."""
    if not campaign.rules:
        return {}
    found = {worker: broken_rules(campaign.rules, one) for worker, one in signals_of(campaign, workers).items()}
    return {worker: names for worker, names in found.items() if names}


class _Row(NamedTuple):
    """A judgment. `role` is that of its stimulus."""

    worker: int
    stimulus: int
    answer: Answer
    response_ms: int | None
    active_ms: int | None
    shown: Mapping[str, Any]
    role: str
    expected: str


def _works(campaign: Campaign, workers: Collection[int] | None) -> Iterator[tuple[int, Work]]:
    """One worker after the other, so that no more than one's judgments are in memory."""
    protocol = protocol_of(campaign)
    judgments = _judgments(campaign, workers)
    words = _words(campaign, judgments if workers is not None else None)
    checks = _checks(campaign, workers)
    for worker, rows in groupby(map(_Row._make, _rows(judgments)), lambda row: row.worker):
        yield worker, _work(protocol, list(rows), words, checks.pop(worker, []))
    for worker, answered in checks.items():
        yield worker, Work(checks=answered)


def _work(protocol: Protocol, rows: Sequence[_Row], words: Mapping[int, int], checks: Sequence[bool]) -> Work:
    items = [row for row in rows if row.role != SampledText.Role.GOLD]
    known = [is_right(protocol, row.answer, row.expected) for row in rows if row.role == SampledText.Role.GOLD]
    return Work(
        labels=[protocol.label_of(row.answer) for row in items],
        words=[words[row.stimulus] for row in items],
        response_ms=[row.response_ms for row in items],
        active_ms=[row.active_ms for row in items],
        away_ms=[None if row.response_ms is None else row.shown.get("away_ms", 0) for row in items],
        away_count=[row.shown.get("away_count", 0) for row in items],
        checks=checks,
        gold=[right for right in known if right is not None],
    )


def _judgments(campaign: Campaign, workers: Collection[int] | None) -> QuerySet[Judgment]:
    if workers is not None:
        return Judgment.objects.filter(assignment__participation__in=workers)
    return Judgment.objects.filter(assignment__participation__campaign=campaign)


def _rows(judgments: QuerySet[Judgment]) -> Iterable[tuple[Any, ...]]:
    """By worker, in the order of answering: as `_Row`."""
    fields = ("assignment__participation_id", "assignment__stimulus_id", *FIELDS)
    ordered = judgments.order_by("assignment__participation_id", "pk")
    return ordered.values_list(*fields).iterator(chunk_size=BATCH)


def _words(campaign: Campaign, judgments: QuerySet[Judgment] | None) -> dict[int, int]:
    """By stimulus, how many words are on screen: those shown where some are hidden, otherwise all of its text's."""
    stimuli = Stimulus.objects.filter(campaign=campaign)
    if judgments is not None:
        stimuli = stimuli.filter(pk__in=judgments.values("assignment__stimulus"))
    found = list(stimuli.values_list("pk", "text_id", WORDS_SHOWN))
    whole = {text for _, text, shown in found if shown is None}
    counts = dict(_counts(campaign, whole)) if whole else {}
    return {pk: counts[text] if shown is None else shown for pk, text, shown in found}


def _counts(campaign: Campaign, texts: Collection[int]) -> Iterator[tuple[int, int]]:
    rows = campaign.dataset.texts.filter(pk__in=texts).values_list("pk", "content", "language")
    for pk, content, language in rows.iterator(chunk_size=BATCH):
        yield pk, count_words(content, language or campaign.dataset.language)


def _checks(campaign: Campaign, workers: Collection[int] | None) -> dict[int, list[bool]]:
    rows = CheckAnswer.objects.filter(participation__campaign=campaign)
    if workers is not None:
        rows = rows.filter(participation__in=workers)
    found: dict[int, list[bool]] = defaultdict(list)
    for worker, right in rows.order_by("check_number").values_list("participation_id", "right"):
        found[worker].append(right)
    return found
