from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models

from accounts.acts import SAYING_OF_WHAT, Act
from accounts.api.models import ApiToken, KeptAnswer

__all__ = ["ApiToken", "AuditEntry", "Invitation", "KeptAnswer", "Membership", "Team", "User"]


class User(AbstractUser):
    """A researcher or analyst. Crowd workers have no account."""

    # Proposed where something new is made; none once the person has left it.
    current_team = models.ForeignKey("Team", models.SET_NULL, null=True, blank=True, related_name="+")


class Team(models.Model):
    """Owns datasets, classifiers and campaigns; people reach them through it."""

    name = models.CharField(max_length=120)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="teams")

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    class Role(models.TextChoices):
        OWNER = "owner", "Owner"
        EDITOR = "editor", "Editor"
        ANALYST = "analyst", "Analyst"

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_membership_a_team")]

    def __str__(self) -> str:
        return f"{self.user} {self.get_role_display()} {self.team}"


class Invitation(models.Model):
    """Lets one person into a team, once, by a token of which only the hash is kept. Open until one of its ends."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Membership.Role)
    # Blank where the link is handed over by other means.
    email = models.EmailField(blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    accepted_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.email or f"a link made on {self.created_at:%-d %B %Y}"


class AuditEntry(models.Model):
    """One thing that somebody did. What it was done to may be gone, and so may the person; their names stay."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="audit_entries")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=150)
    act = models.CharField(max_length=30)
    subject_kind = models.CharField(max_length=60)
    subject_key = models.BigIntegerField(null=True)
    subject_name = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["team", "-id"], name="audit_of_a_team")]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.words} {self.subject_name}"

    @property
    def words(self) -> str:
        """Also of an act that is no longer in the list."""
        return str(dict(Act.choices).get(self.act, self.act))

    @property
    def deed(self) -> str:
        """What was done to what kind of thing."""
        return self.words if self.act in SAYING_OF_WHAT else f"{self.words} {self.subject_kind}".strip()
