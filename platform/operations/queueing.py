"""The queues of tasks: how much waits in them, and what failed tasks need to be sent again."""

from celery import current_app
from django.utils import timezone

from operations.beacons import client
from operations.models import FailedTask


def depths() -> dict[str, int]:
    """Tasks that no worker has taken yet, by queue. Raises RedisError."""
    names = [queue.name for queue in current_app.amqp.queues.values()]
    pipeline = client().pipeline(transaction=False)
    for name in names:
        pipeline.llen(name)
    return dict(zip(names, pipeline.execute(), strict=True))


def send_again(failed: FailedTask) -> None:
    """Once: a task that fails again makes a row of its own. Raises kombu's OperationalError without a queue."""
    current_app.send_task(failed.name, failed.args)
    FailedTask.objects.filter(pk=failed.pk).update(retried_at=timezone.now())
