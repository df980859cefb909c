from rest_framework import mixins, serializers

from accounts.api.views import ResourceViewSet
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


class DatasetViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    model = Dataset
    serializer_class = DatasetSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    newest_first = True


class ClassifierViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    model = Classifier
    serializer_class = ClassifierSerializer
    read_scope, write_scope = "materials:read", "materials:write"
    newest_first = True
