from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models


def numbers(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[int] | None:
    """What a task was given, where that is numbers of rows alone; None where it may be what somebody wrote."""
    return [*args] if not kwargs and all(isinstance(one, int) for one in args) else None


class FailedTask(models.Model):
    """A task that came to nothing, so that somebody can see why and send it again."""

    task_id = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    args = models.JSONField(null=True, default=list, help_text="Numbers of rows; null where it was given words")
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
        return ", ".join(map(str, self.args or ()))
