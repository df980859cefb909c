from django.db import models


class Act(models.TextChoices):
    """What the audit log can say was done. Adding one needs no migration; none is ever renamed."""

    IMPORTED = "imported", "imported"
    CREATED = "created", "created"
    EDITED = "edited", "changed"
    DELETED = "deleted", "deleted"
    PREPARED = "prepared", "prepared"
    CANCELLED = "cancelled", "cancelled"
    LAUNCHED = "launched", "launched"
    PAUSED = "paused", "paused"
    RESUMED = "resumed", "resumed"
    CLOSED = "closed", "closed"
    COPIED = "copied", "copied"
    EXPLAINED = "explained", "asked for explanations of"
    SCORED = "scored", "asked for metric scores of"
    RETRIED = "retried", "retried failures of"
    PUT_ASIDE = "put_aside", "put aside"
    TAKEN_BACK = "taken_back", "took back"
    ARCHIVED = "archived", "made an archive of"
    RESTORED = "restored", "restored"
    EXPORTED = "exported", "exported data of"
    PAY_FILE = "pay_file", "downloaded the pay file of"
    APPROVED = "approved", "approved work in"
    PAID = "paid", "sent payments for"
    EXCLUDED = "excluded", "excluded a worker from"
    READMITTED = "readmitted", "took back a worker in"
    ERASED = "erased", "erased workers' data of"
    TICKETS_MADE = "tickets_made", "made invitations of workers to"
    RECRUITED = "recruited", "changed the recruitment of"
    RATIONALES_TAKEN = "rationales_taken", "took rationales into"
    INVITED = "invited", "invited"
    UNINVITED = "uninvited", "withdrew the invitation of"
    JOINED = "joined", "joined"
    LEFT = "left", "left"
    REMOVED = "removed", "removed"
    ROLE_CHANGED = "role_changed", "changed the role of"
    TEAM_FOUNDED = "team_founded", "founded"
    TEAM_RENAMED = "team_renamed", "renamed"
    PASSWORD_CHANGED = "password_changed", "changed the password of"  # noqa: S105
    PASSWORD_RESET = "password_reset", "chose by mail a new password for"  # noqa: S105
    TOKEN_MADE = "token_made", "made the API token"  # noqa: S105
    TOKEN_REVOKED = "token_revoked", "revoked the API token"  # noqa: S105
    WEBHOOK_MADE = "webhook_made", "made the webhook"
    WEBHOOK_CHANGED = "webhook_changed", "changed the webhook"
    WEBHOOK_DELETED = "webhook_deleted", "deleted the webhook"


# Whose words name what they were done to.
SAYING_OF_WHAT = {Act.TOKEN_MADE, Act.TOKEN_REVOKED, Act.WEBHOOK_MADE, Act.WEBHOOK_CHANGED, Act.WEBHOOK_DELETED}

# Acts of a transaction, which asks once more whether their actor may still do them. What tasks do later was asked for
# by somebody who could, and what has been done elsewhere, such as at a recruiter's, is told whoever did it.
OWNERS = {Act.INVITED, Act.UNINVITED, Act.REMOVED, Act.ROLE_CHANGED, Act.TEAM_RENAMED}
EDITORS = {
    Act.CREATED, Act.EDITED, Act.DELETED, Act.PREPARED, Act.CANCELLED, Act.PAUSED, Act.RESUMED, Act.CLOSED, Act.COPIED,
    Act.EXPLAINED, Act.SCORED, Act.RETRIED, Act.PUT_ASIDE, Act.TAKEN_BACK, Act.EXCLUDED, Act.READMITTED,
    Act.TICKETS_MADE, Act.RATIONALES_TAKEN, Act.WEBHOOK_MADE, Act.WEBHOOK_CHANGED, Act.WEBHOOK_DELETED,
}  # fmt: skip
