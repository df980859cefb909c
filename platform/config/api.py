from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import SimpleRouter

from accounts.api.signing_in import TokenView
from accounts.api.teams import TeamViewSet
from accounts.api.views import NowhereView, SlashlessView
from campaigns.api import CampaignViewSet
from campaigns.sketching_api import SketchViewSet
from config.api_docs import api_docs
from judging.api import InvitationViewSet, ParticipantViewSet, RecruitmentViewSet
from judging.recruiting_api import BonusViewSet, ProlificViewSet, StudyViewSet
from materials.api.catalogue import MethodsView, MetricsView, ProtocolsView
from materials.api.classifiers import ClassifierViewSet
from materials.api.datasets import DatasetViewSet
from materials.api.removals import RemovalViewSet
from materials.api.runs import RunViewSet
from materials.api.uploads import ImportViewSet, UploadViewSet
from reports.api import CampaignRemovalViewSet, JudgmentViewSet, ReportViewSet
from reports.archiving_api import ArchiveViewSet, CampaignArchiveViewSet
from reports.comparing_api import ComparisonViewSet
from reports.passport_api import PassportViewSet
from reports.planning_api import PlanView
from reports.rationale_api import RationaleViewSet
from reports.watching_api import WatchViewSet
from webhooks.api import WebhookViewSet

router = SimpleRouter()
router.register("datasets", DatasetViewSet, "api_dataset")
router.register("classifiers", ClassifierViewSet, "api_classifier")
router.register("classifiers", PassportViewSet, "api_passport")
router.register("runs", RunViewSet, "api_run")
router.register("uploads", UploadViewSet, "api_upload")
router.register("imports", ImportViewSet, "api_import")
router.register("removals", RemovalViewSet, "api_removal")
router.register("teams", TeamViewSet, "api_team")
router.register("drafts", SketchViewSet, "api_sketch")
router.register("campaigns", CampaignViewSet, "api_campaign")
router.register("campaigns", RecruitmentViewSet, "api_recruitment")
router.register("campaigns", InvitationViewSet, "api_invitation")
# Before single participants, whose numbers stand in the same place.
router.register("campaigns", ProlificViewSet, "api_prolific")
router.register("campaigns", StudyViewSet, "api_study")
router.register("campaigns", BonusViewSet, "api_bonus")
router.register("campaigns", ParticipantViewSet, "api_participant")
router.register("campaigns", JudgmentViewSet, "api_judgment")
router.register("campaigns", ReportViewSet, "api_report")
router.register("campaigns", ComparisonViewSet, "api_comparison")
router.register("campaigns", WatchViewSet, "api_watch")
router.register("campaigns", RationaleViewSet, "api_rationales")
router.register("campaigns", CampaignRemovalViewSet, "api_campaign_removal")
router.register("campaigns", CampaignArchiveViewSet, "api_campaign_archive")
router.register("archives", ArchiveViewSet, "api_archive")
router.register("webhooks", WebhookViewSet, "api_webhook")

urlpatterns = [
    path("v1/token/", TokenView.as_view(), name="api_token"),
    path("v1/catalogue/methods/", MethodsView.as_view(), name="api_methods"),
    path("v1/catalogue/metrics/", MetricsView.as_view(), name="api_metrics"),
    path("v1/catalogue/protocols/", ProtocolsView.as_view(), name="api_protocols"),
    path("v1/plan/", PlanView.as_view(), name="api_plan"),
    path("v1/", include(router.urls)),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", api_docs, name="api_docs"),
    re_path(r"^[\s\S]*/$", NowhereView.as_view()),
    re_path(r"^[\s\S]+$", SlashlessView.as_view()),
]
