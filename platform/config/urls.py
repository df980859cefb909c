from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from config.health import healthz, readyz

urlpatterns: list[URLPattern | URLResolver] = [
    # First, as no other page is asked for so often.
    path("", include("judging.urls")),
    path("", RedirectView.as_view(pattern_name="campaign_list"), name="home"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("api/", include("config.api")),
    path("", include("accounts.urls")),
    path("", include("console.urls")),
    path("", include("webhooks.urls")),
    path("", include("materials.urls")),
    path("", include("reports.planning_urls")),
    path("", include("reports.comparing_urls")),
    path("", include("campaigns.urls")),
    path("", include("judging.recruiting_urls")),
    path("", include("reports.urls")),
]
