"""The first page: what needs attention, how the campaigns go, what is under way, what was done lately.

A constant number of queries, whatever the size of the campaigns; judgments are counted at most every few seconds.
"""

from dataclasses import dataclass

from django.db.models import Case, IntegerField, QuerySet, Value, When

from accounts.access import editable_teams, readable
from accounts.models import AuditEntry, User
from campaigns.going import Going, going
from campaigns.models import Campaign
from console.attention import Attention, attention, campaigns_of
from console.working import Work, work
from materials.models import Classifier, Dataset

State = Campaign.State
SHOWN_CAMPAIGNS = 12
SHOWN_ACTS = 12
OPEN = (State.LIVE, State.PAUSED)
# What goes on stands before what is over.
ORDER = (State.LIVE, State.PAUSED, State.READY, State.PREPARING, State.DRAFT, State.CLOSED)


@dataclass(frozen=True)
class Home:
    campaigns: list[Going]
    n_campaigns: int
    attention: list[Attention]
    work: list[Work]
    acts: list[AuditEntry]
    may_add: bool
    has_dataset: bool
    has_classifier: bool


def home(user: User) -> Home:
    rows = campaigns_of(user)
    campaigns = going(_first(rows))
    datasets, classifiers = readable(Dataset.objects.all(), user), readable(Classifier.objects.all(), user)
    acts = readable(AuditEntry.objects.all(), user).select_related("team").order_by("-id")[:SHOWN_ACTS]
    return Home(
        campaigns=campaigns,
        n_campaigns=rows.count(),
        attention=attention(user, [one.campaign for one in campaigns if one.full and one.campaign.state in OPEN]),
        work=work(user),
        acts=list(acts),
        may_add=editable_teams(user).exists(),
        has_dataset=datasets.exists(),
        has_classifier=classifiers.exists(),
    )


def _first(rows: QuerySet[Campaign]) -> list[Campaign]:
    place = Case(*(When(state=state, then=Value(at)) for at, state in enumerate(ORDER)), output_field=IntegerField())
    shown = rows.select_related("dataset", "classifier").annotate(place=place).order_by("place", "-created_at")
    return list(shown[:SHOWN_CAMPAIGNS])
