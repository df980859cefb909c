"""The Celery tasks that beat sends. Each may come twice, late, or while another of its kind is at it."""

from celery import shared_task

from judging.expiring import erase_expired, find_expired
from judging.lapsing import lapse_everywhere
from judging.telling import tell_completed


@shared_task(name="judging.lapse_all")
def lapse_all() -> None:
    lapse_everywhere()


@shared_task(name="judging.erase_all_expired")
def erase_all_expired() -> None:
    """Each campaign in a transaction of its own; what another process has erased meanwhile holds nothing any more."""
    for one in find_expired():
        erase_expired(one.campaign)


@shared_task(name="judging.tell_completed")
def tell_webhooks_of_the_completed() -> None:
    tell_completed()
