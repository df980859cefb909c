from django.urls import path

from operations import exposing, health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", exposing.metrics, name="metrics"),
]
