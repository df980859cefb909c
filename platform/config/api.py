from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import SimpleRouter

from accounts.api.signing_in import TokenView
from accounts.api.views import NowhereView
from campaigns.api import CampaignViewSet
from materials.api import ClassifierViewSet, DatasetViewSet

router = SimpleRouter()
router.register("datasets", DatasetViewSet, "api_dataset")
router.register("classifiers", ClassifierViewSet, "api_classifier")
router.register("campaigns", CampaignViewSet, "api_campaign")

urlpatterns = [
    path("v1/token/", TokenView.as_view(), name="api_token"),
    path("v1/", include(router.urls)),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    # Addresses without their last slash are sent to those with it, before they get here.
    re_path("^.*/$", NowhereView.as_view()),
]
