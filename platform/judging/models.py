from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Place, Stimulus
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
    erased_at = models.DateTimeField(null=True, help_text="At the worker's own wish")
    started_at = models.DateTimeField(null=True, help_text="First real item shown")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "worker_hash"], name="one_participation_a_worker"),
        ]
        indexes = [models.Index(fields=["campaign", "state"], name="participation_campaign_state")]

    def __str__(self) -> str:
        return f"worker {self.worker_hash[:8]}"


class Assignment(models.Model):
    """A lease of one stimulus to one worker. `place` is what it holds; empty once the lease was taken back."""

    class Warned(models.TextChoices):
        SHOWN = "shown", "Shown after the warning"
        SKIPPED = "skipped", "Skipped after the warning"

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="assignments")
    stimulus = models.ForeignKey(Stimulus, models.PROTECT, related_name="assignments")
    text = models.ForeignKey(Text, models.PROTECT, related_name="+")
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
            models.UniqueConstraint(fields=["person_hash", "text"], name="no_text_twice_for_a_person"),
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
