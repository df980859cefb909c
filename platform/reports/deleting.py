"""A whole campaign is deleted: what goes with it is said before, and nothing of it is left after."""

from django.db import connection, transaction
from django.db.models import Q

from accounts.auditing import Act, record
from accounts.models import User
from campaigns.models import Campaign, Registration
from campaigns.moving import CampaignError, State, locked
from judging.models import Judgment
from materials.counting import counted
from reports.archiving.asking import forget_exports

ENDED = (State.DRAFT, State.READY, State.CLOSED)
# Row by row in Python a hundred thousand judgments would take minutes. The order is that of what points to what.
ROWS = (
    "DELETE FROM judging_judgment j USING judging_assignment a, judging_participation p "
    "WHERE j.assignment_id = a.id AND a.participation_id = p.id AND p.campaign_id = %s",
    "DELETE FROM judging_assignment a USING judging_participation p "
    "WHERE a.participation_id = p.id AND p.campaign_id = %s",
    "DELETE FROM campaigns_place WHERE campaign_id = %s",
    "DELETE FROM judging_verdict v USING campaigns_stimulus s WHERE v.stimulus_id = s.id AND s.campaign_id = %s",
    "DELETE FROM campaigns_stimulus WHERE campaign_id = %s",
)


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


def delete_campaign(campaign: Campaign, user: User | None) -> None:
    """CampaignError while something goes on in it. Its texts, classifier and explanations stay."""
    if campaign.state not in ENDED:
        doing = campaign.get_state_display().lower()
        raise CampaignError(f"The campaign is {doing}: {_first(campaign)} before you delete it.")
    with transaction.atomic():
        row = locked(campaign, *ENDED)
        record(user, row.team, Act.DELETED, row, judgments=_judgments(row))
        with connection.cursor() as cursor:
            for sql in ROWS:
                cursor.execute(sql, [row.pk])
        forget_exports(row.pk)
        row.delete()


def _judgments(campaign: Campaign) -> int:
    return Judgment.objects.filter(assignment__participation__campaign=campaign).count()


def _first(campaign: Campaign) -> str:
    return "take it back to draft" if campaign.state == State.PREPARING else "close it"
