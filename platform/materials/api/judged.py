from typing import Any

from rest_framework import serializers


class JudgedSerializer(serializers.Serializer[Any]):
    """A classifier on a dataset. It can be right only about texts with a label."""

    dataset = serializers.CharField(source="dataset.slug")
    classifier = serializers.CharField(source="classifier.slug")
    texts = serializers.IntegerField(source="total")
    predicted = serializers.IntegerField(help_text="Of the texts")
    right = serializers.IntegerField(source="accuracy.right")
    judged = serializers.IntegerField(source="accuracy.n", help_text="Texts with a label and a prediction")
    accuracy = serializers.SerializerMethodField(help_text="Right of judged; null where nothing is")
    mismatch = serializers.CharField(help_text="What is wrong with the labels; empty where they fit")

    def get_accuracy(self, row: Any) -> float | None:
        return row.accuracy.right / row.accuracy.n if row.accuracy.n else None
