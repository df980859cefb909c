"""The marks of a campaign become its texts' rationales, with which plausibility metrics compare maps."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from django.db import transaction

from analysis.plausibility.gathering import HALF, Span, agreed_spans, marked_shares
from campaigns.models import Campaign, Place, SampledText
from campaigns.recognising import protocol_of
from catalogue.metrics import METRICS, RATIONALE
from judging.models import Judgment
from materials.models import MetricScore, Text
from recruitment.linking import SIMULATED

COMPARING = [name for name, metric in METRICS.items() if metric.needs == RATIONALE]


class TakingError(Exception):
    """Why marks cannot be taken, and what to do."""


class Conflict(TakingError):
    """Texts have other rationales already, and nobody said that these may go."""

    def __init__(self, keys: list[str]) -> None:
        named = ", ".join(keys[:3]) + (", …" if len(keys) > 3 else "")
        have = "1 text has another rationale" if len(keys) == 1 else f"{len(keys):,} texts have other rationales"
        super().__init__(f"{have} already ({named})")


@dataclass
class Gathered:
    """`rationales` by text, empty where too few people agree on any word.

    `short`: texts that fewer than `least` people marked.
    """

    rationales: dict[int, list[Span]] = field(default_factory=dict)
    short: int = 0
    least: int = 1

    @property
    def empty(self) -> int:
        return sum(not spans for spans in self.rationales.values())


def gather(campaign: Campaign, share: float = HALF, least: int | None = None) -> Gathered:
    """What people agree on, of texts that at least `least` people marked: as many as the campaign asks for, if nothing
    is said.

    Judgments that do not count and those of simulated workers are left out.
    """
    if not protocol_of(campaign).marks:
        raise TakingError(f"Workers of {campaign} mark no words: only a campaign in which they do has rationales.")
    found = Gathered(least=least or campaign.judgments_per_stimulus)
    for text_id, content, words, marks in _marks(campaign):
        if len(marks) >= found.least:
            found.rationales[text_id] = agreed_spans(marked_shares(marks, len(words)), words, content, share)
    found.short = campaign.sample.filter(role=SampledText.Role.ITEM).count() - len(found.rationales)
    return found


def _marks(campaign: Campaign) -> Iterator[tuple[int, str, list[list[int]], list[list[int]]]]:
    """Of each text: its id, its content, the offsets of its words, and the numbers that each person marked."""
    counted = Judgment.objects.filter(
        assignment__stimulus__campaign=campaign,
        assignment__stimulus__role=SampledText.Role.ITEM,
        place__state=Place.State.FILLED,
    ).exclude(assignment__participation__parameters__has_key=SIMULATED)
    rows = counted.order_by("assignment__text_id", "id").values_list(
        "assignment__text_id", "assignment__stimulus__content", "answer"
    )
    for text_id, group in groupby(rows.iterator(), key=lambda row: row[0]):
        answers = list(group)
        shown = answers[0][1]
        yield text_id, shown["text"], shown["words"], [answer["words"] for _, _, answer in answers]


def replaced(gathered: Gathered) -> list[str]:
    """The keys of the texts whose rationale would become another."""
    texts = Text.objects.filter(pk__in=gathered.rationales, rationale__isnull=False)
    return [text.key for text in texts if text.rationale != gathered.rationales[text.pk]]


def take(campaign: Campaign, gathered: Gathered, overwrite: bool = False) -> int:
    """Write them; answers how many texts have new ones. TakingError where others would be lost without `overwrite`.

    Scores that compared maps with the rationale before go too: they are computed anew by the next run.
    """
    if not gathered.rationales:
        raise TakingError(f"No text has marks of {gathered.least} people yet: wait for more, or ask for fewer people.")
    with transaction.atomic():
        texts = list(Text.objects.select_for_update(no_key=True).filter(pk__in=gathered.rationales))
        others = replaced(gathered)
        if others and not overwrite:
            raise Conflict(others)
        changed = [text for text in texts if text.rationale != gathered.rationales[text.pk]]
        for text in changed:
            text.rationale = gathered.rationales[text.pk]
        Text.objects.bulk_update(changed, ["rationale"], batch_size=500)
        MetricScore.objects.filter(metric__in=COMPARING, explanation__text__in=changed).delete()
    return len(changed)
