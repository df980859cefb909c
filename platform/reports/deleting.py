"""A whole campaign is deleted: what goes with it is said before, and nothing of it is left after."""

from collections.abc import Iterable
from functools import partial

from django.db import connection, transaction
from django.db.models import Q

from accounts.access import OWNING, hold_role
from accounts.auditing import Act, record
from accounts.models import User
from campaigns.models import Campaign, Registration, Stimulus
from campaigns.moving import CampaignError, State, locked
from judging.models import Judgment, Participation
from materials.counting import counted
from materials.deleting import batches
from materials.models import Removal
from materials.removing import TASKS, Batches, Plans, begin, go_on, procedure
from reports.archiving.asking import forget_exports

ENDED = (State.DRAFT, State.READY, State.CLOSED)
# Row by row in Python a hundred thousand judgments would take minutes. The order is that of what points to what.
OF_WORKERS = (
    "DELETE FROM judging_judgment j USING judging_assignment a "
    "WHERE j.assignment_id = a.id AND a.participation_id = ANY(%s)",
    "DELETE FROM judging_assignment WHERE participation_id = ANY(%s)",
)
OF_STIMULI = (
    "DELETE FROM campaigns_place WHERE stimulus_id = ANY(%s)",
    "DELETE FROM judging_verdict WHERE stimulus_id = ANY(%s)",
    "DELETE FROM campaigns_stimulus WHERE id = ANY(%s)",
)
# Of forty items each, and with as many places as judgments are wanted.
WORKERS, STIMULI = 50, 200


def what_goes(campaign: Campaign) -> list[str]:
    """A line each, for what is there."""
    people, payments = campaign.participations.count(), campaign.bonus_payments.count()
    judgments = Judgment.objects.filter(assignment__participation__campaign=campaign).count()
    invitations = campaign.invitations.filter(~Q(participation=None)).count()
    builds = campaign.report_builds.filter(state="done").count()
    lines = [
        counted(judgments, "judgment") if judgments else "",
        f"{counted(people, 'participant')}, with what they said of themselves and what they earned" if people else "",
        f"{counted(payments, 'payment')} of bonuses, as far as it is written down here" if payments else "",
        f"{counted(invitations, 'used invitation')}" if invitations else "",
        "the report and its files" if builds or judgments else "",
        "the pre-registration" if Registration.objects.filter(campaign=campaign).exists() else "",
        "the design, and what was shown of each text" if campaign.stimuli.exists() else "the design",
    ]
    return [line for line in lines if line]


def delete_campaign(campaign: Campaign, user: User | None) -> Removal:
    """CampaignError while something goes on in it. Its texts, classifier and explanations stay."""
    if campaign.state not in ENDED:
        doing = campaign.get_state_display().lower()
        raise CampaignError(f"The campaign is {doing}: {_first(campaign)} before you delete it.")
    with transaction.atomic():
        row = locked(campaign, *ENDED)
        judgments = _judgments(row)
        if user:
            hold_role(user, row.team, OWNING)
        record(user, row.team, Act.DELETED, row, judgments=judgments)
        forget_exports(row.pk)
        places = row.places.count() + row.stimuli.count()
        removal = begin(row, Removal.Kind.CAMPAIGN, user, 2 * judgments + places)
    return go_on(removal, REMOVING)


def _campaign(key: int) -> Batches:
    for ids in batches(Participation.objects.filter(campaign=key), WORKERS):
        yield partial(_workers, ids)
    for ids in batches(Stimulus.objects.filter(campaign=key), STIMULI):
        yield partial(_run, OF_STIMULI, ids)
    yield partial(_rest, key)


def _workers(ids: list[int]) -> int:
    gone = _run(OF_WORKERS, ids)
    Participation.objects.filter(pk__in=ids).delete()
    return gone


def _run(statements: Iterable[str], ids: list[int]) -> int:
    with connection.cursor() as cursor:
        return sum(cursor.execute(sql, [ids]) or cursor.rowcount for sql in statements)


def _rest(key: int) -> int:
    Campaign.all_objects.filter(pk=key).delete()
    return 0


PLANS: Plans = {Removal.Kind.CAMPAIGN: _campaign}
REMOVING = procedure(TASKS[Removal.Kind.CAMPAIGN], PLANS)


def _judgments(campaign: Campaign) -> int:
    return Judgment.objects.filter(assignment__participation__campaign=campaign).count()


def _first(campaign: Campaign) -> str:
    return "take it back to draft" if campaign.state == State.PREPARING else "close it"
