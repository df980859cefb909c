from typing import TypeVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q, Sum
from django.urls import reverse

from accounts.models import Team
from catalogue.kinds import KINDS
from materials.jobs import Job

# Words are found as they stand: no language's endings are cut off.
WORDS_OF_TEXTS = "simple"


Row = TypeVar("Row", bound=models.Model, covariant=True)


class There(models.Manager[Row]):
    """Without what is being deleted."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(removed_at=None)


class Removable(models.Model):
    """Once somebody deletes it, it is nowhere to be found; a worker process then deletes what belongs to it."""

    removed_at = models.DateTimeField(null=True, editable=False, help_text="It is going; lists have it no more")

    objects = There()
    all_objects = models.Manager()

    class Meta:
        abstract = True


class Dataset(Removable):
    team = models.ForeignKey(Team, models.CASCADE, related_name="datasets")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    language = models.CharField(max_length=35, blank=True, help_text="BCP 47, such as en or ja")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "name"], condition=Q(removed_at=None), name="one_dataset_a_name_that_is_there"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("dataset", args=[self.slug])

    def n_texts(self) -> int:
        return int(self.text_counts.aggregate(all=Sum("n"))["all"] or 0)

    def label_names(self) -> list[str]:
        known = self.text_counts.exclude(label="").values_list("label").annotate(all=Sum("n"))
        return [label for label, _ in known.filter(all__gt=0).order_by("label")]


class Text(models.Model):
    """One input, kept character for character; offsets anywhere are code points into `content`."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="texts")
    key = models.CharField(max_length=200, help_text="The file's own id, or its line number")
    content = models.TextField()
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the content")
    label = models.CharField(max_length=200, blank=True, help_text="Gold label; empty when there is none")
    language = models.CharField(max_length=35, blank=True)
    rationale = models.JSONField(null=True, blank=True, help_text="[[start, end], ...] marked by people")
    warning = models.CharField(max_length=200, blank=True, help_text="What to know before reading, for workers")
    template = models.CharField(max_length=200, blank=True, help_text="Shared by texts that are made alike")
    edit_of = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="edits")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "key"], name="one_text_a_key"),
            models.UniqueConstraint(fields=["dataset", "content_hash"], name="no_text_twice_in_a_dataset"),
            models.CheckConstraint(condition=~Q(content=""), name="text_is_not_empty"),
        ]
        indexes = [
            models.Index(fields=["dataset", "label"], name="text_dataset_label"),
            GinIndex(SearchVector("content", config=WORDS_OF_TEXTS), name="text_words"),
        ]

    def __str__(self) -> str:
        return self.key


class Classifier(Removable):
    """The model under explanation. What it is, is read from its files by a worker process."""

    class State(models.TextChoices):
        LOADING = "loading", "Loading"
        READY = "ready", "Ready"
        FAILED = "failed", "Failed"

    team = models.ForeignKey(Team, models.CASCADE, related_name="classifiers")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    kind = models.CharField(max_length=20, default="transformer", blank=True, help_text="Empty until it is read")
    options = models.JSONField(default=dict, blank=True, help_text="What the kind needs to know beside the files")
    source = models.CharField(max_length=500, help_text="Hub id, or a folder on the worker's machine")
    revision = models.CharField(max_length=100, blank=True, help_text="Commit of the hub repository")
    state = models.CharField(max_length=10, choices=State, default=State.LOADING)
    error = models.TextField(blank=True)
    label_names = models.JSONField(default=list, help_text="In the order of the outputs")
    problem_type = models.CharField(max_length=40, blank=True)
    weights_hash = models.CharField(max_length=64, blank=True)
    seconds_per_piece = models.FloatField(null=True, help_text="Of one pass, as its worker process measured it")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("classifier", args=[self.slug])

    @property
    def kind_label(self) -> str:
        return KINDS.get(self.kind, self.kind)


class Prediction(models.Model):
    text = models.ForeignKey(Text, models.CASCADE, related_name="predictions")
    classifier = models.ForeignKey(Classifier, models.CASCADE, related_name="predictions")
    label = models.CharField(max_length=200, help_text="Name of the most probable label")
    probabilities = ArrayField(models.FloatField(), help_text="In the order of the classifier's label names")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["classifier", "text"], name="one_prediction_a_text")]

    def __str__(self) -> str:
        return self.label


class Explanation(models.Model):
    """One score a word; never changed once written (a database trigger refuses it)."""

    text = models.ForeignKey(Text, models.CASCADE, related_name="explanations")
    classifier = models.ForeignKey(Classifier, models.CASCADE, related_name="explanations")
    method = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    target = models.PositiveIntegerField(help_text="Index of the explained label")
    starts = ArrayField(models.PositiveIntegerField(), help_text="First code point of each word")
    ends = ArrayField(models.PositiveIntegerField(), help_text="Code point after each word")
    scores = ArrayField(models.FloatField(null=True), help_text="One a word; null where the model never saw it")
    special = models.JSONField(default=list, help_text="[[piece, score], ...] of pieces of no word, such as [CLS]")
    completeness_error = models.FloatField(null=True, help_text="Relative; null where the method claims none")
    seed = models.BigIntegerField(null=True)
    seconds = models.FloatField()
    versions = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["classifier", "text", "method", "params", "target"], name="one_explanation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} of {self.text_id}"


class Counted(models.Model):
    """So many rows more, or fewer where `n` is negative: triggers of the database write a row for each statement that
    changes what is counted, in its transaction, so that the sum is true at any time and nobody waits for another."""

    n = models.BigIntegerField()

    class Meta:
        abstract = True


class TextCount(Counted):
    # The database deletes these rows with their dataset itself: triggers may write more of them until then.
    dataset = models.ForeignKey(Dataset, models.DO_NOTHING, db_constraint=False, related_name="text_counts")
    label = models.CharField(max_length=200)
    language = models.CharField(max_length=35)

    def __str__(self) -> str:
        return f"{self.n} {self.label}"


class PredictionCount(Counted):
    dataset = models.ForeignKey(Dataset, models.DO_NOTHING, db_constraint=False, related_name="prediction_counts")
    classifier = models.ForeignKey(Classifier, models.DO_NOTHING, db_constraint=False, related_name="prediction_counts")
    gold = models.CharField(max_length=200, help_text="The text's label")
    label = models.CharField(max_length=200, help_text="The predicted one")

    def __str__(self) -> str:
        return f"{self.n} {self.gold} as {self.label}"


class MapCount(Counted):
    dataset = models.ForeignKey(Dataset, models.DO_NOTHING, db_constraint=False, related_name="map_counts")
    classifier = models.ForeignKey(Classifier, models.DO_NOTHING, db_constraint=False, related_name="map_counts")

    def __str__(self) -> str:
        return f"{self.n} maps"


class ImportedMethod(models.Model):
    """How maps were made elsewhere. `name` is what `Explanation.method` holds, and what campaigns call the arm.

    Maps of one title with other parameters, or from another source, are another method, with a number in its name.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="imported_methods")
    name = models.CharField(max_length=60, help_text="imported:TITLE, with a number where the title is taken")
    title = models.CharField(max_length=60, help_text="What the file calls it")
    params = models.JSONField(default=dict)
    source = models.CharField(max_length=200, blank=True, help_text="Where the maps come from, in free words")
    signed = models.BooleanField(default=True, help_text="Scores speak for and against")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "name"], name="one_imported_method_a_name"),
            models.UniqueConstraint(fields=["team", "title", "params", "source"], name="one_imported_method"),
        ]

    def __str__(self) -> str:
        return self.name


class MetricScore(models.Model):
    """An automatic score of one explanation; undefined is null with a reason."""

    explanation = models.ForeignKey(Explanation, models.CASCADE, related_name="metric_scores")
    metric = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    value = models.FloatField(null=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["explanation", "metric", "params"], name="one_metric_score"),
            models.CheckConstraint(
                condition=Q(value__isnull=False, reason="") | (Q(value__isnull=True) & ~Q(reason="")),
                name="metric_score_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.value}"


class Run(models.Model):
    """One computation asked for: predictions, or explanations with their metrics, over texts in chunks."""

    class Kind(models.TextChoices):
        PREDICT = "predict", "Predictions"
        EXPLAIN = "explain", "Explanations and metrics"

    class State(models.TextChoices):
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        CANCELLED = "cancelled", "Cancelled"

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="runs")
    classifier = models.ForeignKey(Classifier, models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    methods = models.JSONField(default=list, help_text='[{"method": ..., "params": {...}}, ...]')
    metrics = models.JSONField(default=list, help_text='[{"metric": ..., "params": {...}}, ...]')
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class Chunk(models.Model):
    """What one Celery task computes, in one transaction: it is pending until all of it is written."""

    class State(models.TextChoices):
        PENDING = "pending"
        DONE = "done"

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    text_ids = ArrayField(models.BigIntegerField())
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    tries = models.PositiveIntegerField(default=0, help_text="More than one: a worker process died over it")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["run", "number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_chunk_a_number")]

    def __str__(self) -> str:
        return f"chunk {self.number} of run {self.run_id}"


class Failure(models.Model):
    """A text that could not be computed, alone, with the reason."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="failures")
    text = models.ForeignKey(Text, models.CASCADE, related_name="+")
    method = models.CharField(max_length=60, blank=True, help_text="Empty when the text failed for every method")
    reason = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "text", "method"], name="one_failure_a_method")]

    def __str__(self) -> str:
        return self.reason


class Import(Job):
    """A file of texts on its way into a dataset."""

    class State(models.TextChoices):
        WAITING = "waiting", "Under way"
        DONE = "done", "Done"
        REJECTED = "rejected", "Rows rejected"
        FAILED = "failed", "Failed"

    ENDS = (State.DONE, State.REJECTED, State.FAILED)

    team = models.ForeignKey(Team, models.CASCADE, related_name="imports")
    dataset = models.ForeignKey(Dataset, models.SET_NULL, null=True, related_name="imports")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_column="started_by_id"
    )
    upload = models.CharField(max_length=60, unique=True, help_text="Folder of the file; it may be tried again")
    file = models.CharField(max_length=120)
    asked = models.JSONField(help_text="Name and language of the dataset, what the columns are, the labels allowed")
    rows = models.PositiveIntegerField(default=0, help_text="About so many are in the file")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    taken = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    first = models.JSONField(default=list, help_text="[[line, column, reason, text], ...] of rejected rows")

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["asked_by", "state"], name="import_of_a_user")]

    def __str__(self) -> str:
        return self.file

    @property
    def token(self) -> str:
        return self.upload.partition("-")[2]


class Removal(Job):
    """A dataset, a classifier or a campaign that goes, with all that belongs to it, in so many rows."""

    class Kind(models.TextChoices):
        DATASET = "dataset", "Dataset"
        CLASSIFIER = "classifier", "Classifier"
        CAMPAIGN = "campaign", "Campaign"

    class State(models.TextChoices):
        WAITING = "waiting", "Being deleted"
        DONE = "done", "Deleted"
        FAILED = "failed", "Not wholly deleted"

    team = models.ForeignKey(Team, models.CASCADE, related_name="removals")
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.BigIntegerField(help_text="Number of what goes")
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="one_removal")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("removal", args=[self.pk])
