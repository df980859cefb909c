from django.db import models
from django.db.models import F, Q
from django.db.models.fields.json import KT

from accounts.models import User
from campaigns.models import Campaign, Place, Stimulus
from judging.standing import Asked, Stand
from materials.models import Text


class Participation(models.Model):
    """One worker in one campaign, from arrival to exit."""

    class State(models.TextChoices):
        ARRIVED = "arrived", "Arrived"
        CONSENTED = "consented", "Consented"
        PRACTISED = "practised", "Judging"
        COMPLETED = "completed", "Completed"
        DECLINED = "declined", "Declined"
        RETURNED = "returned", "Returned"
        SCREENED_OUT = "screened_out", "Screened out"
        TIMED_OUT = "timed_out", "Timed out"
        ELSEWHERE = "elsewhere", "Judged elsewhere"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="participations")
    worker_hash = models.CharField(max_length=64, help_text="Keyed hash; the id itself is not stored")
    named = models.BooleanField(help_text="The recruiter named the worker, so a return resumes")
    state = models.CharField(max_length=12, choices=State, default=State.ARRIVED)
    person_hash = models.CharField(
        max_length=64, blank=True, help_text="The same in all campaigns of a dataset; empty where nobody is named"
    )
    parameters = models.JSONField(default=dict, help_text="Of the arrival, without the worker's id")
    language = models.CharField(max_length=12, default="en", help_text="Of the pages, as the worker reads them")
    arm = models.CharField(max_length=150, blank=True, help_text="Of a between-worker design; as Condition.arm")
    list = models.PositiveIntegerField(null=True, help_text="Of the Latin square")
    quota = models.PositiveIntegerField(help_text="Items this worker is asked for")
    arrived_at = models.DateTimeField(auto_now_add=True)
    consented_at = models.DateTimeField(null=True)
    consent_version = models.CharField(max_length=12, blank=True, help_text="Of the wording agreed to")
    screening = models.JSONField(default=dict, help_text="Practice, comprehension: what was answered, and how often")
    answers = models.JSONField(default=dict, help_text="Demographics and closing survey")
    excluded_at = models.DateTimeField(null=True)
    exclusion_reason = models.CharField(max_length=300, blank=True)
    excluded_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    counted = models.PositiveIntegerField(default=0, help_text="Items that count, once the work has ended")
    erased_at = models.DateTimeField(null=True, help_text="At the worker's own wish")
    known_as = models.PositiveBigIntegerField(
        null=True, help_text="Number in reports, where the campaign came from an archive; otherwise the row's own"
    )
    started_at = models.DateTimeField(null=True, help_text="First real item shown")
    finished_at = models.DateTimeField(null=True)
    # Of the moment of the request, as the look-up read them along; others may act at any time.
    stand: Stand | None = None
    asked: Asked | None = None

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "worker_hash"], name="one_participation_a_worker"),
        ]
        indexes = [
            models.Index(fields=["campaign", "state"], name="participation_campaign_state"),
            models.Index(KT("parameters__SESSION_ID"), name="participation_session"),
        ]

    def __str__(self) -> str:
        return f"worker {self.worker_hash[:8]}"

    @property
    def number(self) -> int:
        """What pages, reports and exports call the worker by, with a w before it."""
        return self.pk if self.known_as is None else self.known_as

    @property
    def total(self) -> int:
        """The items as the worker counts them, with those whose answer is known."""
        return self.quota + self.campaign.gold_items


class Assignment(models.Model):
    """A lease of one stimulus to one worker. `place` is what it holds; empty once the lease was taken back."""

    class Warned(models.TextChoices):
        SHOWN = "shown", "Shown after the warning"
        SKIPPED = "skipped", "Skipped after the warning"

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="assignments", db_index=False)
    stimulus = models.ForeignKey(Stimulus, models.PROTECT, related_name="assignments")
    # Elsewhere a worker may have judged a text under several methods; the stimulus names it all the same.
    text = models.ForeignKey(
        Text,
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="Empty of judgments from elsewhere",
    )
    place = models.OneToOneField(Place, models.SET_NULL, null=True, related_name="assignment")
    person_hash = models.CharField(
        max_length=64, null=True, help_text="Only where nobody may meet a text again in another campaign"
    )
    step = models.PositiveIntegerField(default=0, help_text="How often the worker asked to see more")
    warned = models.CharField(
        max_length=10,
        blank=True,
        choices=Warned,
        db_default="",
        help_text="Of a text that bears a warning: what the worker chose",
    )
    leased_at = models.DateTimeField()
    deadline = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participation", "text"], name="no_text_twice_for_a_worker"),
            # Text first: what a text is deleted by.
            models.UniqueConstraint(fields=["text", "person_hash"], name="each_text_once_a_person"),
            models.CheckConstraint(
                condition=Q(text__isnull=False) | Q(leased_at=F("deadline")), name="leases_name_their_text"
            ),
        ]
        indexes = [
            models.Index(fields=["person_hash"], condition=Q(person_hash__isnull=False), name="assignment_of_a_person")
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Judgment(models.Model):
    """The answer to one assignment; never changed once written (a database trigger refuses it).

    It counts when it holds a place. A late answer that found every place filled is kept and does not count.
    """

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="judgment")
    place = models.OneToOneField(Place, models.PROTECT, null=True, related_name="judgment")
    answer = models.JSONField(help_text="The form's cleaned data")
    presentation = models.JSONField(default=dict, help_text="Sides and order, as this worker saw them")
    position = models.PositiveIntegerField(null=True, help_text="Which of the worker's items it was, from 1")
    response_ms = models.PositiveIntegerField(null=True, help_text="By the browser's monotonic clock")
    active_ms = models.PositiveIntegerField(null=True, help_text="Of these, with the page seen and not idle")
    shown = models.JSONField(default=dict, help_text="What the browser reported: viewport, scheme, zoom")
    late = models.BooleanField(default=False)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(response_ms__isnull=True) | Q(response_ms__lte=86_400_000),
                name="response_within_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"judgment of assignment {self.assignment_id}"


class Verdict(models.Model):
    """What the majority said of a stimulus elsewhere, where nobody published the judgments."""

    stimulus = models.OneToOneField(Stimulus, models.CASCADE, related_name="verdict")
    recognised = models.BooleanField()
    votes = models.PositiveIntegerField(null=True, help_text="Empty where it is not known how many")

    def __str__(self) -> str:
        return f"verdict on stimulus {self.stimulus_id}"


class CheckAnswer(models.Model):
    """The answer to one attention check; never changed once written (a database trigger refuses it)."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="check_answers")
    check_number = models.PositiveIntegerField(help_text="Which of the campaign's checks it was, from 0")
    answer = models.CharField(max_length=300)
    right = models.BooleanField()
    response_ms = models.PositiveIntegerField(null=True, help_text="By the browser's monotonic clock")
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participation", "check_number"], name="one_answer_a_check"),
        ]

    def __str__(self) -> str:
        return f"check {self.check_number} of participation {self.participation_id}"


class Invitation(models.Model):
    """A link for one person. Only a hash of it is stored: who reads the database still cannot come in."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    number = models.PositiveIntegerField(help_text="From 1, as the researcher's list has it")
    ticket_hash = models.CharField(max_length=64, unique=True)
    participation = models.OneToOneField(Participation, models.SET_NULL, null=True, related_name="invitation")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_invitation_a_number")]

    def __str__(self) -> str:
        return f"invitation {self.number}"


class ClassCode(models.Model):
    """A code that lets `uses` people in."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="class_codes")
    code = models.CharField(max_length=20)
    uses = models.PositiveIntegerField()
    used = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "code"], name="one_row_a_class_code"),
            models.CheckConstraint(condition=Q(used__lte=F("uses")), name="no_more_than_its_uses"),
        ]

    def __str__(self) -> str:
        return self.code


class ProlificStudy(models.Model):
    """The study on Prolific that recruits for a campaign. Known only after launch, hence no field of the campaign's."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="prolific_study")
    study_id = models.CharField(max_length=64, unique=True)
    status = models.CharField(max_length=30, blank=True, help_text="Prolific's")
    places = models.PositiveIntegerField(default=0)
    taken = models.PositiveIntegerField(default=0)
    read_at = models.DateTimeField(null=True, help_text="When Prolific told status and places")
    linked_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.study_id


class ProlificSubmission(models.Model):
    """What Prolific last said of one submission. The worker is known by the same hash as in the participation."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="prolific_submissions")
    submission_id = models.CharField(max_length=64, unique=True)
    worker_hash = models.CharField(max_length=64)
    status = models.CharField(max_length=30, help_text="Prolific's")
    status_at = models.DateTimeField(help_text="When it came to this, or was read, by Prolific's clock")
    entered_code = models.CharField(max_length=100, blank=True)
    return_requested = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.submission_id


class ProlificEvent(models.Model):
    """A signed message of Prolific's. The key makes one that comes twice the same."""

    class Effect(models.TextChoices):
        APPLIED = "applied", "Applied"
        OLDER = "older", "Older than what is known"
        UNKNOWN = "unknown", "Of nobody known here"

    key = models.CharField(max_length=200, unique=True)
    submission_id = models.CharField(max_length=64)
    status = models.CharField(max_length=30)
    sent_at = models.DateTimeField()
    effect = models.CharField(max_length=10, choices=Effect)
    received_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.submission_id} {self.status}"


class BonusPayment(models.Model):
    """Bonuses set up on Prolific in one go. Sent at most once: sending it again would pay it again."""

    class State(models.TextChoices):
        SET_UP = "set_up", "Set up, not paid"
        SENT = "sent", "Sent to be paid"
        UNSURE = "unsure", "Sent, but Prolific's answer did not come"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="bonus_payments")
    reference = models.CharField(max_length=64, unique=True, help_text="Prolific's id of it")
    amounts = models.JSONField(help_text="{submission: amount, ...}")
    total_cents = models.PositiveIntegerField(help_text="With fees, as Prolific says")
    state = models.CharField(max_length=10, choices=State, default=State.SET_UP)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.reference

    @property
    def total(self) -> str:
        return f"{self.total_cents // 100}.{self.total_cents % 100:02}"
