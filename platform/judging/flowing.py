"""How many came, and what became of them: the flow of participants from arrival to the numbers of the report."""

from collections import Counter
from typing import Any

from django.db.models import Count, Q

from campaigns.models import Campaign
from judging.models import Participation
from judging.signalling import excluded_by_rule
from recruitment.linking import SIMULATED

State = Participation.State
Flow = dict[str, Any]


def flow_of(campaign: Campaign) -> Flow:
    """Counts by what happened. `by_rule` counts a worker once for each rule broken; `excluded_by_rules` once.

    Erased workers are among those of their state, since only their number is left.
    """
    found = excluded_by_rule(campaign)
    counts = counts_of(campaign)
    by_rule = Counter(name for names in found.values() for name in names)
    counts["by_rule"] = {name: by_rule[name] for name in campaign.rules}
    counts["excluded_by_rules"] = len(found)
    return counts


def counts_of(campaign: Campaign) -> Flow:
    """What is counted without reading the judgments."""
    counts: Flow = campaign.participations.aggregate(**_counts())
    counts["screened_out_by"] = dict(
        campaign.participations.filter(state=State.SCREENED_OUT, screening__has_key="failed")
        .values_list("screening__failed")
        .annotate(n=Count("pk"))
        .order_by("screening__failed")
    )
    return counts


def _counts() -> dict[str, Count]:
    of = {
        "arrived": Q(),
        "simulated": Q(parameters__has_key=SIMULATED),
        "consented": Q(consented_at__isnull=False),
        "started": Q(started_at__isnull=False),
        "excluded": Q(excluded_at__isnull=False),
        "erased": Q(erased_at__isnull=False),
        "at_work": Q(state__in=[State.CONSENTED, State.PRACTISED]),
    }
    ends = (State.DECLINED, State.SCREENED_OUT, State.RETURNED, State.TIMED_OUT, State.COMPLETED)
    of |= {state.value: Q(state=state) for state in ends}
    return {name: Count("pk", filter=each) for name, each in of.items()}
