from collections.abc import Mapping
from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from accounts.models import Team, User
from catalogue.metrics import USUAL
from materials.jobs import Job
from materials.models import Classifier, Dataset, Explanation, Removable, Run, Text

# A week: whoever has not answered by then will not.
MOST_MINUTES = 7 * 24 * 60


def usual_metrics() -> list[str]:
    return list(USUAL)


def usual_displays() -> list[str]:
    return ["colour"]


class Campaign(Removable):
    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        PREPARING = "preparing", "Preparing"
        READY = "ready", "Ready"
        LIVE = "live", "Live"
        PAUSED = "paused", "Paused"
        CLOSED = "closed", "Closed"

    class JudgeAgainst(models.TextChoices):
        GOLD = "gold", "the gold label"
        PREDICTION = "prediction", "the model's prediction"

    class Allocation(models.TextChoices):
        LEAST_FILLED = "least_filled", "Every worker meets all conditions, those filled least first"
        LATIN_SQUARE = "latin_square", "Every worker follows one list of a Latin square"
        BETWEEN = "between", "Every worker stays with one method"

    # What it studies
    team = models.ForeignKey(Team, models.CASCADE, related_name="campaigns")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    protocol = models.CharField(max_length=40)
    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="campaigns")
    classifier = models.ForeignKey(Classifier, models.PROTECT, related_name="campaigns")

    # Design
    texts_per_label = models.PositiveIntegerField(default=10, validators=[MinValueValidator(1)])
    sample_seed = models.PositiveIntegerField(default=0)
    methods = ArrayField(models.CharField(max_length=60))
    method_params = models.JSONField(
        default=dict, blank=True, help_text="{method: {parameter: value}, ...}: what differs from the catalogue"
    )
    metrics = ArrayField(
        models.CharField(max_length=60),
        default=usual_metrics,
        blank=True,
        help_text="Those that compare with people's marks come to it where texts have some",
    )
    ks = ArrayField(models.PositiveIntegerField(), default=list, blank=True)
    baselines = ArrayField(models.CharField(max_length=60), default=list, blank=True, help_text="Arms without a map")
    displays = ArrayField(models.CharField(max_length=20), default=usual_displays, blank=True)
    protocol_settings = models.JSONField(default=dict, blank=True, help_text="The protocol's own choices")
    judgments_per_stimulus = models.PositiveIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    judge_against = models.CharField(max_length=10, choices=JudgeAgainst, default=JudgeAgainst.GOLD)
    only_correct = models.BooleanField(default=False)
    most_per_worker = models.PositiveIntegerField(default=40, validators=[MinValueValidator(1)])
    minutes_per_item = models.PositiveIntegerField(
        default=10, validators=[MinValueValidator(1), MaxValueValidator(MOST_MINUTES)]
    )

    # Who meets what
    allocation = models.CharField(max_length=20, choices=Allocation, default=Allocation.LEAST_FILLED)
    block_size = models.PositiveIntegerField(default=0, help_text="Items between two breaks; 0 is no break")
    once_per_dataset = models.BooleanField(
        default=False, help_text="Nobody meets a text again in another campaign of the dataset that says so too"
    )
    unfinished_count = models.BooleanField(default=False, help_text="Judgments of workers who stop half way count")
    idle_minutes = models.PositiveIntegerField(
        default=24 * 60,
        validators=[MaxValueValidator(MOST_MINUTES)],
        help_text="After so long without an answer a worker counts as gone; 0 is never",
    )
    examples_per_label = models.PositiveIntegerField(default=0, help_text="Solved examples to learn from")

    # Quality
    practice_items = models.PositiveIntegerField(default=2, validators=[MaxValueValidator(20)])
    practice_needed = models.PositiveIntegerField(default=0, help_text="Right practice answers to go on")
    comprehension = models.JSONField(default=list, blank=True, help_text="[{question, choices, right}, ...]")
    checks = models.JSONField(default=list, blank=True, help_text="Attention checks: [{kind, text, ...}, ...]")
    gold_items = models.PositiveIntegerField(default=0, help_text="Items with a known answer, for each worker")
    rules = models.JSONField(default=dict, blank=True, help_text="Exclusion rules, applied at analysis")

    # Care
    content_warning = models.TextField(blank=True)
    debrief = models.TextField(blank=True)
    demographics = models.JSONField(default=list, blank=True, help_text="Questions before the work")
    survey = models.JSONField(default=list, blank=True, help_text="Questions after the work")
    retention_months = models.PositiveIntegerField(null=True, blank=True, help_text="Then what names nobody goes too")

    # Wording
    language = models.CharField(max_length=12, default="en", help_text="Of the wording below")
    translations = models.JSONField(default=dict, blank=True, help_text="{language: {field: wording}, ...}")
    question = models.CharField(max_length=300)
    cannot_tell = models.BooleanField(default=True)
    instructions = models.TextField()
    consent = models.TextField()
    contact = models.CharField(max_length=200, blank=True)

    # Recruitment, exit and pay
    recruitment = models.CharField(max_length=40, default="open_link")
    recruitment_settings = models.JSONField(default=dict, blank=True)
    exits = models.JSONField(
        default=dict, blank=True, help_text="{outcome: {code, redirect, message}, ...} of those who do not complete"
    )
    worker_parameter = models.CharField(max_length=60, default="PROLIFIC_PID")
    exit_message = models.TextField(blank=True)
    completion_code = models.CharField(max_length=60, blank=True)
    exit_redirect = models.URLField(blank=True, help_text="May hold {code}")
    pay_per_worker = models.DecimalField(max_digits=8, decimal_places=2, default=0, validators=[MinValueValidator(0)])
    seconds_per_item = models.PositiveIntegerField(
        default=20, validators=[MinValueValidator(1), MaxValueValidator(60 * MOST_MINUTES)]
    )

    # What is said before the first answer
    hypotheses = models.TextField(blank=True)
    comparisons = models.JSONField(default=list, blank=True, help_text="The main ones: [[arm, arm], ...]")

    # History
    run = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="campaigns")
    notices = models.JSONField(default=list, help_text="Texts that failed in preparing: [{text, key, reason}, ...]")
    design_hash = models.CharField(max_length=64, blank=True)
    imported = models.JSONField(
        null=True,
        blank=True,
        help_text="{preset, level, files, notices} of judgments from elsewhere; null where workers judge here",
    )
    copied_from = models.ForeignKey("self", models.SET_NULL, null=True, related_name="copies")
    created_at = models.DateTimeField(auto_now_add=True)
    launched_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    edits = models.PositiveIntegerField(default=0, help_text="How often the draft was changed")
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Put aside: lists leave it out unless asked")

    # Of a copy in a worker's language, as `translating.worded` makes it: what a text of the wording is called there,
    # and the fields that nobody has translated.
    phrases: Mapping[str, str] = {}
    fallbacks: set[str] = set()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(imported__isnull=True) | Q(state="closed"), name="imported_campaigns_are_closed"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.slug])


class Registration(models.Model):
    """What was said at launch of the design and the analysis; never changed (a database trigger refuses it).

    `document` is the one canonical JSON whose SHA-256 is `digest`: the file that is downloaded, byte by byte.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="registration")
    document = models.TextField()
    digest = models.CharField(max_length=64)
    registered_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"registration {self.digest[:12]}"


class Sketch(models.Model):
    """What somebody has filled in of the wizard and not saved yet, as the page would send it. It is theirs alone.

    A page saves onto the version that it has seen; what another page has saved meanwhile it leaves, and goes on beside.
    """

    key = models.UUIDField(default=uuid4, unique=True)
    user = models.ForeignKey(User, models.CASCADE, related_name="sketches")
    campaign = models.ForeignKey(
        Campaign,
        models.CASCADE,
        null=True,
        related_name="sketches",
        help_text="The draft it changes, if any",
    )
    filled_in = models.TextField(help_text="As forms are sent")
    version = models.PositiveIntegerField(default=1)
    page = models.UUIDField(null=True, help_text="The one that saved it last")
    beside = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["-saved_at"]

    def __str__(self) -> str:
        return f"sketch {self.key}"

    def get_absolute_url(self) -> str:
        page = reverse("campaign_edit", args=[self.campaign.slug]) if self.campaign else reverse("campaign_new")
        return f"{page}?sketch={self.key}"

    @property
    def name(self) -> str:
        return QueryDict(self.filled_in).get("name", "")


class Launch(Job):
    """That somebody has asked for the launch of a campaign; what is done and to be done are stimuli.

    The campaign itself stays ready until all of the launch is written, in one transaction.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="launch")
    created_at = models.DateTimeField(default=timezone.now, db_column="asked_at", help_text="Asked for, the last time")

    def __str__(self) -> str:
        return f"launch of campaign {self.campaign_id}, {self.state}"


class SampledText(models.Model):
    """A text chosen for a campaign when it was prepared, with what is expected of the workers."""

    class Role(models.TextChoices):
        ITEM = "item", "Judged"
        PRACTICE = "practice", "Practice"
        EXAMPLE = "example", "Solved example"
        GOLD = "gold", "Known answer"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="sample")
    text = models.ForeignKey(Text, models.PROTECT, related_name="+")
    role = models.CharField(max_length=10, choices=Role)
    position = models.PositiveIntegerField()
    expected = models.CharField(max_length=200, help_text="Label that a right answer names")
    edited = models.ForeignKey(
        Text, models.PROTECT, null=True, related_name="+", help_text="The edit of it that is asked about"
    )

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["campaign", "text"], name="text_sampled_once")]

    def __str__(self) -> str:
        return f"{self.role} {self.position}"


class Condition(models.Model):
    """One cell of the design: a method or a baseline, the method it is compared with in a pair, k, and the display."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="conditions")
    method = models.CharField(max_length=60)
    other = models.CharField(max_length=60, blank=True, help_text="Second method of a pair")
    k = models.PositiveIntegerField(null=True)
    display = models.CharField(max_length=20, blank=True, help_text="Empty where nothing is highlighted")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "method", "other", "k", "display"], name="one_condition", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        method = f"{self.method} against {self.other}" if self.other else self.method
        shown = f" in {self.display}" if self.display not in ("", "colour") else ""
        return method + shown if self.k is None else f"{method}{shown}, k = {self.k}"

    @property
    def arm(self) -> str:
        """What a worker of a between-worker design stays with."""
        return "|".join([self.method, self.other, self.display])


class Stimulus(models.Model):
    """Exactly what is shown; never changed once written (a database trigger refuses it)."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="stimuli")
    text = models.ForeignKey(Text, models.PROTECT, related_name="stimuli")
    condition = models.ForeignKey(Condition, models.CASCADE, related_name="stimuli")
    explanation = models.ForeignKey(Explanation, models.PROTECT, null=True, related_name="stimuli")
    other_explanation = models.ForeignKey(Explanation, models.PROTECT, null=True, related_name="+")
    role = models.CharField(max_length=10, choices=SampledText.Role)
    position = models.PositiveIntegerField(help_text="Practice: order of showing")
    content = models.JSONField(help_text="What the protocol rendered; the page shows this and nothing else")
    expected = models.CharField(max_length=200)
    version = models.PositiveIntegerField(help_text="Of the rendering")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "text", "condition"], name="one_stimulus_a_cell"),
        ]
        indexes = [
            # Few among many: what is not judged is found without a look at what is.
            models.Index(
                fields=["campaign", "role", "position"], condition=~Q(role="item"), name="stimulus_besides_items"
            ),
        ]

    def __str__(self) -> str:
        return f"stimulus {self.pk}"


class Place(models.Model):
    """One of the N judgments wanted of a stimulus. At most N can ever count, because there are N places.

    `judging` moves a place: open -> leased -> filled, and back to open when a lease runs out. The place of a judgment
    that no longer counts, because its worker was excluded or left, is void: it has no number, which another takes.
    Text and condition repeat the stimulus's, so that the next place is found by one index.
    """

    class State(models.TextChoices):
        OPEN = "open"
        LEASED = "leased"
        FILLED = "filled"
        VOID = "void"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="places", db_index=False)
    stimulus = models.ForeignKey(Stimulus, models.CASCADE, related_name="places", db_index=False)
    condition = models.ForeignKey(Condition, models.CASCADE, related_name="+", db_index=False)
    # Its stimulus holds the text fast: another key would be checked, without an index, for each text that is deleted.
    text = models.ForeignKey(Text, models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    number = models.PositiveIntegerField(null=True, help_text="1 to N within the stimulus; none of a void place")
    rank = models.PositiveIntegerField(help_text="Shuffled order within condition and number")
    list = models.PositiveIntegerField(default=0, help_text="Of the Latin square; 0 where there is none")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    leased_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stimulus", "number"], name="each_number_once_a_stimulus"),
            models.CheckConstraint(condition=Q(number__gte=1), name="place_numbers_start_at_one"),
            models.CheckConstraint(
                condition=Q(state="void", number__isnull=True) | (~Q(state="void") & Q(number__isnull=False)),
                name="void_places_have_no_number",
            ),
            models.CheckConstraint(
                condition=Q(state="leased", leased_until__isnull=False)
                | (~Q(state="leased") & Q(leased_until__isnull=True)),
                name="only_leased_places_have_a_deadline",
            ),
        ]
        indexes = [
            models.Index(
                F("condition"),
                F("list"),
                F("number"),
                F("rank"),
                condition=Q(state="open"),
                name="place_open",
            ),
            models.Index(fields=["campaign", "state", "condition"], name="place_campaign_state"),
        ]

    def __str__(self) -> str:
        return f"place {self.number} of stimulus {self.stimulus_id}"
