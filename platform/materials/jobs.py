from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class Job(models.Model):
    """What somebody asks for and a worker process does, so that it survives a closed tab and a killed worker.

    It is under way until one of its ends; materials/carrying.py says how it gets there.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Under way"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    ENDS: ClassVar[tuple[str, ...]] = (State.DONE, State.FAILED)

    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    step = models.CharField(max_length=60, blank=True, db_default="", help_text="What is being done")
    done = models.BigIntegerField(default=0, db_default=0, help_text="Of the total")
    total = models.BigIntegerField(default=0, db_default=0, help_text="About so much is to be done")
    tries = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Since it went on last; more than one: a worker process died over it"
    )
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, help_text="Asked for")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def under_way(self) -> bool:
        return self.state not in self.ENDS

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0
