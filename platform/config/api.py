from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import DefaultRouter

from accounts.api import TokenView
from campaigns.api import CampaignViewSet
from materials.api import ClassifierViewSet, DatasetViewSet

router = DefaultRouter()
router.register("datasets", DatasetViewSet)
router.register("classifiers", ClassifierViewSet)
router.register("campaigns", CampaignViewSet)

urlpatterns = [
    path("v1/token/", TokenView.as_view(), name="api_token"),
    path("v1/", include(router.urls)),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
]
