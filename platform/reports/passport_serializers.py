"""A passport as JSON: docs/passport.md tells what its members mean. What is undefined is null, with a status."""

from typing import Any

from rest_framework import serializers

from accounts.api.fields import StrictSerializer, TextField
from materials.api.asking import SLUG
from materials.passport.loading import MOST_TEXTS


class IntervalField(serializers.ListField):
    """Both ends."""

    child = serializers.FloatField()


class StatusSerializer(serializers.Serializer[Any]):
    status = serializers.CharField(help_text="ok, or why there is no value")


class PassportMetaSerializer(serializers.Serializer[Any]):
    classifier = serializers.CharField()
    dataset = serializers.CharField()
    kind = serializers.CharField()
    weights_hash = serializers.CharField()
    n_texts = serializers.IntegerField(help_text="That methods share")
    n_explained_texts = serializers.IntegerField()
    n_methods = serializers.IntegerField()
    n_compared = serializers.IntegerField()
    n_metrics_of_mean_rank = serializers.IntegerField()
    seed = serializers.IntegerField()
    replicates = serializers.IntegerField()
    confidence = serializers.FloatField()


class PassportMetricSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="The name, with the parameters that are not the default")
    metric = serializers.CharField()
    params = serializers.DictField()
    family = serializers.CharField()
    better = serializers.ChoiceField(choices=["higher", "lower", "nearer_zero"])
    n_ranked = serializers.IntegerField()


class PassportValueSerializer(StatusSerializer):
    value = serializers.FloatField(allow_null=True)
    ci = IntervalField(allow_null=True)
    n = serializers.IntegerField(help_text="Texts")
    undefined = serializers.DictField(child=serializers.IntegerField(), help_text="Texts, by the reason")
    rank = serializers.IntegerField(allow_null=True)
    rank_ci = IntervalField(allow_null=True)


class CompletenessSerializer(StatusSerializer):
    median = serializers.FloatField(allow_null=True)
    share_large = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class CostSerializer(StatusSerializer):
    seconds = serializers.FloatField(allow_null=True)
    passes = serializers.FloatField(allow_null=True)


class LikenessSerializer(StatusSerializer):
    value = serializers.FloatField(allow_null=True)
    ci = IntervalField(allow_null=True)
    n = serializers.IntegerField(help_text="Pairs of maps")
    undefined = serializers.IntegerField()


class StabilitySerializer(LikenessSerializer):
    seeds = serializers.ListField(child=serializers.IntegerField())


class InputConsistencySerializer(LikenessSerializer):
    skipped = serializers.IntegerField()
    other_label = serializers.IntegerField()


class ModelConsistencySerializer(LikenessSerializer):
    classifier = serializers.CharField()
    skipped = serializers.IntegerField()


class KnownAnswerSerializer(serializers.Serializer[Any]):
    task = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    verdict = serializers.CharField()
    reason = serializers.CharField()
    figures = serializers.JSONField(help_text="Of each measure; null where there are none")
    otherwise = serializers.JSONField(help_text="Parameters that had other values there; null where none had")


class PassportMethodSerializer(StatusSerializer):
    method = serializers.CharField()
    params = serializers.DictField()
    settings = serializers.DictField(help_text="Parameters that are not the default")
    family = serializers.CharField()
    n_texts = serializers.IntegerField()
    metrics = serializers.DictField(child=PassportValueSerializer(), help_text="By the metric's key")
    completeness = CompletenessSerializer()
    cost = CostSerializer()
    known_answers = KnownAnswerSerializer(many=True)
    stability = StabilitySerializer()
    model_consistency = ModelConsistencySerializer(many=True)
    input_consistency = InputConsistencySerializer()
    mean_rank = serializers.FloatField(allow_null=True)
    mean_rank_ci = IntervalField(allow_null=True)
    mean_rank_by_family = serializers.DictField(child=serializers.FloatField(allow_null=True))


class MetricAgreementSerializer(StatusSerializer):
    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class PassportAgreementSerializer(serializers.Serializer[Any]):
    coefficient = serializers.CharField()
    keys = serializers.ListField(child=serializers.CharField(), help_text="Of the metrics")
    cells = serializers.ListField(child=MetricAgreementSerializer(many=True))


class PassportSerializer(serializers.Serializer[Any]):
    meta = PassportMetaSerializer()
    metrics = PassportMetricSerializer(many=True)
    methods = PassportMethodSerializer(many=True)
    agreement = PassportAgreementSerializer(required=False, help_text="Of all methods; not of one alone")


class NewPassportSerializer(StrictSerializer):
    dataset = serializers.RegexField(SLUG, help_text="Slug of a dataset of the classifier's team")
    texts = serializers.IntegerField(min_value=2, max_value=MOST_TEXTS, required=False)
    methods = serializers.ListField(
        child=TextField(max_length=150), required=False, min_length=1, max_length=100,
        help_text="Left out, those that take few passes",
    )  # fmt: skip
    metrics = serializers.ListField(
        child=TextField(max_length=150), required=False, max_length=100,
        help_text="Left out, those that need not run the methods again",
    )  # fmt: skip
