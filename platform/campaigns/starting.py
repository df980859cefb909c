"""The launch as a job: asked for on a page or by a program, carried out by a worker process.

All of a launch is one transaction, so what is killed half way leaves nothing, and the next try begins anew. While one
process is at it, another that is given the same task leaves it alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.auditing import Act, record
from accounts.models import User
from campaigns.launching import Told, launch
from campaigns.linting import refuse
from campaigns.models import Campaign, Launch
from campaigns.moving import CampaignError, State, locked
from materials.claiming import claimed
from materials.enqueuing import enqueue

TASK = "campaigns.launch"
NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can launch it: try again once the queue is back."
# What is claimed under this number is a launch.
LOCKS = 7_262


def ask_launch(campaign: Campaign, user: User | None) -> Launch:
    """The launch that is under way, or a new one. CampaignError if the campaign is not ready, or would lose workers."""
    found = launch_of(campaign)
    if found and found.under_way:
        return found
    with transaction.atomic():
        row = locked(campaign, State.READY)
        refuse(row)
        ask = {"state": Launch.State.WAITING, "step": "", "done": 0, "error": "", "asked_by": user}
        found, _ = Launch.objects.update_or_create(campaign=row, defaults=ask | {"asked_at": timezone.now()})
        transaction.on_commit(lambda: _send(found.pk))
    found.refresh_from_db()
    return found


def _send(pk: int) -> None:
    if not enqueue(TASK, [pk]):
        Launch.objects.filter(pk=pk).update(state=Launch.State.FAILED, error=NO_QUEUE)


def launch_of(campaign: Campaign) -> Launch | None:
    """The one that was asked for last, whether or not it is done."""
    return Launch.objects.filter(campaign=campaign).first()


def unfinished() -> list[int]:
    """What a killed worker or an emptied queue left."""
    return list(_under_way().values_list("pk", flat=True))


def carry_out(pk: int) -> None:
    """The task: nothing where it is done or taken back. ClaimedElsewhere while another process is at it."""
    with claimed(LOCKS, pk):
        asked = _under_way().select_related("campaign__team", "asked_by").filter(pk=pk).first()
        if asked is None:
            return
        try:
            with _teller(pk) as told:
                _launch(asked, told)
        except DatabaseError:
            raise  # It is tried again.
        except CampaignError as error:
            _fail(pk, str(error))
        except Exception as error:
            _fail(pk, f"It could not be launched: {error}")
            raise


def _launch(asked: Launch, told: Told) -> None:
    """Done is said in the transaction that does it: who finds it under way finds nothing of it."""
    campaign = asked.campaign
    with transaction.atomic():
        launch(campaign, told)
        record(asked.asked_by, campaign.team, Act.LAUNCHED, campaign)
        Launch.objects.filter(pk=asked.pk).update(state=Launch.State.DONE, step="")


def _fail(pk: int, why: str) -> None:
    Launch.objects.filter(pk=pk).update(state=Launch.State.FAILED, error=why)


@contextmanager
def _teller(pk: int) -> Iterator[Told]:
    """On a connection of its own: what the launch writes itself is seen by nobody before its end."""
    own = connections.create_connection(DEFAULT_DB_ALIAS)

    def tell(step: str, done: int, total: int) -> None:
        with own.cursor() as cursor:
            cursor.execute(
                "UPDATE campaigns_launch SET state = 'running', step = %s, done = %s, total = %s WHERE id = %s",
                [step, done, total, pk],
            )

    try:
        yield tell
    finally:
        own.close()


def _under_way() -> QuerySet[Launch]:
    return Launch.objects.filter(state__in=[Launch.State.WAITING, Launch.State.RUNNING])
