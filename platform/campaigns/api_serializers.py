"""What programs send and get of campaigns."""

from functools import cached_property
from typing import Any

from rest_framework import serializers

from accounts.access import editable_teams
from accounts.api.fields import StrictSerializer, TextField
from campaigns.api_fields import (
    ComparisonsField,
    ExitsField,
    NamesField,
    ParamsField,
    PayField,
    QuestionSerializer,
    RulesField,
    SettingsField,
    TestSerializer,
    TranslationsField,
)
from campaigns.models import Campaign
from protocols import PROTOCOLS
from recruitment import PROVIDERS

CODES_UNKNOWN: dict[str, Any] = {"completion_code": "", "exit_redirect": "", "exits": {}}
# What a program may say of a design, as the wizard asks it.
DESIGN = (
    "name", "texts_per_label", "sample_seed", "methods", "method_params", "metrics", "ks", "baselines", "displays",
    "protocol_settings", "judgments_per_stimulus", "judge_against", "only_correct", "most_per_worker",
    "minutes_per_item", "allocation", "block_size", "once_per_dataset", "unfinished_count", "idle_minutes",
    "examples_per_label", "practice_items", "practice_needed", "comprehension", "checks", "gold_items", "rules",
    "content_warning", "debrief", "demographics", "survey", "retention_months", "language", "translations", "question",
    "cannot_tell", "instructions", "consent", "contact", "recruitment", "recruitment_settings", "exits",
    "worker_parameter", "exit_message", "completion_code", "exit_redirect", "pay_per_worker", "seconds_per_item",
    "hypotheses", "comparisons",
)  # fmt: skip
KNOWN = (
    "state", "notices", "design_hash", "created_at", "launched_at", "closed_at", "archived_at",
)  # fmt: skip
SLUG = r"^[-a-zA-Z0-9_]{1,80}$"


class NoticeSerializer(serializers.Serializer[Any]):
    text = serializers.IntegerField()
    key = serializers.CharField()
    reason = serializers.CharField()


class DesignSerializer(StrictSerializer, serializers.ModelSerializer[Campaign]):
    """What the wizard's form finds wrong is told after the types are right."""

    name = TextField(max_length=120, required=False)
    dataset = serializers.RegexField(SLUG, source="dataset.slug", required=False, help_text="Slug")
    classifier = serializers.RegexField(SLUG, source="classifier.slug", required=False, help_text="Slug")
    methods = NamesField(required=False, max_length=100)
    method_params = ParamsField(required=False)
    metrics = NamesField(required=False, max_length=100)
    ks = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=10_000), required=False, max_length=20
    )
    baselines = NamesField(required=False, max_length=20)
    displays = NamesField(required=False, max_length=20)
    protocol_settings = SettingsField(required=False)
    comprehension = TestSerializer(many=True, required=False)
    checks = TestSerializer(many=True, required=False)
    rules = RulesField(required=False)
    demographics = QuestionSerializer(many=True, required=False)
    survey = QuestionSerializer(many=True, required=False)
    translations = TranslationsField(required=False)
    recruitment = serializers.ChoiceField(choices=list(PROVIDERS), required=False)
    recruitment_settings = SettingsField(required=False)
    exits = ExitsField(required=False)
    exit_redirect = serializers.CharField(max_length=200, allow_blank=True, required=False)
    pay_per_worker = PayField(max_digits=8, decimal_places=2, required=False)
    comparisons = ComparisonsField(required=False, max_length=30)

    class Meta:
        model = Campaign
        fields: tuple[str, ...] = ("dataset", "classifier", *DESIGN)
        extra_kwargs = {name: {"required": False} for name in DESIGN}


class NewCampaignSerializer(DesignSerializer):
    """What is left out is as the wizard proposes it for the protocol and the materials."""

    name = TextField(max_length=120)
    protocol = serializers.ChoiceField(choices=list(PROTOCOLS))
    dataset = serializers.RegexField(SLUG, source="dataset.slug", help_text="Slug")
    classifier = serializers.RegexField(SLUG, source="classifier.slug", help_text="Slug")

    class Meta(DesignSerializer.Meta):
        fields = ("protocol", *DesignSerializer.Meta.fields)


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    team = serializers.IntegerField(source="team_id")
    dataset = serializers.CharField(source="dataset.slug")
    classifier = serializers.CharField(source="classifier.slug")
    copied_from = serializers.CharField(source="copied_from.slug", allow_null=True, default=None)
    method_params = ParamsField()
    protocol_settings = SettingsField()
    comprehension = TestSerializer(many=True)
    checks = TestSerializer(many=True)
    rules = RulesField()
    demographics = QuestionSerializer(many=True)
    survey = QuestionSerializer(many=True)
    translations = TranslationsField()
    recruitment_settings = SettingsField()
    exits = ExitsField()
    comparisons = ComparisonsField()
    notices = NoticeSerializer(many=True)
    exit_redirect = serializers.CharField(help_text="May hold {code}; empty where workers are sent nowhere")
    imported = serializers.SerializerMethodField(help_text="Its judgments come from elsewhere")

    class Meta:
        model = Campaign
        fields = (
            "slug", "team", "protocol", "dataset", "classifier", *DESIGN, *KNOWN, "copied_from", "imported",
        )  # fmt: skip
        read_only_fields = fields

    def get_imported(self, row: Campaign) -> bool:
        return row.imported is not None

    def to_representation(self, instance: Campaign) -> Any:
        """Without the codes and ways out for analysts: whoever knows a code can ask to be paid."""
        shown = super().to_representation(instance)
        return shown if instance.team_id in self.editing else {**shown, **CODES_UNKNOWN}

    @cached_property
    def editing(self) -> set[int]:
        """The teams of whom the user may know the codes: asked once for all rows."""
        return set(editable_teams(self.context["request"].user).values_list("pk", flat=True))


class EstimateSerializer(serializers.Serializer[Any]):
    texts = serializers.IntegerField()
    conditions = serializers.IntegerField()
    stimuli = serializers.IntegerField()
    judgments = serializers.IntegerField(help_text="In all")
    load = serializers.IntegerField(help_text="Items of a worker")
    workers = serializers.IntegerField(help_text="The least, when each does a full load")
    minutes = serializers.FloatField(help_text="Of a worker")
    pay = serializers.DecimalField(max_digits=14, decimal_places=2, help_text="In all, before fees")
    hourly = serializers.DecimalField(max_digits=12, decimal_places=2)
    examples = serializers.IntegerField()
    aside = serializers.IntegerField(help_text="Practice and known answers, which every worker meets too")
    groups = serializers.IntegerField(help_text="Arms or lists that workers are put on")


class ProgressSerializer(serializers.Serializer[Any]):
    job = serializers.ChoiceField(choices=["evaluate", "prepare", "launch", "judge"])
    state = serializers.ChoiceField(choices=["idle", "running", "paused", "done", "failed", "cancelled"])
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    failed = serializers.IntegerField()
    seconds_left = serializers.FloatField(allow_null=True)
    step = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)


class FindingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    severity = serializers.ChoiceField(choices=["stop", "warning", "good"], source="severity.value")
    text = serializers.CharField()
    remedy = serializers.CharField(allow_blank=True)


class SeenSerializer(serializers.Serializer[Any]):
    """What a worker sees of one text under one condition, before and after launch the same."""

    number = serializers.IntegerField(help_text="Of the text in the sample, from 1")
    total = serializers.IntegerField(help_text="Texts in the sample")
    condition = serializers.IntegerField(help_text="From 1", source="shown")
    arm = serializers.CharField()
    expected = serializers.CharField(source="sampled.expected", allow_blank=True)
    content = serializers.JSONField()
