from rest_framework import serializers

from accounts.api import TeamOwnedViewSet
from materials.models import Classifier, Dataset


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    label_names = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Dataset
        fields = ["slug", "name", "language", "label_names", "created_at"]


class ClassifierSerializer(serializers.ModelSerializer[Classifier]):
    class Meta:
        model = Classifier
        fields = [
            "slug", "name", "kind", "options", "source", "revision", "state", "error", "label_names", "problem_type",
            "weights_hash", "created_at",
        ]  # fmt: skip


class DatasetViewSet(TeamOwnedViewSet):
    model = Dataset
    queryset = Dataset.objects.none()
    serializer_class = DatasetSerializer


class ClassifierViewSet(TeamOwnedViewSet):
    model = Classifier
    queryset = Classifier.objects.none()
    serializer_class = ClassifierSerializer
