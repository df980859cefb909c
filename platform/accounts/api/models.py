from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone


class ApiToken(models.Model):
    """Stands for its user, within its scopes. The secret itself is shown once and kept nowhere."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12, help_text="Start of the secret, to tell tokens apart")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret, which is random")
    scopes = ArrayField(models.CharField(max_length=30))
    created_at = models.DateTimeField(default=timezone.now, db_default=Now())
    expires_at = models.DateTimeField()
    last_used_on = models.DateField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def works(self) -> bool:
        return self.revoked_at is None and timezone.now() < self.expires_at

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "active" if self.works else "expired"


class KeptAnswer(models.Model):
    """The answer to a request that came with an idempotency key, written in the request's own transaction."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, address and body")
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True, help_text="JSON")
    created_at = models.DateTimeField(default=timezone.now, db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_a_key")]
        indexes = [models.Index(fields=["created_at"], name="kept_answer_age")]

    def __str__(self) -> str:
        return self.key
