"""What an archive of a campaign holds: one file a table, in an order in which every row comes after what it names.

Rows are numbered from 1 within their file, in the order of their ids, and name each other by these numbers: ids are
those of one database, and an archive is of none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Field, ForeignKey, Model, Q, QuerySet

from campaigns.models import Campaign, Condition, Place, Registration, SampledText, Stimulus
from judging.models import Assignment, CheckAnswer, Judgment, Participation, Verdict
from materials.models import (
    Classifier,
    Dataset,
    Explanation,
    ImportedMethod,
    MetricScore,
    Prediction,
    Run,
    Text,
)


@dataclass(frozen=True)
class Part:
    """One file. `single`: it has exactly one row."""

    name: str
    model: type[Model]
    rows: Callable[[Campaign], QuerySet[Any]]
    single: bool = False

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"

    @property
    def table(self) -> str:
        return self.model._meta.db_table

    @property
    def numbers(self) -> str:
        """The temporary table of the rows' numbers and ids."""
        return f"archive_{self.name}"


# What leads out of the campaign, to people and to other campaigns: it stays behind, and an import says which team.
OUTSIDE = {"team", "started_by", "asked_by", "excluded_by", "copied_from"}
# What a row is called in reports, wherever it lives: by its own id, unless it came from an archive itself.
KEPT: dict[tuple[type[Model], str], str] = {(Participation, "known_as"): "coalesce(row.known_as, row.id)"}


def _texts(campaign: Campaign) -> QuerySet[Text]:
    """Those that the campaign shows or asks about, and those that these are edits of."""
    sample = campaign.sample.all()
    named = (sample.values("text"), sample.values("edited"), campaign.stimuli.values("text"))
    used = Text.objects.filter(Q(pk__in=named[0]) | Q(pk__in=named[1]) | Q(pk__in=named[2]))
    return Text.objects.filter(Q(pk__in=used.values("pk")) | Q(pk__in=used.values("edit_of")))


def _explanations(campaign: Campaign) -> QuerySet[Explanation]:
    """All that the campaign's methods say of its texts, and whatever its stimuli show."""
    asked = Q(text__in=_texts(campaign).values("pk"), classifier=campaign.classifier_id, method__in=campaign.methods)
    shown = campaign.stimuli.all()
    return Explanation.objects.filter(
        asked | Q(pk__in=shown.values("explanation")) | Q(pk__in=shown.values("other_explanation"))
    )


PARTS = (
    Part("dataset", Dataset, lambda c: Dataset.objects.filter(pk=c.dataset_id), single=True),
    Part("texts", Text, _texts),
    Part("classifier", Classifier, lambda c: Classifier.objects.filter(pk=c.classifier_id), single=True),
    Part(
        "imported_methods",
        ImportedMethod,
        lambda c: ImportedMethod.objects.filter(team=c.team_id, name__in=c.methods),
    ),
    Part(
        "predictions",
        Prediction,
        lambda c: Prediction.objects.filter(classifier=c.classifier_id, text__in=_texts(c).values("pk")),
    ),
    Part("explanations", Explanation, _explanations),
    Part(
        "metric_scores",
        MetricScore,
        lambda c: MetricScore.objects.filter(explanation__in=_explanations(c).values("pk")),
    ),
    Part("run", Run, lambda c: Run.objects.filter(pk=c.run_id or 0, state=Run.State.DONE)),
    Part("campaign", Campaign, lambda c: Campaign.objects.filter(pk=c.pk), single=True),
    Part("registration", Registration, lambda c: Registration.objects.filter(campaign=c)),
    Part("conditions", Condition, lambda c: Condition.objects.filter(campaign=c)),
    Part("sampled_texts", SampledText, lambda c: SampledText.objects.filter(campaign=c)),
    Part("stimuli", Stimulus, lambda c: Stimulus.objects.filter(campaign=c)),
    Part("places", Place, lambda c: Place.objects.filter(campaign=c)),
    Part("participations", Participation, lambda c: Participation.objects.filter(campaign=c)),
    Part("assignments", Assignment, lambda c: Assignment.objects.filter(stimulus__campaign=c)),
    Part("judgments", Judgment, lambda c: Judgment.objects.filter(assignment__stimulus__campaign=c)),
    Part("check_answers", CheckAnswer, lambda c: CheckAnswer.objects.filter(participation__campaign=c)),
    Part("verdicts", Verdict, lambda c: Verdict.objects.filter(stimulus__campaign=c)),
)
BY_MODEL = {part.model: part for part in PARTS}


def links(part: Part) -> dict[str, Part]:
    """The part that each foreign key leads to, by the key's name."""
    keys = [field for field in part.model._meta.concrete_fields if isinstance(field, ForeignKey)]
    return {key.name: BY_MODEL[key.related_model] for key in keys if key.name not in OUTSIDE}


def plain_fields(part: Part) -> "list[Field[Any, Any]]":
    """Those that hold a value of their own."""
    fields = part.model._meta.concrete_fields
    return [field for field in fields if not isinstance(field, ForeignKey) and not field.primary_key]


def keys(part: Part) -> list[str]:
    """What a row of the file has, in the order of the model."""
    fields = {field.name for field in plain_fields(part)} | links(part).keys()
    return [field.name for field in part.model._meta.concrete_fields if field.name in fields]
