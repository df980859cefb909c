from django.urls import path

from operations import exposing, health, views

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", exposing.metrics, name="metrics"),
    path("queue/", views.queue, name="queue"),
    path("queue/<int:number>/retry/", views.queue_retry, name="queue_retry"),
]
