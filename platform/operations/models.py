from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models


def rows_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """What a task was given, which is numbers of rows."""
    return ", ".join([*map(str, args), *(f"{name} {value}" for name, value in kwargs.items())])


class FailedTask(models.Model):
    """A task that came to nothing, so that somebody can see why and send it again."""

    task_id = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    args = models.JSONField(default=list, help_text="Numbers of rows, never what is in them")
    kwargs = models.JSONField(default=dict)
    reason = models.TextField()
    request_id = models.CharField(max_length=64, blank=True, help_text="Of the request that asked for it")
    failed_at = models.DateTimeField(auto_now_add=True)
    retried_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-failed_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} {self.task_id}"

    @property
    def rows(self) -> str:
        return rows_of(self.args, self.kwargs)
