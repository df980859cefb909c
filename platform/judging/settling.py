"""Whom the recruiter is to approve, to look at again and to pay more, as lists for the recruiter's own pages.

Nobody is rejected from here: who was excluded by hand is listed with the reason, and a person decides there.
"""

from collections.abc import Iterator

from django.db.models import QuerySet

from campaigns.models import Campaign
from judging.models import Participation
from judging.paying import earnings, people, reference_of

State = Participation.State
Line = tuple[str, ...]
# What the recruiters' own pages call a visit.
VISITS = {"prolific": "submission_id", "mturk_protocol": "assignmentId"}
KINDS = ("approve", "review", "bonus")


def settlement(campaign: Campaign, kind: str) -> Iterator[Line]:
    """`kind` is one of `KINDS`; the header comes first."""
    return {"approve": _approve, "review": _review, "bonus": _bonus}[kind](campaign)


def _approve(campaign: Campaign) -> Iterator[Line]:
    yield (_visit(campaign), "worker")
    for row in _completed(campaign).filter(excluded_at=None):
        yield (reference_of(row.parameters), f"w{row.number}")


def _review(campaign: Campaign) -> Iterator[Line]:
    yield (_visit(campaign), "worker", "reason")
    for row in _completed(campaign).filter(excluded_at__isnull=False):
        yield (reference_of(row.parameters), f"w{row.number}", row.exclusion_reason)


def _bonus(campaign: Campaign) -> Iterator[Line]:
    """What is lacking to the minimum pay."""
    yield (_visit(campaign), "amount")
    for one in earnings(campaign):
        if one.top_up:
            yield (one.reference, str(one.top_up))


def _completed(campaign: Campaign) -> QuerySet[Participation]:
    """Without those who took their answers back: nothing leads to their visit any more."""
    return people(campaign).filter(state=State.COMPLETED, erased_at=None).order_by("pk")


def _visit(campaign: Campaign) -> str:
    return VISITS.get(campaign.recruitment, "reference")
