import secrets
import uuid
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse

from accounts.models import Team


def new_salt() -> str:
    return secrets.token_hex(16)


class Endpoint(models.Model):
    """An address of a team's that is told of what happens. Its secret is derived from `salt`, and stored nowhere."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="endpoints")
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=40))
    salt = models.CharField(max_length=32, default=new_salt)
    active = models.BooleanField(default=True)
    failing_since = models.DateTimeField(null=True, help_text="Of the first failure since something last arrived")
    switched_off_at = models.DateTimeField(null=True, help_text="By us: it failed for long, or said that it is gone")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url

    def get_absolute_url(self) -> str:
        return reverse("webhook", args=[self.pk])

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc


class Delivery(models.Model):
    """One message to one endpoint, until it has arrived or is given up. Its `body` is the same at every attempt.

    `due_at` is when somebody has to look after it: the next attempt, or the end of the time that one under way may
    take. Whoever makes attempt `tries` + 1 first counts it, so that no two processes make the same one.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Given up"

    endpoint = models.ForeignKey(Endpoint, models.CASCADE, related_name="deliveries")
    key = models.UUIDField(unique=True, default=uuid.uuid4, help_text="The receiver's: a message that comes again")
    event = models.CharField(max_length=40)
    subject = models.CharField(max_length=80, null=True, help_text="Of what is found again later: told once")
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "event", "subject"], name="one_delivery_a_subject"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="delivery_due"),
            models.Index(fields=["created_at"], name="delivery_created"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.key}"


class Attempt(models.Model):
    """What came of one try."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="attempts")
    number = models.PositiveIntegerField()
    status = models.PositiveIntegerField(null=True, help_text="Of the answer; empty where none came")
    milliseconds = models.PositiveIntegerField()
    response = models.TextField(blank=True, help_text="How the answer begins")
    error = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.delivery_id}"
