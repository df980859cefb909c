"""What a team's webhooks are told of its workers. Looked for every minute, so that no worker's request waits for it."""

from datetime import datetime, timedelta

from django.db.models import CharField, Exists, OuterRef, Q
from django.db.models.functions import Cast
from django.utils import timezone

from campaigns.models import Campaign
from judging.models import Participation
from recruitment.linking import SIMULATED
from webhooks.announcing import announce_to
from webhooks.models import Delivery, Endpoint

EVENT = "participant.completed"
# Longer than anybody leaves the task unserved, shorter than deliveries are kept.
LOOK_BACK = timedelta(days=7)
MOST_AT_ONCE = 1000


def tell_completed() -> int:
    """Of everybody who has finished since an endpoint is there, once. Answers how many messages that makes."""
    made = 0
    for endpoint in Endpoint.objects.filter(active=True, events__contains=[EVENT]):
        for row in _untold(endpoint, max(endpoint.created_at, timezone.now() - LOOK_BACK)):
            told = {"campaign": row.campaign.slug, "worker": f"w{row.pk}", "simulated": SIMULATED in row.parameters}
            made += len(announce_to([endpoint], EVENT, told, subject=str(row.pk)))
    return made


def _untold(endpoint: Endpoint, since: datetime) -> list[Participation]:
    open_since = Q(closed_at=None) | Q(closed_at__gte=since)
    campaigns = Campaign.objects.filter(open_since, team=endpoint.team_id, launched_at__isnull=False)
    told = Delivery.objects.filter(endpoint=endpoint, event=EVENT, subject=Cast(OuterRef("pk"), CharField()))
    rows = Participation.objects.filter(campaign__in=campaigns, finished_at__gte=since)
    rows = rows.filter(~Exists(told), state=Participation.State.COMPLETED).select_related("campaign")
    return list(rows.order_by("finished_at")[:MOST_AT_ONCE])
