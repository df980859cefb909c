"""What the work was worth to those who did it. Simulated workers are no people and earn nothing.

The pay of a campaign is judged on the median time from arrival to the end, as panels do. What one worker lacks to
reach the minimum is reckoned on the time that the worker was there: reading before the first item, and the active time
of every item. Somebody who left the page open overnight is not owed a night.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from django.conf import settings
from django.db.models import DurationField, ExpressionWrapper, F, QuerySet, Sum
from django.db.models.functions import Coalesce

from campaigns.models import Campaign
from judging.models import Participation
from recruitment.linking import SIMULATED

State = Participation.State
CENT = Decimal("0.01")
# Nobody reads consent, instructions and practice for longer.
LONGEST_READING_SECONDS = 15 * 60
# What recruiters call the visit that is to be paid, in the order of looking.
REFERENCES = ("SESSION_ID", "assignmentId")


@dataclass(frozen=True)
class Earning:
    """Of one worker who completed. `reference` is the recruiter's own of the visit, as far as the link told it."""

    participation: int
    reference: str
    seconds: float
    pay: Decimal
    minimum: float

    @property
    def hourly(self) -> float | None:
        return float(self.pay) * 3600 / self.seconds if self.seconds else None

    @property
    def top_up(self) -> Decimal:
        """What is lacking to the minimum, in whole cents."""
        owed = Decimal(str(self.minimum)) * Decimal(str(self.seconds)) / 3600 - self.pay
        return max(Decimal(0), owed).quantize(CENT, ROUND_UP)


def people(campaign: Campaign) -> QuerySet[Participation]:
    """Without simulated workers."""
    return campaign.participations.exclude(parameters__has_key=SIMULATED)


def earnings(campaign: Campaign) -> list[Earning]:
    """Of all people who completed, excluded or not: they have worked."""
    judgment = "assignments__judgment"
    spent = Sum(Coalesce(f"{judgment}__active_ms", f"{judgment}__response_ms"))
    reading = ExpressionWrapper(F("started_at") - F("arrived_at"), output_field=DurationField())
    rows = people(campaign).filter(state=State.COMPLETED).annotate(spent=spent, reading=reading).order_by("pk")
    return [
        Earning(
            row.number,
            reference_of(row.parameters),
            (row.spent or 0) / 1000 + min(LONGEST_READING_SECONDS, row.reading.total_seconds() if row.reading else 0),
            campaign.pay_per_worker,
            settings.MINIMUM_HOURLY_PAY,
        )
        for row in rows
    ]


def reference_of(parameters: dict[str, str]) -> str:
    """Of the visit; where the recruiter's own name of it is not known, every parameter of the link."""
    known = [parameters[name] for name in REFERENCES if name in parameters]
    others = "&".join(f"{name}={value}" for name, value in parameters.items() if name != SIMULATED)
    return known[0] if known else others


COLUMNS = ("reference", "worker", "minutes", "pay", "hourly", "top_up", "currency")


def pay_rows(found: Iterable[Earning], only_top_ups: bool = False) -> Iterator[tuple[str, ...]]:
    """One row a worker, for the recruiter's bulk payment; the header comes first."""
    yield COLUMNS
    for one in found:
        if one.top_up or not only_top_ups:
            hourly = "" if one.hourly is None else f"{one.hourly:.2f}"
            yield (
                one.reference,
                f"w{one.participation}",
                f"{one.seconds / 60:.2f}",
                str(one.pay),
                hourly,
                str(one.top_up),
                settings.PAY_CURRENCY,
            )
