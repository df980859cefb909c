from django.db.models import QuerySet
from rest_framework import mixins, serializers

from accounts.api.views import ResourceViewSet
from campaigns.models import Campaign
from materials.models import Classifier, Dataset


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    dataset = serializers.SlugRelatedField[Dataset](slug_field="slug", read_only=True)
    classifier = serializers.SlugRelatedField[Classifier](slug_field="slug", read_only=True)

    class Meta:
        model = Campaign
        fields = [
            "slug", "name", "state", "protocol", "dataset", "classifier", "methods", "method_params", "metrics", "ks",
            "texts_per_label", "sample_seed", "judgments_per_stimulus", "judge_against", "only_correct",
            "most_per_worker", "question", "cannot_tell", "design_hash", "created_at", "launched_at", "closed_at",
        ]  # fmt: skip


class CampaignViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, ResourceViewSet):
    model = Campaign
    serializer_class = CampaignSerializer
    read_scope, write_scope = "campaigns:read", "campaigns:write"
    newest_first = True

    def rows(self) -> QuerySet[Campaign]:
        return Campaign.objects.select_related("dataset", "classifier")
